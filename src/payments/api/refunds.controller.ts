import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ActorNames } from '../../audit/actor-names.service.js';
import { type AuditContext, CurrentAuditContext } from '../../audit/audit-context.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { IDEMPOTENT_REPLAYED, IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import type { Page } from '../../shared/cursor.js';
import type { RefundRow } from '../money/state/refund.js';
import { ChangesPayment } from './changes-payment.js';
import { PaymentDto } from './payments.dto.js';
import { CreateRefundDto, ListRefundsQueryDto, RefundDto, RefundPaymentDto } from './refunds.dto.js';
import { RefundsService } from './refunds.service.js';

@ApiTags('payments')
@Controller()
export class RefundsController {
  constructor(
    private readonly refunds: RefundsService,
    private readonly names: ActorNames,
  ) {}

  @Post('payments/:id/refund')
  @HttpCode(200)
  @ChangesPayment({
    operationId: 'Payments_refund',
    summary: 'Refund the remaining amount of a completed payment',
    description:
      'Safe to repeat: a payment that is already refunded is returned unchanged. `refund_pending` of the answer is true ' +
      'until the provider reports the outcome of the refund: no other refund is made until then, and a repeat asks the ' +
      'provider for the outcome if it can be asked. If the refund fails, 409 `provider_unconfirmed` gives the reason, and the ' +
      'next request makes a new one. For a part of the amount use `POST /payments/{id}/refunds`.',
    problems: ['illegal_status_change', 'payment_disputed', 'provider_unconfirmed', 'validation_failed'],
  })
  async refundRest(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() request: RefundPaymentDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<PaymentDto>> {
    const payment = await this.refunds.refundRest(principal.merchantId, id, request, context);
    return success(PaymentDto.forScopes(payment, principal.scopes));
  }

  @Post('payments/:id/refunds')
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Create a refund of a payment, or of a part of it',
    description:
      'The answer is the refund after the call of the provider. `pending`: its outcome is reported later, by an event ' +
      '`refund.updated` and by `GET /refunds/{id}`. `failed`: `failure_code` has the reason. Pending and successful refunds ' +
      'together never exceed the captured amount. If they would exceed it together with disputes, 409 `payment_disputed` ' +
      'asks for `confirm: true`. The payment becomes `refunded` when the captured amount is refunded. With an ' +
      '`Idempotency-Key`, a repeat gets the same refund as it is then.',
  })
  @TakesIdempotencyKey()
  @ApiSuccess(RefundDto, { status: 201, headers: IDEMPOTENT_REPLAYED })
  @ApiProblems(
    'payment_not_found',
    'illegal_status_change',
    'refund_exceeds_captured',
    'payment_disputed',
    'provider_unconfirmed',
    'validation_failed',
    'idempotency_key_reused',
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() request: CreateRefundDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentAuditContext() context: AuditContext,
    @IdempotencyKey() idempotencyKey?: string,
  ): Promise<Success<RefundDto>> {
    const { refund, replayed } = await this.refunds.create(principal.merchantId, id, request, context, idempotencyKey);
    if (replayed) void reply.header('Idempotent-Replayed', 'true');
    return success(await this.toDto(principal, refund));
  }

  @Get('payments/:id/refunds')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List refunds of a payment, newest first',
    description: 'Also refunds that were made at the provider. Full refunds that earlier versions made are not listed.',
  })
  @ApiSuccessPage(RefundDto)
  @ApiProblems('payment_not_found')
  async listByPayment(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<RefundDto>> {
    const page = await this.refunds.listByPayment(principal.merchantId, id, PageQueryDto.toPageRequest(query));
    return this.toPage(principal, page);
  }

  @Get('refunds')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List refunds, newest first',
    description: 'Of all payments of the merchant. All given filters must match.',
  })
  @ApiSuccessPage(RefundDto)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListRefundsQueryDto,
  ): Promise<SuccessPage<RefundDto>> {
    const filter = ListRefundsQueryDto.toFilter(query);
    const page = await this.refunds.list(principal.merchantId, filter, PageQueryDto.toPageRequest(query));
    return this.toPage(principal, page);
  }

  @Get('refunds/:id')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Read a refund',
    description: 'As it is now; the amount is in the major unit of the currency.',
  })
  @ApiSuccess(RefundDto)
  @ApiProblems('refund_not_found')
  async find(@CurrentPrincipal() principal: Principal, @IdParam('id') id: number): Promise<Success<RefundDto>> {
    return success(await this.toDto(principal, await this.refunds.find(principal.merchantId, id)));
  }

  private async toDto({ merchantId }: Principal, refund: RefundRow): Promise<RefundDto> {
    return RefundDto.from(refund, await this.names.of(merchantId, [refund.client_id]));
  }

  private async toPage({ merchantId }: Principal, page: Page<RefundRow>): Promise<SuccessPage<RefundDto>> {
    const names = await this.names.of(
      merchantId,
      page.items.map(({ client_id: id }) => id),
    );
    return successPage(page, (row) => RefundDto.from(row, names));
  }
}
