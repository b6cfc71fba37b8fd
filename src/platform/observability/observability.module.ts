import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { MetricsRoutes } from './metrics-routes.js';

/** `Metrics` for every module, and `GET /metrics`. To log, use NestJS's `Logger` (see `NestLogger`). */
@Global()
@Module({ controllers: [MetricsRoutes], providers: [Metrics], exports: [Metrics] })
export class ObservabilityModule {}
