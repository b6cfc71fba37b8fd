import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { EndpointDetailDto, EndpointDto, ListEndpointsQueryDto, toDetail } from './endpoints.dto.js';
import { EndpointsService } from './endpoints.service.js';

@ApiTags('webhooks')
@Controller('webhooks/endpoints')
export class EndpointsController {
  constructor(private readonly endpoints: EndpointsService) {}

  @Get()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List webhook endpoints with their statistics of the last day, newest first',
    description:
      'An endpoint is one scheme, host and port that a shop sends webhooks to. The cost of a request does not depend on the ' +
      'number of deliveries.',
  })
  @ApiSuccessPage(EndpointDto)
  @ApiProblems('shop_not_found')
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListEndpointsQueryDto,
  ): Promise<SuccessPage<EndpointDto>> {
    const filter = { shopId: query.shop_id, status: query.status };
    const page = await this.endpoints.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => EndpointDto.from(row));
  }

  @Get(':id')
  @RequireScopes('webhooks:read')
  @ApiOperation({ summary: 'Read an endpoint with its hourly statistics' })
  @ApiSuccess(EndpointDetailDto)
  @ApiProblems('endpoint_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<EndpointDetailDto>> {
    const { endpoint, hours } = await this.endpoints.find(merchantId, id);
    return success(toDetail(endpoint, hours));
  }
}
