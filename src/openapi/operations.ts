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

// Describes the routes that every process has. Decorators on the routes themselves would load Swagger into a worker.
// Runs once per process, on import: the result is part of the classes.
describeOperations();

function describeOperations(): void {
  for (const routes of [HealthRoutes, MetricsRoutes]) ApiTags('operations')(routes);
  describe(HealthRoutes.prototype, 'live', [
    ApiOperation({
      summary: 'Check whether the process runs; use it to decide on a restart',
      description: 'Answers 200 without looking at the database.',
    }),
    ApiOkResponse({ type: LivenessDto }),
  ]);
  describe(HealthRoutes.prototype, 'ready', [
    ApiOperation({
      summary: 'Check whether the process can work now; use it to decide on sending it requests',
      description: 'Looks at the database and the queue. 503: send no requests to this process.',
    }),
    ApiOkResponse({ type: ReadinessDto }),
    ApiServiceUnavailableResponse({
      type: ReadinessDto,
      description: 'The database is down, or the process is shutting down',
    }),
  ]);
  describe(MetricsRoutes.prototype, 'render', [
    ApiOperation({
      summary: 'Metrics of this process for Prometheus',
      description: 'In the text format of Prometheus; times in seconds. With `METRICS_TOKEN`, the token is needed.',
    }),
    ApiOkResponse({ content: { [TEXT_FORMAT]: { schema: { type: 'string' } } } }),
    ApiUnauthorizedResponse({
      ...problemResponse(['unauthorized']),
      description: '`METRICS_TOKEN` is set, and the request does not have it',
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
