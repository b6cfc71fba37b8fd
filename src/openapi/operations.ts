import { LivenessDto, ReadinessDto } from '../platform/health/health.dto.js';
import {
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { problemResponse } from './api-problems.js';
import { HealthRoutes, MetricsRoutes, TEXT_FORMAT } from '../platform/health/operations-routes.js';

// Describes the routes that every process has, as their own decorators would: those would load Swagger into a worker.
// By being imported, once per process: what it sets is part of the classes.
describeOperations();

function describeOperations(): void {
  for (const routes of [HealthRoutes, MetricsRoutes]) ApiTags('operations')(routes);
  describe(HealthRoutes.prototype, 'live', [
    ApiOperation({ summary: 'Whether the process runs; ask this to decide on a restart' }),
    ApiOkResponse({ type: LivenessDto }),
  ]);
  describe(HealthRoutes.prototype, 'ready', [
    ApiOperation({ summary: 'Whether the process can work now; ask this to decide on sending it requests' }),
    ApiOkResponse({ type: ReadinessDto }),
    ApiServiceUnavailableResponse({
      type: ReadinessDto,
      description: 'The database is down, or the process shuts down',
    }),
  ]);
  describe(MetricsRoutes.prototype, 'render', [
    ApiOperation({ summary: 'Metrics of this process for Prometheus' }),
    ApiOkResponse({ content: { [TEXT_FORMAT]: { schema: { type: 'string' } } } }),
    ApiUnauthorizedResponse({
      ...problemResponse(['unauthorized']),
      description: '`METRICS_TOKEN` is set, and the request lacks it',
    }),
  ]);
}

function describe<Routes extends object>(
  routes: Routes,
  method: keyof Routes & string,
  decorators: MethodDecorator[],
): void {
  const descriptor = Object.getOwnPropertyDescriptor(routes, method)!;
  for (const decorate of decorators) decorate(routes, method, descriptor);
}
