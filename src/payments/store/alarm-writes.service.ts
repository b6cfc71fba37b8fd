import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { MoneyAlarmReason } from '../../shared/alarm.js';
import { Clock } from '../../shared/clock.js';
import { MARK_CHARGED_AFTER_END, NOTE_IN_HISTORY } from './payment.queries.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { ChangeCause } from '../money/state/payment-state.js';
import { INSERT_ALARM } from './notification.queries.js';
import type { Of, Writing } from './writing.js';

/** Writes what a person must see: contradictions, and charges that came after the end. */
@Injectable()
export class AlarmWrites {
  private readonly logger = new Logger(AlarmWrites.name);
  private readonly lateCharges;
  private readonly mismatches;

  constructor(
    private readonly clock: Clock,
    private readonly paymentMetrics: PaymentMetrics,
    providers: ProviderRegistry,
    metrics: Metrics,
  ) {
    const labels = { provider: providers.names() };
    this.lateCharges = metrics.counter({
      name: 'payments_charged_after_end_total',
      help: 'Payments that a provider charged after they had ended or moved to another shop; the charge is reversed',
      labels,
    });
    this.mismatches = metrics.counter({
      name: 'provider_amount_mismatches_total',
      help: 'Charges that a provider reports with an amount or currency other than ours; a person must act',
      labels,
    });
  }

  async lateCharge(writing: Writing, { attempt, provider, amount }: Of<'late_charge'>): Promise<void> {
    const { transaction, payment } = writing;
    await transaction.query(MARK_CHARGED_AFTER_END, [payment.id, attempt, provider, amount ?? null]);
    await this.note(writing, 'charged_after_end');
    writing.payment = { ...payment, charged_after_end: true };
    transaction.onCommit(() => this.lateCharges.inc({ provider }));
    const msg = 'a provider charged a payment that has ended or moved to another shop; the charge is being reversed';
    this.logger.warn({ msg, paymentId: payment.id, attempt, provider });
  }

  /** An alarm that no notification brought is stored like one that a notification did. */
  async alarm(writing: Writing, { reason, attempt, key, event, amount: found }: Of<'alarm'>): Promise<void> {
    const { transaction, payment, state } = writing;
    const provider = event?.provider ?? writing.providerOf(attempt);
    if (event === null) {
      const row = state.attempts.find(({ number }) => number === attempt);
      const id = `found_${row?.reference ?? payment.id}_${key.replaceAll(' ', '_')}`;
      const values = [payment.id, attempt, id, STATUS_OF_ALARM[reason], reason, this.clock.now(), found ?? null];
      const stored = await transaction.query(INSERT_ALARM, values);
      if (stored.length === 0) return;
    }
    transaction.onCommit(() => this.paymentMetrics.alarmed(provider, reason));
    const msg = 'what a provider says contradicts the payment; check the payment at the provider';
    const { status, amount, currency, operationId } = event ?? {};
    this.logger.error({ msg, paymentId: payment.id, attempt, reason, status, amount, currency, operationId });
  }

  amountMismatch(writing: Writing, { attempt }: Of<'amount_mismatch'>): void {
    const provider = writing.providerOf(attempt);
    writing.transaction.onCommit(() => this.mismatches.inc({ provider }));
    const msg = 'a provider reports another amount or currency than the payment has; check the charge at the provider';
    this.logger.error({ msg, paymentId: writing.payment.id, attempt, provider });
  }

  async note({ transaction, payment }: Writing, cause: ChangeCause): Promise<void> {
    await transaction.query(NOTE_IN_HISTORY, [payment.id, payment.status, cause, this.clock.now()]);
  }
}

const STATUS_OF_ALARM: Readonly<Record<MoneyAlarmReason, string>> = {
  amount_differs: 'completed',
  other_refund: 'refunded',
  void_failed: 'void_failed',
  refund_failed: 'refund_failed',
  capture_failed: 'cancelled',
};
