import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { MetricsController } from './metrics.controller.js';

/** `Metrics` for every module, and `GET /metrics`. To log, use NestJS's `Logger` (see `NestLogger`). */
@Global()
@Module({ controllers: [MetricsController], providers: [Metrics], exports: [Metrics] })
export class ObservabilityModule {}
