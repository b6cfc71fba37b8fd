import { Injectable } from '@nestjs/common';
import type { RuleDecline } from '@payment-orchestrator/routing/definition/definition';
import { Database } from '../../platform/database/database.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { PaymentRow } from '../money/state/payment.js';
import { MoneyService } from '../store/money.service.js';
import type { EndFact } from '../money/state/fact.js';
import { type NewPayment, PaymentRecorder } from './payment-recorder.service.js';

/**
 * Payments that a rule of their flow declines (docs/decisions/085-declines-by-rule.md). Each is created and failed in one
 * transaction: no other process ever sees it pending, so a crash leaves nothing to recover.
 */
@Injectable()
export class DeclinedPayments {
  constructor(
    private readonly database: Database,
    private readonly records: PaymentRecorder,
    private readonly money: MoneyService,
  ) {}

  /** Returns the failed payment, committed. Throws `idempotency_key_in_flight` if its key was lost meanwhile. */
  record(payment: NewPayment, decline: RuleDecline): Promise<PaymentRow> {
    return tracing.run('payment.insert', {}, async (span) => {
      const laneId = await this.records.laneOf(payment);
      const failed = await this.database.transaction(async (transaction) => {
        const recorded = await this.records.insertDeclined(transaction, payment, laneId);
        return (await this.money.applyTo(transaction, recorded, factOf(decline))).payment;
      });
      span.set({ 'payment.id': failed.id });
      return failed;
    });
  }
}

/** The code is where a provider's decline code would be. */
const factOf = ({ code, message }: RuleDecline): EndFact => ({
  about: 'end',
  to: 'failed',
  cause: 'declined_by_rule',
  metadata: { decline_code: code, ...(message !== undefined && { decline_message: message }) },
});
