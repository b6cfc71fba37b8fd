import { Module } from '@nestjs/common';
import { ClockSteering } from './clock-steering.js';

/** For the processes that serve: their clock follows that of the database. */
@Module({ providers: [ClockSteering] })
export class ClockModule {}
