import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** `Metrics` for every module. To log, use NestJS's `Logger` (see `NestLogger`). */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class ObservabilityModule {}
