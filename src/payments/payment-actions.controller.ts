import { Body, Controller, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, type Principal } from '../access/access.js';
import { type AuditContext, CurrentAuditContext } from '../audit/audit-context.js';
import { IdempotencyKey } from '../platform/http/idempotency-key.js';
import { success, type Success } from '../platform/http/routes.js';
import { IdParam } from '../platform/http/validation/id-param.js';
import { ChangesPayment } from './ledger/changes-payment.js';
import { IdempotencyService } from '../platform/idempotency/idempotency.service.js';
import { PaymentDto } from './ledger/payments.dto.js';
import { PaymentsService } from './ledger/payments.service.js';
import type { PaymentRow } from './money/state/payment.js';
import { PaymentActionsService } from './operations/payment-actions.service.js';
import { PaymentSync } from './operations/payment-sync.service.js';
import { CapturePaymentDto, UpdatePaymentDto } from './payment-actions.dto.js';
import { PaymentMetadata } from './payment-metadata.service.js';

const INVOICED = { summary: 'With an invoice', value: { metadata: { order_id: 'A-1001', invoice: 'R-1' } } };

@ApiTags('payments')
@Controller('payments/:id')
export class PaymentActionsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly actions: PaymentActionsService,
    private readonly synchronization: PaymentSync,
    private readonly metadata: PaymentMetadata,
    private readonly idempotency: IdempotencyService,
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
    return success(PaymentDto.forScopes(await this.synchronization.sync(principal.merchantId, id), principal.scopes));
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
    @IdempotencyKey() key?: string,
  ): Promise<Success<PaymentDto>> {
    const work = () => this.actions.cancel(principal.merchantId, id);
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
    @IdempotencyKey() key?: string,
  ): Promise<Success<PaymentDto>> {
    const work = () => this.actions.capture(principal.merchantId, id, amount);
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
    const payment = await this.metadata.replace(principal, id, metadata, context);
    return success(PaymentDto.forScopes(payment, principal.scopes));
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
