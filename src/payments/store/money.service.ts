import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Clock } from '../../shared/clock.js';
import { OperationRecords } from './operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from './payments.service.js';
import { StatusWriter } from './status-writer.service.js';
import { needsEarlierReason } from '../money/rules/change.js';
import { decide, decideWaiting, type Decision } from '../money/decide.js';
import type { Fact } from '../money/state/fact.js';
import type { NotificationVerdict } from '../money/state/notification.js';
import type { OperationRow } from '../money/state/operation.js';
import { type Moment, newState, type MoneyState } from '../money/state/state.js';
import { loadMoney } from './load-money.js';
import { MoneyWriter } from './money-writer.service.js';
import { StaleMoney } from './writing.js';

/** The unique constraint of a shop's transaction ids. */
export const TRANSACTION_ID_KEY = 'payments_shop_id_provider_transaction_id_key';

const MAX_TRIES = 5;

/** A fact that was applied, and the payment after it. */
export interface Applied {
  payment: PaymentRow;
  verdict: NotificationVerdict;
  state: MoneyState;
  /** For a request: the operations that the caller must call now, and the refund that was recorded. */
  calls: OperationRow[];
  refundId: number | undefined;
}

/**
 * The only way to change a payment's money: a fact is decided on the state that was read under the payment's lock, and the
 * effects are written in the same transaction. The webhook's lane is notified after the commit.
 */
@Injectable()
export class MoneyService {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly writer: MoneyWriter,
    private readonly statuses: StatusWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Committed when this resolves; `also` runs in the same transaction. Throws `payment_not_found`, and the refusals of
   * `decide`.
   */
  async apply(
    paymentId: number,
    fact: Fact,
    also?: (transaction: Transaction, applied: Applied) => Promise<void>,
  ): Promise<Applied> {
    return this.repeated(() =>
      this.database.transaction(async (transaction) => {
        const applied = await this.applyTo(transaction, await this.payments.lock(transaction, paymentId), fact);
        await also?.(transaction, applied);
        return applied;
      }),
    );
  }

  /** The same in the transaction that has locked the payment. */
  async applyTo(transaction: Transaction, locked: PaymentRow, fact: Fact): Promise<Applied> {
    const state = await loadMoney(transaction, locked, this.clock.now(), fact);
    return this.write(transaction, state, decide(state, fact, this.moment()));
  }

  /** Applies the notifications that wait for the payment, which is locked in the transaction. */
  async retryWaiting(transaction: Transaction, locked: PaymentRow): Promise<PaymentRow> {
    const state = await loadMoney(transaction, locked, this.clock.now());
    return (await this.write(transaction, state, decideWaiting(state, this.moment()))).payment;
  }

  /**
   * Applies the answer to a new charge, to the payment as the caller has just written it. If only its status changes, and nothing else
   * has happened, one statement writes it together with others; otherwise it is decided again under the lock.
   */
  async applyAnswer(known: PaymentRow, fact: Fact): Promise<PaymentRow> {
    const attributes = { 'payment.id': known.id, 'payment.fact': fact.about };
    return tracing.run('payment.change_status', { attributes, links: [known.traceparent] }, async (span) => {
      const payment = (await this.writeKnown(known, fact)) ?? (await this.apply(known.id, fact)).payment;
      span.set({ 'payment.status': payment.status });
      return payment;
    });
  }

  /** The same fact about many payments that the transaction has locked: one statement, except for special cases. */
  async applyToAll(transaction: Transaction, locked: PaymentRow[], fact: Fact): Promise<void> {
    if (locked.length === 0) return;
    const attributes = { 'payment.count': locked.length, 'payment.fact': fact.about };
    const links = locked.map(({ traceparent }) => traceparent);
    await tracing.run('payment.change_statuses', { isRoot: true, attributes, links }, async () => {
      const change = onlyChange(decide(newState(locked[0]!), fact, this.moment()));
      const written = change ? await this.statuses.changeAll(transaction, locked, change) : [];
      for (const [index, payment] of locked.entries()) {
        if (!written[index]) await this.applyTo(transaction, payment, fact);
      }
    });
  }

  private async writeKnown(known: PaymentRow, fact: Fact): Promise<PaymentRow | null> {
    const change = onlyChange(decide(newState(known), fact, this.moment()));
    if (!change || needsEarlierReason(change)) return null;
    try {
      return await this.statuses.change(known, change);
    } catch (error) {
      if (!isUniqueViolation(error, TRANSACTION_ID_KEY)) throw error;
      return null;
    }
  }

  private async write(transaction: Transaction, state: MoneyState, decision: Decision): Promise<Applied> {
    const { effects, verdict, granted } = decision;
    const { payment, idOf } = await this.writer.write(transaction, state, effects);
    const called = granted?.calls.map(({ id }) => idOf(id)) ?? [];
    return {
      ...{ payment, verdict, state: decision.state },
      calls: called.length > 0 ? await this.operations.list(payment.id, transaction, called) : [],
      refundId: granted?.refund === undefined ? undefined : idOf(granted.refund),
    };
  }

  private moment(): Moment {
    return { now: this.clock.now(), chargeLeaseMs: this.operations.chargeLeaseMs };
  }

  /** Decides again if a row was claimed meanwhile, or if another payment got the transaction id: now both are seen. */
  private async repeated(run: () => Promise<Applied>): Promise<Applied> {
    for (let tries = 1; ; tries++) {
      try {
        return await run();
      } catch (error) {
        const isStale = error instanceof StaleMoney || isUniqueViolation(error, TRANSACTION_ID_KEY);
        if (!isStale || tries >= MAX_TRIES) throw error;
      }
    }
  }
}

/** The change of a decision that does nothing else. */
function onlyChange({ effects }: Decision) {
  const [effect] = effects;
  return effects.length === 1 && effect?.do === 'status' ? effect.change : undefined;
}
