import { Module } from '@nestjs/common';
import { Drain } from '../http/drain.js';
import { HealthRoutes } from './health-routes.js';
import { HealthService } from './health.service.js';

/** `GET /health/live` and `/health/ready`. */
@Module({
  controllers: [HealthRoutes],
  providers: [HealthService, Drain],
  exports: [Drain],
})
export class HealthModule {}
