import { Module } from '@nestjs/common';
import { Drain } from '../http/drain.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** `GET /health/live` and `/health/ready`. */
@Module({
  controllers: [HealthController],
  providers: [HealthService, Drain],
  exports: [Drain],
})
export class HealthModule {}
