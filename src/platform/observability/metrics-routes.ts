import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../http/public.js';
import { Metrics } from './metrics.js';

export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Described for OpenAPI elsewhere (`openapi-operations.ts`). */
@Public()
@Controller('metrics')
export class MetricsRoutes {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', TEXT_FORMAT)
  render(): Promise<string> {
    return this.metrics.render();
  }
}
