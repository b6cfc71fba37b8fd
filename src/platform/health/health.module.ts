import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { ShutdownState } from './shutdown-state.js';

/** `GET /health/live` and `/health/ready`. */
@Module({
  controllers: [HealthController],
  providers: [HealthService, ShutdownState],
  exports: [ShutdownState],
})
export class HealthModule {}
