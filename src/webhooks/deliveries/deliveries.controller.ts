import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { CurrentOwner, RequireScopes, requireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { type DeliveryId, DeliveryIdParam } from '../lookup/delivery-id-param.js';
import { DeliveryIds } from '../lookup/delivery-ids.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryListService } from './delivery-list.service.js';
import { RedeliverDto, RedeliveredDto, RedeliveryDto, RetryDeliveryDto } from './redelivery.dto.js';
import { RedeliveryJobsService } from './redelivery-jobs.service.js';
import { DeliveryDetailDto, DeliveryDto, ListAllDeliveriesQueryDto } from './webhooks.dto.js';

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
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List deliveries of all shops, newest first',
    description:
      'What `POST /webhooks/redeliver` would find by the same words, and what is pending. With `webhook_endpoint` a page may ' +
      'hold fewer than `limit`, or none, and have a next one.',
  })
  @ApiSuccessPage(DeliveryDto)
  @ApiProblems('shop_not_found', 'validation_failed')
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
    summary: 'List the redeliveries under way',
    description:
      'Requests of `POST /webhooks/redeliver`, and of `POST /webhooks/shop/{shopId}/replay` by status, that workers are carrying ' +
      'out, the latest first. One that is not here any more has put all its deliveries back into the queue.',
  })
  @ApiSuccess([RedeliveryDto])
  async underWay(@CurrentPrincipal() { merchantId }: Principal): Promise<Success<RedeliveryDto[]>> {
    return success((await this.redeliveries.underWay(merchantId)).map((row) => RedeliveryDto.from(row)));
  }

  @Get('deliveries/:id')
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Read a delivery with its body and every attempt',
    description: 'By its `id`, or by the `webhook-id` that its receiver knows.',
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
    summary: 'Deliver now, or again',
    description:
      'Starts a fresh run of the schedule with the same body and `webhook-id`, also of a delivery that succeeded. Of one that ' +
      'is pending the next attempt is pulled forward, unless one is under way at this moment. To send it to another address, ' +
      'which shows its body there, takes the scope `webhooks:read` besides.',
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
    summary: 'Deliver again what a filter finds, a few at a time',
    description:
      'For after an outage. Each delivery gets a fresh run of the schedule, with the same body and `webhook-id`. Workers ' +
      'go through them from the oldest on, as fast as receivers answer while nothing else is to be delivered, and so many a ' +
      'second otherwise that what happens meanwhile is not delayed; they wait while 200 of a shop fail. A request like one that is being carried out adds to it what failed since: what is ' +
      'counted is sent. Of what was delivered, what that one has gone through is neither counted nor sent again. With ' +
      '`dry_run` it answers 200 and the count only.',
  })
  @ApiSuccess(RedeliveredDto, { status: 202 })
  @ApiSuccess(RedeliveredDto, { status: 200, description: 'The count, with `dry_run`' })
  @ApiProblems('shop_not_found', 'validation_failed', 'too_many_requests')
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
