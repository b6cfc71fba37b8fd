import { Module } from '@nestjs/common';
import { Drain } from '../http/drain.js';
import { HealthRoutes, MetricsRoutes } from './operations-routes.js';
import { HealthService } from './health.service.js';

/** `GET /health/live`, `/health/ready` and `/metrics`. */
@Module({
  controllers: [HealthRoutes, MetricsRoutes],
  providers: [HealthService, Drain],
  exports: [Drain],
})
export class HealthModule {}
