import { Module } from '@nestjs/common';
import { WorkerTurns } from './worker-turns.js';

/** For the workers of features: turns, and how many workers there are. */
@Module({ providers: [WorkerTurns], exports: [WorkerTurns] })
export class WorkersModule {}
