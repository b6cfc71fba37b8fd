import { Body, Controller, Get, Header, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal, CurrentOwner } from '../../access/access.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { DeliveryListService } from './delivery-list.service.js';
import { RedeliveryJobsService } from './redelivery-jobs.service.js';
import { WebhookStatsService } from './stats.service.js';
import { WebhookTestService } from './test.service.js';
import { RedeliveredDto, ReplayDto } from './redelivery.dto.js';
import {
  DeliveryDto,
  ListDeliveriesQueryDto,
  TestWebhookDto,
  WebhookStatsDto,
  WebhookTestResultDto,
} from './webhooks.dto.js';

@ApiTags('webhooks')
@Controller('webhooks/shop/:shopId')
export class ShopWebhooksController {
  constructor(
    private readonly tests: WebhookTestService,
    private readonly statistics: WebhookStatsService,
    private readonly deliveries: DeliveryListService,
    private readonly redeliveries: RedeliveryJobsService,
  ) {}

  @Post('test')
  @HttpCode(200)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Send a sample webhook to an address, now and once',
    description:
      'Signed like every other, with `"test": true` in the body and the header `Webhook-Test: true`. A receiver that fails is a ' +
      'result, not an error.',
  })
  @ApiSuccess(WebhookTestResultDto)
  @ApiProblems('shop_not_found', 'validation_failed')
  async test(
    @CurrentPrincipal() principal: Principal,
    @IdParam('shopId') shopId: number,
    @Body() { webhook_endpoint: endpoint }: TestWebhookDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<WebhookTestResultDto>> {
    return success(WebhookTestResultDto.from(await this.tests.test(principal.merchantId, shopId, endpoint, context)));
  }

  @Get('stats')
  @Header('cache-control', 'no-store')
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Delivery statistics of a shop, its latest deliveries and its webhook secret',
    description: 'The secret is told to a token with the scope `webhooks:secrets`; to others it is `null`.',
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
  @RequireScopes('webhooks:read')
  @ApiOperation({ summary: 'List deliveries of a shop, newest first' })
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
    summary: 'Deliver again what was created in a span of time',
    description:
      'A fresh run of the schedule for every delivery of the span that has ended, in the way of `POST /webhooks/redeliver`: ' +
      'workers begin within a second or two, and go through them from the oldest on, a few at a time. A request like one ' +
      'that is being carried out adds to it what failed since, and sends nothing again that was delivered by it. Answers ' +
      'how many are sent, once they are on record.',
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
