import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PaymentDecisionDto } from '../flows/routing/decision-trace.dto.js';
import { ActorNames } from '../audit/actor-names.service.js';
import { RequireScopes, CurrentPrincipal, type Principal } from '../access/access.js';
import { TakesReadSlot } from '../access/read-slots.js';
import { ApiProblems } from '../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../platform/http/routes.js';
import { IdParam } from '../platform/http/validation/id-param.js';
import { PageQueryDto } from '../platform/http/validation/page-query.dto.js';
import { EndpointPolicy } from '../webhooks/outbox/endpoint-policy.service.js';
import { CreatePaymentDto } from './creation/create-payment.dto.js';
import { IDEMPOTENT_REPLAYED, IdempotencyKey, TakesIdempotencyKey } from '../platform/http/idempotency-key.js';
import { ListPaymentsQueryDto } from './listing/list-payments.dto.js';
import { PaymentLists } from './listing/payment-lists.service.js';
import { CreatePaymentService } from './creation/create-payment.service.js';
import { PaymentAttemptDto, PaymentDto, StatusChangeDto } from './api/payments.dto.js';
import { PaymentOperationDto } from './api/payment-operations.dto.js';
import { OperationRecords } from './store/operation-records.service.js';
import { PaymentsService } from './store/payments.service.js';
import { looksAt } from '../platform/http/walked-page.js';

const NEW_PAYMENTS = {
  paid: {
    summary: 'Paid at once, with webhooks',
    value: {
      flow_name: 'checkout',
      amount: 49.9,
      currency: 'EUR',
      country: 'DE',
      customer: { reference: 'user-4711', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
      webhook_endpoint: 'https://merchant.example/webhooks',
      metadata: { order_id: 'A-1001' },
      payment_method: { token: 'tok_success' },
    },
  },
  later: {
    summary: 'Processing first; the provider reports the payment within two seconds',
    value: { flow_name: 'checkout', amount: 49.9, currency: 'EUR', payment_method: { token: 'tok_async_success' } },
  },
  redirected: {
    summary: 'The payer decides on a page of the provider (`next_action`)',
    value: {
      flow_name: 'checkout',
      amount: 49.9,
      currency: 'EUR',
      return_url: 'https://merchant.example/checkout/A-1001',
      payment_method: { token: 'tok_requires_action' },
    },
  },
  authorized: {
    summary: 'Authorised only; captured later by `POST /payments/{id}/capture`',
    value: {
      flow_name: 'checkout',
      amount: 49.9,
      currency: 'EUR',
      capture: 'manual',
      payment_method: { token: 'tok_success' },
    },
  },
  declined: {
    summary: 'Declined',
    value: { flow_name: 'checkout', amount: 49.9, currency: 'EUR', payment_method: { token: 'tok_decline' } },
  },
};

@ApiTags('payments')
@Controller('payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly lists: PaymentLists,
    private readonly creation: CreatePaymentService,
    private readonly records: OperationRecords,
    private readonly endpoints: EndpointPolicy,
    private readonly names: ActorNames,
  ) {}

  @Post()
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Create a payment',
    description:
      'Routes the payment through the flow, sends it to the provider of the chosen shop and returns the payment. ' +
      'If the provider gives no answer in time, the payment stays pending. If it declines softly or is unavailable, the ' +
      "next shop is tried, up to the flow's max_attempts. Without the scope `payments:read` the answer contains only the " +
      '`id` of a known customer and the customer fields of this request. In that case neither `customer_id` nor ' +
      '`customer.reference` is allowed with a `webhook_endpoint`, because the webhook contains the whole customer.',
  })
  @TakesIdempotencyKey()
  @ApiBody({ type: CreatePaymentDto, examples: NEW_PAYMENTS })
  @ApiSuccess(PaymentDto, { status: 201, headers: IDEMPOTENT_REPLAYED })
  @ApiProblems(
    'flow_not_found',
    'customer_not_found',
    'customer_erased',
    'payment_method_not_found',
    'no_available_shop',
    'payment_session_used',
    'idempotency_key_in_flight',
    'validation_failed',
    'idempotency_key_reused',
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() request: CreatePaymentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() idempotencyKey?: string,
  ): Promise<string> {
    if (request.webhook_endpoint !== undefined) this.endpoints.require(request.webhook_endpoint);
    const { body, replayed, paymentId } = await this.creation.create(principal, request, idempotencyKey);
    reply.request.madeIds = { paymentId };
    void reply.type('application/json; charset=utf-8');
    if (replayed) void reply.header('Idempotent-Replayed', 'true');
    return body;
  }

  @Get()
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List payments, newest first',
    description: looksAt('payments', 'With `search` or several filters'),
  })
  @ApiSuccessPage(PaymentDto)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListPaymentsQueryDto,
  ): Promise<SuccessPage<PaymentDto>> {
    const { merchantId } = principal;
    const filter = ListPaymentsQueryDto.toFilter(query);
    const lapses = ListPaymentsQueryDto.toLapses(query);
    const page = lapses
      ? await this.lists.listLapsing(merchantId, filter, lapses, PageQueryDto.toDeadlineRequest(query))
      : await this.lists.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => PaymentDto.from(row));
  }

  @Get(':id')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Read a payment',
    description: 'As it is now; amounts are in the major unit of the currency.',
  })
  @ApiSuccess(PaymentDto)
  @ApiProblems('payment_not_found')
  async find(@CurrentPrincipal() principal: Principal, @IdParam('id') id: number): Promise<Success<PaymentDto>> {
    return success(PaymentDto.from(await this.payments.find(principal.merchantId, id)));
  }

  @Get(':id/history')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Every change of status of a payment, oldest first',
    description: 'Each with the status before and after, the cause and the time. Not divided into pages.',
  })
  @ApiSuccess([StatusChangeDto])
  @ApiProblems('payment_not_found')
  async history(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<StatusChangeDto[]>> {
    const changes = await this.payments.history(principal.merchantId, id);
    return success(changes.map((change) => StatusChangeDto.from(change)));
  }

  @Get(':id/attempts')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Every attempt of a payment with a shop, in order',
    description:
      'The next shop of the decision is tried if a shop declined the payment softly or certainly did not charge it, up to ' +
      "the flow's max_attempts. An attempt without an outcome, or with `unknown`, may have been charged and is never " +
      'followed by another.',
  })
  @ApiSuccess([PaymentAttemptDto])
  @ApiProblems('payment_not_found')
  async attempts(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<PaymentAttemptDto[]>> {
    const attempts = await this.payments.attemptsOf(principal.merchantId, id);
    return success(attempts.map((attempt) => PaymentAttemptDto.from(attempt)));
  }

  @Get(':id/operations')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Every request to providers for a payment, in order',
    description:
      'Each charge, capture, void and refund is recorded before its call, and is tried for three days until its outcome is known. ' +
      'An open operation with `next_try_at: null` is not tried again: check the payment at its provider, or sync it.',
  })
  @ApiSuccess([PaymentOperationDto])
  @ApiProblems('payment_not_found')
  async operations(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<PaymentOperationDto[]>> {
    await this.payments.find(principal.merchantId, id);
    const operations = await this.records.list(id);
    const names = await this.names.of(
      principal.merchantId,
      operations.map(({ requested_by: by }) => by),
    );
    return success(operations.map((operation) => PaymentOperationDto.from(operation, names)));
  }

  @Get(':id/decision')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Why a payment went to its shop',
    description:
      'The decision at the creation of the payment: the tests that each shop failed, the values that the strategy used, ' +
      'and the order in which other shops would have been tried.',
  })
  @ApiSuccess(PaymentDecisionDto, {
    nullable: true,
    description: 'Success; `null` if none was stored with the payment',
  })
  @ApiProblems('payment_not_found')
  async decision(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<PaymentDecisionDto | null>> {
    return success(await this.payments.decision(principal.merchantId, id));
  }
}
