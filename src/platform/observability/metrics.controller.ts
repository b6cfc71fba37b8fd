import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../http/public.js';
import { Metrics } from './metrics.js';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

@ApiTags('operations')
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', TEXT_FORMAT)
  @ApiOperation({ summary: 'Metrics of this process for Prometheus' })
  @ApiOkResponse({ content: { [TEXT_FORMAT]: { schema: { type: 'string' } } } })
  render(): Promise<string> {
    return this.metrics.render();
  }
}
