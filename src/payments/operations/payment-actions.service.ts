import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '../../shared/problem.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { type PaymentStatus, stepsTo } from '../ledger/payment-state.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { ProviderCallsService, type ProviderOutcome } from '../authorization/provider-calls.service.js';
import type { ConfirmationAnswer } from '../../providers/provider.js';
import type { StatusChange } from '../ledger/status-change.js';

/** What a merchant may do with a payment afterwards: cancel it before its outcome, refund it after. */
@Injectable()
export class PaymentActionsService {
  private readonly logger = new Logger(PaymentActionsService.name);

  constructor(
    private readonly payments: PaymentsService,
    private readonly providerCalls: ProviderCallsService,
  ) {}

  /**
   * A pending payment is cancelled at once and its provider told afterwards; one in processing only when the provider
   * confirms. Throws `payment_not_found`, `illegal_status_change`, `provider_unconfirmed`, `dependency_unavailable`.
   */
  async cancel(merchantId: number, paymentId: number): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    requireWay(payment, 'cancelled');
    if (payment.status === 'processing') {
      requireConfirmation(await this.providerCalls.cancel(payment));
      return this.change(paymentId, { to: 'cancelled', cause: 'cancel_requested' });
    }
    const cancelled = await this.change(paymentId, { to: 'cancelled', cause: 'cancel_requested' });
    await this.tellProvider(cancelled);
    return cancelled;
  }

  /**
   * Refunds a completed payment in full. Two refunds at once reach the provider under the same idempotency key, and
   * one of them wins. Throws as `cancel` does.
   */
  async refund(merchantId: number, paymentId: number, reason: string | undefined): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    requireWay(payment, 'refunded');
    requireConfirmation(await this.providerCalls.refund(payment, reason));
    return this.change(paymentId, { to: 'refunded', cause: 'refund_requested' });
  }

  private async change(paymentId: number, change: StatusChange): Promise<PaymentRow> {
    const { payment, outcome } = await this.payments.changeStatus(paymentId, change);
    if (outcome !== 'changed') throw illegalChange(payment, change.to); // another change won the race
    return payment;
  }

  /** A provider that took the payment without our knowing (its answer was lost) should let go of it. */
  private async tellProvider(payment: PaymentRow): Promise<void> {
    const outcome = await this.providerCalls.cancel(payment);
    if (outcome.known && outcome.answer.outcome === 'confirmed') return;
    this.logger.warn({ msg: 'the provider did not confirm the cancel of a pending payment', paymentId: payment.id });
  }
}

function requireWay(payment: PaymentRow, to: PaymentStatus): void {
  const steps = stepsTo(payment.status, to);
  if (steps === null || steps.length === 0) throw illegalChange(payment, to);
}

const illegalChange = (payment: PaymentRow, to: PaymentStatus): Problem =>
  new Problem('illegal_status_change', {
    detail: `payment ${payment.id} is ${payment.status} and cannot become ${to}`,
  });

function requireConfirmation(outcome: ProviderOutcome<ConfirmationAnswer>): void {
  if (!outcome.known) {
    throw new Problem('dependency_unavailable', {
      detail: 'the provider gave no answer; the payment is unchanged, and repeating the call is safe',
      headers: { 'retry-after': '5' },
    });
  }
  if (outcome.answer.outcome === 'refused')
    throw new Problem('provider_unconfirmed', { detail: outcome.answer.reason });
}
