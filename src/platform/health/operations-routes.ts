import { Controller, Get, Res, Header, Module } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TakesAnyQuery } from '../http/query-guard.js';
import { Public } from '../http/routes.js';
import type { LivenessDto, ReadinessDto } from './health.dto.js';
import { HealthService } from './health.service.js';
import { Metrics } from '../observability/metrics.js';
import { Drain } from '../http/drain.js';

/**
 * Described for OpenAPI in `operations-openapi.ts`, so that a worker, which serves no documents, starts without
 * Swagger.
 */
@Public()
@TakesAnyQuery() // monitors add parameters against caches
@Controller('health')
export class HealthRoutes {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  live(): LivenessDto {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessDto> {
    const readiness = await this.health.readiness();
    if (readiness.status === 'shutting_down' || readiness.status === 'unavailable') void reply.code(503);
    return readiness;
  }
}

export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Described for OpenAPI elsewhere, like {@link HealthRoutes}. */
@Public()
@TakesAnyQuery() // monitors add parameters against caches
@Controller('metrics')
export class MetricsRoutes {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', TEXT_FORMAT)
  render(): Promise<string> {
    return this.metrics.render();
  }
}

/** `GET /health/live`, `/health/ready` and `/metrics`. */
@Module({
  controllers: [HealthRoutes, MetricsRoutes],
  providers: [HealthService, Drain],
  exports: [Drain],
})
export class HealthModule {}
