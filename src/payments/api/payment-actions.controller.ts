import { Body, Controller, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ActorNames } from '../../audit/actor-names.service.js';
import { type AuditContext, CurrentAuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { IdempotencyKey } from '../../platform/http/idempotency-key.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { ChangesPayment } from './changes-payment.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { PaymentDto } from './payments.dto.js';
import { PaymentsService } from '../store/payments.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentActionsService } from './payment-actions.service.js';
import { NextActions } from './next-actions.service.js';
import { PaymentOperationDto, SettleOperationDto } from './payment-operations.dto.js';
import { Settlements } from './settlements.service.js';
import { CapturePaymentDto, CompleteNextActionDto, UpdatePaymentDto } from './payment-actions.dto.js';

const INVOICED = { summary: 'With an invoice', value: { metadata: { order_id: 'A-1001', invoice: 'R-1' } } };

const SETTLEMENTS = {
  captured: {
    summary: 'The provider charged the payer',
    value: { outcome: 'captured', reason: 'The dashboard shows the charge as paid' },
  },
};

@ApiTags('payments')
@Controller('payments/:id')
export class PaymentActionsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly actions: PaymentActionsService,
    private readonly nextActions: NextActions,
    private readonly settlements: Settlements,
    private readonly idempotency: IdempotencyService,
    private readonly names: ActorNames,
  ) {}

  @Post('sync')
  @HttpCode(200)
  @ChangesPayment({
    operationId: 'Payments_sync',
    summary: 'Ask the provider now for the outcome of a payment',
    description:
      'Asks about every open operation; otherwise recovery asks about them periodically. Returns the payment after that; ' +
      'a payment without open operations is returned unchanged.',
  })
  async sync(@CurrentPrincipal() principal: Principal, @IdParam('id') id: number): Promise<Success<PaymentDto>> {
    return success(PaymentDto.forScopes(await this.actions.sync(principal.merchantId, id), principal.scopes));
  }

  @Post('cancel')
  @HttpCode(200)
  @ChangesPayment({
    operationId: 'Payments_cancel',
    summary: 'Cancel a payment that is pending, or processing if its provider confirms',
    description:
      'Releases an authorisation, unless it is being captured. Safe to repeat: a payment that is already cancelled is returned unchanged.',
    takesKey: true,
    problems: ['illegal_status_change', 'provider_unconfirmed'],
  })
  cancel(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentAuditContext() context: AuditContext,
    @IdempotencyKey() key?: string,
  ): Promise<Success<PaymentDto>> {
    const work = () => this.actions.cancel(principal.merchantId, id, context);
    return this.once(principal, id, { key, request: { cancel: id }, reply }, work);
  }

  @Post('capture')
  @HttpCode(200)
  @ChangesPayment({
    operationId: 'Captures_capture',
    summary: 'Capture an authorised payment',
    description:
      'For a payment with `capture: "manual"` and `amount_authorized` above 0. The payment is `completed` when the provider ' +
      'confirms, and the rest of the authorisation is released. One capture is possible: a repeat with the same amount ' +
      'returns the payment, another amount (also none, after a part) is refused with `capture_already_made`. If the provider refuses the capture, ' +
      '409 `provider_unconfirmed` gives the reason.',
    takesKey: true,
    problems: ['illegal_status_change', 'capture_already_made', 'provider_unconfirmed', 'validation_failed'],
  })
  capture(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() { amount }: CapturePaymentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentAuditContext() context: AuditContext,
    @IdempotencyKey() key?: string,
  ): Promise<Success<PaymentDto>> {
    const work = () => this.actions.capture(principal.merchantId, id, amount, context);
    return this.once(principal, id, { key, request: { capture: id, amount }, reply }, work);
  }

  @Patch()
  @ChangesPayment({
    operationId: 'PaymentMetadata_update',
    summary: 'Replace the metadata of a payment',
    description:
      'Searches and lists find the payment by the new values. Later webhooks have them; earlier ones keep the old.',
    problems: ['customer_erased', 'validation_failed'],
  })
  @ApiBody({ type: UpdatePaymentDto, examples: { invoiced: INVOICED } })
  async update(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() { metadata }: UpdatePaymentDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<PaymentDto>> {
    const payment = await this.actions.replaceMetadata(principal, id, metadata, context);
    return success(PaymentDto.forScopes(payment, principal.scopes));
  }

  @Post('next-action')
  @HttpCode(200)
  @RequireScopes('payments:write')
  @ApiOperation({
    operationId: 'NextActions_complete',
    summary: "Complete the payer's step in your page",
    description:
      "For a payment whose `next_action` is a `provider_action`. Hands in what the provider's script answered, and returns " +
      'the payment: with its outcome, or with a further `next_action`. A repeat is safe, and a payment that has its outcome is ' +
      'returned unchanged. Without the scope `payments:read` the answer has only the `id` of the customer, and no ' +
      'metadata and webhook address.',
  })
  @ApiSuccess(PaymentDto)
  @ApiProblems('payment_not_found', 'no_next_action', 'validation_failed')
  async completeNextAction(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() { data }: CompleteNextActionDto,
  ): Promise<Success<PaymentDto>> {
    const payment = await this.nextActions.complete(principal.merchantId, id, data);
    return success({ ...PaymentDto.forScopes(payment, principal.scopes), next_action: payment.next_action });
  }

  @Post('operations/:operationId/settle')
  @HttpCode(200)
  @RequireScopes('payments:settle')
  @ApiOperation({
    operationId: 'Settlements_settle',
    summary: 'Settle an operation by hand whose outcome the provider cannot tell',
    description:
      'For an operation that recovery has stopped or cannot finish: look at the transaction at the provider first. The ' +
      'payment follows with the cause `settled_by_operator` and its webhook; a refund follows its operation; the audit log ' +
      'gets the outcome, the amount and the reason. Outcomes of a charge, capture or void: `captured`, `not_captured`, ' +
      '`voided`, `refunded`. Of a refund: `refunded`, `not_refunded`; if it reverses a late charge: `refunded`. A charge that ' +
      'was captured after the end of its payment is refunded by the service. 409 `operation_under_way`: a call is being made ' +
      'now. 409 `settle_contradicts_provider`: the provider reports another outcome; the same request with ' +
      '`confirm: true` settles anyway. So does 409 `settle_exceeds_operation`: the amount is larger than that of the ' +
      'operation. `detail` names both if both are so. The amount is never larger than what was authorised or asked. With ' +
      '`FLOW_ACTIVATION_APPROVALS=1` such a request is kept and gets 409 `settle_approval_required`, until another client ' +
      'sends it as well.',
  })
  @ApiBody({ type: SettleOperationDto, examples: SETTLEMENTS })
  @ApiSuccess(PaymentOperationDto)
  @ApiProblems(
    'payment_not_found',
    'operation_not_found',
    'operation_closed',
    'operation_under_way',
    'settle_contradicts_provider',
    'settle_exceeds_operation',
    'settle_approval_required',
    'transaction_id_taken',
    'illegal_status_change',
    'validation_failed',
  )
  async settle(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') paymentId: number,
    @IdParam('operationId') operationId: number,
    @Body() request: SettleOperationDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<PaymentOperationDto>> {
    const operation = await this.settlements.settle({ merchantId, context }, { paymentId, operationId }, request);
    const names = await this.names.of(merchantId, [operation.requested_by]);
    return success(PaymentOperationDto.from(operation, names));
  }

  private async once(
    principal: Principal,
    id: number,
    { key, request, reply }: { key: string | undefined; request: object; reply: FastifyReply },
    work: () => Promise<PaymentRow>,
  ): Promise<Success<PaymentDto>> {
    const repeat = () => this.payments.find(principal.merchantId, id);
    const { result, replayed } = await this.idempotency.once(principal, key, request, { work, repeat });
    if (replayed) void reply.header('Idempotent-Replayed', 'true');
    return success(PaymentDto.forScopes(result, principal.scopes));
  }
}
