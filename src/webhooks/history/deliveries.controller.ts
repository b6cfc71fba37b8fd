import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { CurrentOwner, RequireScopes, requireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { type DeliveryId, DeliveryIdParam } from './delivery-id-param.js';
import { DeliveryIds } from './delivery-ids.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryListService } from './delivery-list.service.js';
import { RedeliverDto, RedeliveredDto, RedeliveryDto, RetryDeliveryDto } from './redelivery.dto.js';
import { RedeliveryJobsService } from './redelivery-jobs.service.js';
import { DeliveryDetailDto, DeliveryDto, ListAllDeliveriesQueryDto } from './webhooks.dto.js';

/** A request names a shop or an endpoint. */
const REDELIVERIES = {
  failed: {
    summary: 'Deliveries of one shop that failed in a time',
    value: { shop_id: 1, from: '2026-11-21T00:00:00Z', to: '2026-11-21T06:00:00Z' },
  },
  count: { summary: 'Only the number of all failed deliveries', value: { dry_run: true } },
};

@ApiTags('webhooks')
@Controller('webhooks')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly lists: DeliveryListService,
    private readonly ids: DeliveryIds,
    private readonly redeliveries: RedeliveryJobsService,
  ) {}

  @Get('deliveries')
  @TakesReadSlot()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List deliveries of all shops, newest first',
    description:
      'Takes the filters of `POST /webhooks/redeliver`, and also lists pending deliveries. With `webhook_endpoint`, or an ' +
      '`endpoint_id` of payments, a page may have fewer items than `limit`, or none, and still have a next page.',
  })
  @ApiSuccessPage(DeliveryDto)
  @ApiProblems('shop_not_found', 'endpoint_not_found', 'validation_failed')
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListAllDeliveriesQueryDto,
  ): Promise<SuccessPage<DeliveryDto>> {
    const filter = ListAllDeliveriesQueryDto.toFilter(query);
    const page = await this.lists.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => DeliveryDto.from(row));
  }

  @Get('redeliveries')
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List running redeliveries',
    description:
      'Running requests of `POST /webhooks/redeliver` and of `POST /webhooks/shop/{shopId}/replay` (one entry per status), ' +
      'latest first. When a request is no longer in the list, all its deliveries are back in the queue.',
  })
  @ApiSuccess([RedeliveryDto])
  async underWay(@CurrentPrincipal() { merchantId }: Principal): Promise<Success<RedeliveryDto[]>> {
    return success((await this.redeliveries.running(merchantId)).map((row) => RedeliveryDto.from(row)));
  }

  @Get('deliveries/:id')
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Read a delivery with its body and every attempt',
    description: 'Finds it by its `id`, or by the header `webhook-id` that its receiver got.',
  })
  @ApiSuccess(DeliveryDetailDto)
  @ApiProblems('delivery_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @DeliveryIdParam('id') given: DeliveryId,
  ): Promise<Success<DeliveryDetailDto>> {
    const id = await this.ids.resolve(merchantId, given);
    return success(DeliveryDetailDto.from(await this.deliveries.find(merchantId, id)));
  }

  @Post('deliveries/:id/retry')
  @HttpCode(202)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Retry a delivery now',
    description:
      'Starts a new run of the schedule with the same body and `webhook-id`, even if the delivery succeeded. For a pending ' +
      'delivery, the next attempt is made now, unless an attempt is in progress. Another address sees the body, so it also ' +
      'requires the scope `webhooks:read`.',
  })
  @ApiSuccess(DeliveryDto, { status: 202 })
  @ApiProblems('delivery_not_found', 'delivery_in_progress', 'delivery_erased', 'validation_failed')
  async retry(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() { webhook_endpoint: endpoint }: RetryDeliveryDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<DeliveryDto>> {
    if (endpoint !== undefined) requireScopes(principal, ['webhooks:read'], 'webhook_endpoint');
    const row = await this.deliveries.retry(principal.merchantId, id, endpoint ?? null, context);
    return success(principal.scopes.includes('webhooks:read') ? DeliveryDto.from(row) : DeliveryDto.withoutPath(row));
  }

  @Post('redeliver')
  @HttpCode(202)
  @CpuBound()
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Redeliver all deliveries that match a filter',
    description:
      'For use after an outage. Each delivery gets a new run of the schedule, with the same body and `webhook-id`. Workers ' +
      'send a few at a time, oldest first. Without new deliveries, they go as fast as the receivers answer; otherwise they ' +
      'limit the rate, so that new deliveries are not delayed. They pause while 200 deliveries of a shop fail. A request like ' +
      'a running one extends it to deliveries that failed since, and all counted deliveries are sent. Deliveries with the ' +
      'status `delivered` that the running request has processed are neither counted nor sent again. With `dry_run` it only ' +
      'returns 200 and the count.',
  })
  @ApiBody({ type: RedeliverDto, examples: REDELIVERIES })
  @ApiSuccess(RedeliveredDto, { status: 202 })
  @ApiSuccess(RedeliveredDto, { status: 200, description: 'The count, for a request with `dry_run`' })
  @ApiProblems('shop_not_found', 'endpoint_not_found', 'endpoint_not_active', 'validation_failed', 'too_many_requests')
  async redeliver(
    @Body() request: RedeliverDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<RedeliveredDto>> {
    const filter = RedeliverDto.toFilter(request);
    if (!request.dry_run) return success({ count: await this.redeliveries.request(filter, context, owner) });
    void reply.status(200);
    return success({ count: await this.redeliveries.count(filter, owner) });
  }
}
