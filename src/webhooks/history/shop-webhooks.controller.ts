import { Body, Controller, Get, Header, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal, CurrentOwner } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { DeliveryListService } from './delivery-list.service.js';
import { RedeliveryJobsService } from './redelivery-jobs.service.js';
import { WebhookStatsService } from './stats.service.js';
import { TestWebhookDto, WebhookTestResultDto } from '../endpoint/endpoint-test.dto.js';
import { EndpointTests } from '../endpoint/endpoint-test.service.js';
import { RedeliveredDto, ReplayDto } from './redelivery.dto.js';
import { DeliveryDto, ListDeliveriesQueryDto, WebhookStatsDto } from './webhooks.dto.js';

@ApiTags('webhooks')
@Controller('webhooks/shop/:shopId')
export class ShopWebhooksController {
  constructor(
    private readonly tests: EndpointTests,
    private readonly statistics: WebhookStatsService,
    private readonly deliveries: DeliveryListService,
    private readonly redeliveries: RedeliveryJobsService,
  ) {}

  @Post('test')
  @HttpCode(200)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Send one sample webhook to an address',
    description:
      'Sends it at once, signed like any other webhook, with `"test": true` in the body and the header `Webhook-Test: true`. ' +
      'If the receiver fails, the response is still a success and describes the failure.',
  })
  @ApiSuccess(WebhookTestResultDto)
  @ApiProblems('shop_not_found', 'validation_failed')
  async test(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('shopId') shopId: number,
    @Body() { webhook_endpoint: url }: TestWebhookDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<WebhookTestResultDto>> {
    const endpoint = { kind: 'default', merchantId, id: shopId } as const;
    return success(WebhookTestResultDto.from(await this.tests.test(endpoint, { url }, context)));
  }

  @Get('stats')
  @Header('cache-control', 'no-store')
  @TakesReadSlot()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Read the delivery statistics, latest deliveries and webhook secret of a shop',
    description: 'The secret is `null` for a token without the scope `webhooks:secrets`.',
  })
  @ApiSuccess(WebhookStatsDto)
  @ApiProblems('shop_not_found')
  async stats(
    @CurrentPrincipal() { merchantId, scopes }: Principal,
    @IdParam('shopId') shopId: number,
  ): Promise<Success<WebhookStatsDto>> {
    const withSecret = scopes.includes('webhooks:secrets');
    return success(WebhookStatsDto.from(await this.statistics.stats(merchantId, shopId, withSecret)));
  }

  @Get('deliveries')
  @TakesReadSlot()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List deliveries of a shop, newest first',
    description: 'Without bodies and attempts, which `GET /webhooks/deliveries/{id}` has.',
  })
  @ApiSuccessPage(DeliveryDto)
  @ApiProblems('shop_not_found')
  async list(
    @CurrentPrincipal() principal: Principal,
    @IdParam('shopId') shopId: number,
    @Query() query: ListDeliveriesQueryDto,
  ): Promise<SuccessPage<DeliveryDto>> {
    const filter = { shopId, status: query.status, paymentId: query.payment_id };
    const page = await this.deliveries.list(principal.merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => DeliveryDto.from(row));
  }

  @Post('replay')
  @HttpCode(202)
  @CpuBound()
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Redeliver the webhooks of a time range',
    description:
      'Starts a new run of the schedule for every finished delivery that was created in the time range, like ' +
      '`POST /webhooks/redeliver`. Workers begin within two seconds and send a few deliveries at a time, oldest first. A ' +
      'request like a running one extends it to deliveries that failed since; what it has already delivered is not sent ' +
      'again. Returns the number of deliveries after the request is stored.',
  })
  @ApiSuccess(RedeliveredDto, { status: 202 })
  @ApiProblems('shop_not_found', 'validation_failed', 'too_many_requests')
  async replay(
    @IdParam('shopId') shopId: number,
    @Body() request: ReplayDto,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<RedeliveredDto>> {
    return success({ count: await this.redeliveries.replay(ReplayDto.toFilter(shopId, request), context, owner) });
  }
}
