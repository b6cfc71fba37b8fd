import { Module } from '@nestjs/common';
import { Housekeeping } from './housekeeping.service.js';

/** For the workers of features that have chores. */
@Module({ providers: [Housekeeping], exports: [Housekeeping] })
export class HousekeepingModule {}
