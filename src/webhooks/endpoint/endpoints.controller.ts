import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { EndpointDetailDto, EndpointDto, ListEndpointsQueryDto } from './endpoints.dto.js';
import { EndpointsService } from './endpoints.service.js';

@ApiTags('webhooks')
@Controller('webhooks/endpoints')
export class EndpointsController {
  constructor(private readonly endpoints: EndpointsService) {}

  @Get()
  @TakesReadSlot()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List webhook endpoints with their statistics of the last day, newest first',
    description:
      'Standing endpoints, and the addresses of payments: one endpoint for each scheme, host and port that a shop sends ' +
      'webhooks to. The cost of a request does not depend on the number of deliveries.',
  })
  @ApiSuccessPage(EndpointDto)
  @ApiProblems('shop_not_found')
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListEndpointsQueryDto,
  ): Promise<SuccessPage<EndpointDto>> {
    const filter = { shopId: query.shop_id, status: query.status, kind: query.kind };
    const page = await this.endpoints.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (endpoint) => EndpointDto.from(endpoint));
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Read an endpoint with its hourly statistics',
    description: 'The secret is `null` for a token without the scope `webhooks:secrets`.',
  })
  @ApiSuccess(EndpointDetailDto)
  @ApiProblems('endpoint_not_found')
  async find(
    @CurrentPrincipal() { merchantId, scopes }: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<EndpointDetailDto>> {
    const withSecret = scopes.includes('webhooks:secrets');
    return success(EndpointDetailDto.fromDetail(await this.endpoints.detail(merchantId, id), withSecret));
  }
}
