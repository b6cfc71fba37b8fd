import { Injectable } from '@nestjs/common';
import { amountError, toDecimalText } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { illegalChange } from '../money/rules/request.js';
import { MoneyService } from '../store/money.service.js';
import { OperationRunner, type RunOutcome } from './operation-runner.service.js';
import { ProviderCallsService } from './provider-calls.service.js';

/** Cancels payments before their outcome, and captures authorised ones, once. */
@Injectable()
export class PaymentActionsService {
  constructor(
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
    private readonly runner: OperationRunner,
    private readonly calls: ProviderCallsService,
  ) {}

  /**
   * Cancels a pending payment at once, and records a void that is tried until the provider confirms it. A payment in
   * processing is cancelled only when the provider confirms, and not while it is captured. A cancelled payment is returned unchanged. Throws
   * `payment_not_found`, `illegal_status_change`, `provider_unconfirmed`, `dependency_unavailable`.
   */
  async cancel(merchantId: number, paymentId: number): Promise<PaymentRow> {
    await this.payments.find(merchantId, paymentId);
    const { payment, calls } = await this.money.apply(paymentId, { about: 'request', what: 'cancel' });
    const [operation] = calls;
    if (!operation) return payment;
    if (payment.status === 'cancelled') {
      await this.runner.run(operation).catch(() => undefined); // recovery continues
      return payment;
    }
    requireNoRefusal(await this.runner.run(operation));
    const now = await this.payments.find(merchantId, paymentId);
    if (now.status !== 'cancelled' && now.status !== payment.status) throw illegalChange(now, 'cancelled');
    return now;
  }

  /**
   * Captures `amount`, or all that is authorised. The payment is completed when the provider confirms. Repeats with the
   * same amount, and captures at once, reach the provider under one idempotency key; a captured payment is returned
   * unchanged. Throws `payment_not_found`, `validation_failed`, `illegal_status_change`, `capture_already_made`,
   * `provider_unconfirmed`, `dependency_unavailable`.
   */
  async capture(merchantId: number, paymentId: number, amount: number | undefined): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    const error = amount === undefined ? undefined : amountError(amount, payment.currency);
    if (error) throw invalidField('amount', error);
    const { partialCapture: canCaptureParts } = await this.calls.capabilitiesOf(payment);
    const asked = amount === undefined ? undefined : toDecimalText(amount);
    const fact = { about: 'request', what: 'capture', amount: asked, canCaptureParts } as const;
    const { calls } = await this.money.apply(paymentId, fact);
    for (const operation of calls) requireNoRefusal(await this.runner.run(operation));
    return this.payments.find(merchantId, paymentId);
  }
}

export function requireNoRefusal(outcome: RunOutcome): void {
  if (outcome.outcome === 'unknown') {
    throw new Problem('dependency_unavailable', {
      detail: 'the provider gave no answer; it is asked again until it answers, and repeating the request is safe',
    });
  }
  if (outcome.outcome === 'refused') throw new Problem('provider_unconfirmed', { detail: outcome.reason });
}
