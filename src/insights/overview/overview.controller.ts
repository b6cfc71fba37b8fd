import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { OpenWorkDto, OverviewDto } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

@ApiTags('insights')
@Controller('insights')
export class InsightsController {
  constructor(private readonly overviews: OverviewService) {}

  @Get('overview')
  @Header('cache-control', 'no-store')
  @TakesReadSlot()
  @RequireScopes('payments:read', 'webhooks:read')
  @ApiOperation({
    summary: 'Read the state of payments and deliveries, and pending work',
    description:
      'Approvals of each shop by hour, deliveries by minute, and work that needs an operator. The cost does not ' +
      'depend on the number of payments and deliveries.',
  })
  @ApiSuccess(OverviewDto)
  async overview(@CurrentPrincipal() { merchantId }: Principal): Promise<Success<OverviewDto>> {
    return success(OverviewDto.from(await this.overviews.overview(merchantId)));
  }

  @Get('open-work')
  @Header('cache-control', 'no-store')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List work that waits for a provider or a person',
    description:
      'Operations without an outcome, notifications that cannot be applied yet, and alarms that no one has ' +
      'acknowledged.',
  })
  @ApiSuccess(OpenWorkDto)
  async openWork(@CurrentPrincipal() { merchantId }: Principal): Promise<Success<OpenWorkDto>> {
    return success(OpenWorkDto.from(await this.overviews.openWork(merchantId)));
  }
}
