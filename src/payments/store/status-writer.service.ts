import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Batcher } from '../../shared/batcher.js';
import { Clock } from '../../shared/clock.js';
import { ShopOutcomesService } from '../../shops/shop-outcomes.service.js';
import { LaneNotifier } from '../../webhooks/outbox/lane-notifier.js';
import { BODY_START } from '../../webhooks/outbox/webhook-body.js';
import { type AttemptEnd, shopOutcome } from '../money/state/attempt.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { GROUPED_WRITES } from '../../platform/database/writes.js';
import { END_ATTEMPT } from './payment.queries.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentRow } from '../money/state/payment.js';
import { statusBodyOf } from './status-bodies.service.js';
import { statesAfter, type StatusChange } from '../money/state/status-change.js';
import {
  type Change,
  valuesOfChange,
  valuesOfChanges,
  WRITE_LOCKED_STATUS,
  WRITE_STATUS,
  WRITE_STATUSES,
  type WrittenRow,
} from './status-writes.queries.js';

interface PlannedChange extends Change {
  after: PaymentRow;
  /** The outcome of the payment's attempt. */
  end: AttemptEnd | undefined;
}

/**
 * Writes ends of attempts, and changes of status of payments that the caller has read, many in one statement
 * (docs/decisions/017-group-commit.md). The next state is computed from the known row, and written only if the row
 * has not changed. The change is counted and its webhook's lane is notified after the commit: an earlier notice would
 * make a worker find nothing. If the process dies between the two, the reconciler finds the delivery.
 */
@Injectable()
export class StatusWriter {
  private readonly batcher = new Batcher<PlannedChange, boolean>((changes) => this.write(changes), GROUPED_WRITES);

  constructor(
    private readonly database: Database,
    private readonly outcomes: ShopOutcomesService,
    private readonly clock: Clock,
    private readonly metrics: PaymentMetrics,
    private readonly notifier: LaneNotifier,
  ) {}

  /**
   * The payment after the change, committed. `null`: nothing was written, because the decision needs the lock on the
   * payment's row: the row has changed, another transaction has locked it, nothing changes, or the outcome is the
   * shop's fault.
   */
  async change(known: PaymentRow, change: StatusChange): Promise<PaymentRow | null> {
    const plan = planned(known, change, this.clock.now());
    return plan && (await this.batcher.add(plan)) ? plan.after : null;
  }

  /**
   * Writes the states that `statesAfter` computed from the row that the caller has locked. Returns the payment. A fault
   * of the shop is counted last, so that the lock on the shop's outcomes is held only for the commit.
   */
  async writeLocked(
    transaction: Transaction,
    locked: PaymentRow,
    states: PaymentRow[],
    change: StatusChange,
  ): Promise<PaymentRow> {
    const plan = planOf(locked, states, change);
    const [written] = await this.write([plan], transaction, WRITE_LOCKED_STATUS);
    if (!written) throw new Error(`payment ${locked.id} was changed under its lock`);
    if (change.end && shopOutcome(change.end) === 'failed') {
      await this.outcomes.record(transaction, locked.shop_id, 'failed');
    }
    return plan.after;
  }

  /** The same change of many payments in the caller's transaction. Returns the result of {@link change} for each. */
  async changeAll(transaction: Transaction, known: PaymentRow[], change: StatusChange): Promise<(PaymentRow | null)[]> {
    const now = this.clock.now();
    const plans = known.map((payment) => planned(payment, change, now));
    const writable = plans.filter((plan) => plan !== null);
    if (writable.length === 0) return plans.map(() => null);
    const results = await this.write(writable, transaction);
    const written = new Set(writable.filter((_, index) => results[index]));
    return plans.map((plan) => (plan && written.has(plan) ? plan.after : null));
  }

  /** Records the outcome of an attempt if nothing else changes, once. */
  async endAttempt(
    transaction: Transaction,
    payment: PaymentRow,
    end: AttemptEnd,
    transactionId?: string,
  ): Promise<void> {
    const { number, outcome, declineCode, card = null } = end;
    const values = [payment.id, number, outcome, declineCode, transactionId ?? null, this.clock.now(), card];
    if ((await transaction.query(END_ATTEMPT, values)).length > 0) await this.countEnd(transaction, payment, end);
  }

  /** Counts an outcome, and counts it for the shop if it is the shop's. `payment`: as it was at that attempt. */
  async countEnd(
    transaction: Transaction,
    { shop_id: shopId, payment_provider: provider }: PaymentRow,
    end: AttemptEnd,
  ): Promise<void> {
    const outcome = shopOutcome(end);
    if (outcome !== null) await this.outcomes.record(transaction, shopId, outcome);
    transaction.onCommit(() => this.metrics.ended(provider, end));
  }

  /** Whether each change was written: in the transaction, or committed if there is none. `single`: writes the only change. */
  private async write(changes: PlannedChange[], transaction?: Transaction, single = WRITE_STATUS): Promise<boolean[]> {
    // a second change of the same payment needs the lock
    const byPayment = new Map<number, PlannedChange>();
    for (const change of changes) if (!byPayment.has(change.write.id)) byPayment.set(change.write.id, change);
    const { minute, coolDownBefore } = this.outcomes.countingNow();
    const [only, ...others] = byPayment.values();
    const isSingle = only && others.length === 0;
    const values = isSingle ? valuesOfChange(only) : valuesOfChanges([...byPayment.values()]);
    const rows = await (transaction ?? this.database).query<WrittenRow>(isSingle ? single : WRITE_STATUSES, [
      minute,
      coolDownBefore,
      ...values,
    ]);
    const written = new Set(rows.map(({ id }) => byPayment.get(id)!));
    const laneIds = new Set(rows.flatMap(({ lane_ids: lanes }) => lanes));
    if (transaction) {
      transaction.onCommit(() => this.afterCommit(written, laneIds));
      await this.outcomes.endOutages(transaction, rows);
    } else {
      this.afterCommit(written, laneIds);
      // the change is committed: if this fails, the next success ends the outages
      await this.outcomes.endOutages(this.database, rows).catch(() => undefined);
    }
    return changes.map((change) => written.has(change));
  }

  private afterCommit(written: Iterable<PlannedChange>, laneIds: Set<number>): void {
    for (const { after, steps, end } of written) {
      for (const { to_status: status } of steps) this.metrics.entered(status);
      if (end) this.metrics.ended(after.payment_provider, end);
    }
    this.notifier.notify(laneIds);
  }
}

/** `null`: the decision needs the payment's lock. */
function planned(known: PaymentRow, change: StatusChange, now: Date): PlannedChange | null {
  const states = statesAfter(known, change, now);
  const isFault = change.end !== undefined && shopOutcome(change.end) === 'failed';
  return typeof states === 'string' || isFault ? null : planOf(known, states, change);
}

function planOf(known: PaymentRow, states: PaymentRow[], change: StatusChange): PlannedChange {
  const counted = change.end ? shopOutcome(change.end) : null;
  const after = states.at(-1)!;
  const traceparent = tracing.traceparent() ?? null;
  return {
    after,
    end: change.end,
    write: {
      id: known.id,
      known_status: known.status,
      known_attempt: known.attempt,
      known_updated_at: known.updated_at.toISOString(),
      status: after.status,
      updated_at: after.updated_at.toISOString(),
      provider_metadata: JSON.stringify(after.provider_metadata),
      provider_transaction_id: after.provider_transaction_id,
      amount_authorized: after.amount_authorized,
      amount_captured: after.amount_captured,
      amount_refunded: after.amount_refunded,
      capture_before: after.capture_before?.toISOString() ?? null,
      next_action: after.next_action && JSON.stringify(after.next_action),
      attempt: change.end?.number ?? null,
      attempt_outcome: change.end?.outcome ?? null,
      decline_code: change.end?.declineCode ?? null,
      card: change.end?.card ?? null,
      shop_outcome: counted === 'failed' ? null : counted,
    },
    steps: states.map((state, index) => ({
      from_status: (states[index - 1] ?? known).status,
      to_status: state.status,
      cause: change.cause,
      at: state.updated_at.toISOString(),
      body: statusBodyOf(state, change.originalWebhook).slice(BODY_START.length),
      traceparent,
    })),
  };
}
