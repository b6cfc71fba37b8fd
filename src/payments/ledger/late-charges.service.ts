import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { Clock } from '../../shared/clock.js';
import type { AttemptEnd } from './attempt.js';
import { OperationRecords } from './operation-records.service.js';
import { MARK_CHARGED_AFTER_END, NOTE_IN_HISTORY, type PaymentRow } from './payment.queries.js';
import type { StatusChange } from './status-change.js';

/**
 * Charges of a payment that has ended or moved to another shop, found by answer, look-up or notification. The reversal
 * is recorded in the same transaction: a refund of a captured charge, a void of an unfinished one. It is tried until
 * the provider confirms it. The payment's status does not change; `payment.late_charge` reports the
 * charge, once per payment.
 */
@Injectable()
export class LateCharges {
  private readonly logger = new Logger(LateCharges.name);
  private readonly counter;
  private readonly mismatches;

  constructor(
    private readonly operations: OperationRecords,
    private readonly clock: Clock,
    providers: ProviderRegistry,
    metrics: Metrics,
  ) {
    this.counter = metrics.counter({
      name: 'payments_charged_after_end_total',
      help: 'Payments that a provider charged after they had ended or moved to another shop; the charge is reversed',
      labels: { provider: providers.names() },
    });
    this.mismatches = metrics.counter({
      name: 'provider_amount_mismatches_total',
      help: 'Charges that a provider reports with an amount or currency other than ours; a person must act',
      labels: { provider: providers.names() },
    });
  }

  /**
   * `payment`: locked, and ended or no longer at the attempt. Repeated calls have no further effect. An authorisation is
   * voided, because no payer was charged. `capturedAmount`: the amount to refund, if not all of the payment's.
   */
  async reverse(
    transaction: Transaction,
    payment: PaymentRow,
    { number: attempt, outcome }: AttemptEnd,
    { authorized, capturedAmount }: Pick<StatusChange, 'authorized' | 'capturedAmount'> = {},
  ): Promise<void> {
    const operations = (await this.operations.list(payment.id, transaction)).filter((row) => row.attempt === attempt);
    const charge = operations.find(({ kind }) => kind === 'charge');
    if (outcome === 'processing') {
      // a late report: the provider has said since then that nothing was charged
      if (charge && charge.next_try_at === null && charge.state === 'refused') return;
      await this.requestReversal(transaction, payment.id, attempt, 'void');
      return;
    }
    const approved = { paymentId: payment.id, attempt, kind: 'charge' } as const;
    await this.operations.close(transaction, approved, { state: 'confirmed', lastAnswer: 'approved' });
    if (authorized) return this.requestReversal(transaction, payment.id, attempt, 'void');
    const charged = { paymentId: payment.id, attempt, kind: 'void' } as const;
    await this.operations.close(transaction, charged, {
      state: 'refused',
      lastAnswer: 'captured',
      reason: 'captured',
    });
    await this.requestReversal(transaction, payment.id, attempt, 'refund', capturedAmount);
    await this.mark(transaction, payment, {
      attempt,
      provider: charge?.provider ?? payment.payment_provider,
      amount: capturedAmount,
    });
  }

  /** Records that the reversal is done. */
  async reversed(transaction: Transaction, payment: Pick<PaymentRow, 'id' | 'status'>): Promise<void> {
    await transaction.query(NOTE_IN_HISTORY, [payment.id, payment.status, 'late_charge_reversed', this.clock.now()]);
  }

  /** Whether the provider reports our amount. If not, the report completes nothing and no further call is made. */
  async hasSameAmount(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    reported: { amount?: string | undefined; currency?: string | undefined },
  ): Promise<boolean> {
    // a person may have settled the payment with what the provider captured
    const isSettled = payment.attempt === attempt && Number(payment.amount_captured) > 0;
    const amounts = [payment.amount, ...(isSettled ? [payment.amount_captured] : [])].map(Number);
    const isSame =
      (reported.amount === undefined || amounts.includes(Number(reported.amount))) &&
      (reported.currency === undefined || reported.currency.toUpperCase() === payment.currency);
    if (isSame) return true;
    const reason = `amount_mismatch: the provider reports ${reported.amount ?? ''} ${reported.currency ?? ''}`;
    await this.operations.stop(transaction, payment.id, attempt, reason);
    this.mismatches.inc({ provider: payment.payment_provider });
    const msg = 'a provider reports another amount or currency than the payment has; check the charge at the provider';
    this.logger.error({ msg, paymentId: payment.id, attempt, provider: payment.payment_provider });
    return false;
  }

  private async requestReversal(
    transaction: Transaction,
    paymentId: number,
    attempt: number,
    kind: 'void' | 'refund',
    amount?: string,
  ): Promise<void> {
    const cause = 'charged_after_end';
    await this.operations.findOrCreate(transaction, { paymentId, attempt, kind, cause, amount, executeNow: false });
  }

  private async mark(
    transaction: Transaction,
    payment: PaymentRow,
    { attempt, provider, amount }: { attempt: number; provider: string; amount: string | undefined },
  ): Promise<void> {
    const values = [payment.id, attempt, provider, amount ?? null];
    const marked = await transaction.query(MARK_CHARGED_AFTER_END, values);
    if (marked.length === 0) return;
    await transaction.query(NOTE_IN_HISTORY, [payment.id, payment.status, 'charged_after_end', this.clock.now()]);
    this.counter.inc({ provider });
    const msg = 'a provider charged a payment that has ended or moved to another shop; the charge is being reversed';
    this.logger.warn({ msg, paymentId: payment.id, attempt, provider });
  }
}
