import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../platform/database/database.js';
import { Batcher } from '../../shared/batcher.js';
import { Clock } from '../../shared/clock.js';
import { ShopOutcomesService } from '../../shops/shop-outcomes.service.js';
import { type AttemptEnd, shopOutcome } from './attempt.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { GROUPED_WRITES } from '../../platform/database/writes.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentRow } from './payment.queries.js';
import { webhookBodyOf } from './payment-webhook.js';
import { statesAfter, type StatusChange } from './status-change.js';
import { type Change, valuesOfChanges, WRITE_STATUSES, type WrittenRow } from './status-writes.queries.js';

interface PlannedChange extends Change {
  after: PaymentRow;
  /** What became of the payment's attempt. */
  end: AttemptEnd | undefined;
}

/**
 * Writes changes of status of payments that the caller knows, many in one statement (docs/decisions/017-grouped-writes.md).
 * What a change comes to is computed from the known row, and written only where the row is still that one.
 */
@Injectable()
export class StatusWriter {
  private readonly batcher = new Batcher<PlannedChange, boolean>(
    (changes) => this.write(this.database, changes),
    GROUPED_WRITES,
  );

  constructor(
    private readonly database: Database,
    private readonly outcomes: ShopOutcomesService,
    private readonly clock: Clock,
    private readonly metrics: PaymentMetrics,
  ) {}

  /**
   * The payment after the change, committed; `null` when nothing was written because it takes the lock on the payment's
   * row to decide: it is no longer as known, somebody else has locked it, the change is none, or its outcome is a fault of
   * the shop's.
   */
  async change(known: PaymentRow, change: StatusChange): Promise<PaymentRow | null> {
    const plan = planned(known, change, this.clock.now());
    if (!plan || !(await this.batcher.add(plan))) return null;
    this.count(plan);
    return plan.after;
  }

  /**
   * The payment after these states, which `statesAfter` made of the row that the caller has locked. A fault of the shop's
   * is counted beside it, last, so that the lock on the shop's outcomes is held for the commit alone.
   */
  async writeLocked(
    transaction: Transaction,
    locked: PaymentRow,
    states: PaymentRow[],
    change: StatusChange,
  ): Promise<PaymentRow> {
    const plan = planOf(locked, states, change, true);
    const { after } = plan;
    const rows = await this.run(transaction, [plan]);
    if (rows.length === 0) throw new Error(`payment ${locked.id} was changed under its lock`);
    transaction.onCommit(() => this.count(plan));
    await this.outcomes.endOutages(transaction, rows);
    if (change.end && shopOutcome(change.end) === 'failed') {
      await this.outcomes.record(transaction, locked.shop_id, 'failed');
    }
    return after;
  }

  /** The same change of many payments in the caller's transaction; what `change` would answer for each. */
  async changeAll(transaction: Transaction, known: PaymentRow[], change: StatusChange): Promise<(PaymentRow | null)[]> {
    const now = this.clock.now();
    const plans = known.map((payment) => planned(payment, change, now));
    const writable = plans.filter((plan) => plan !== null);
    if (writable.length === 0) return plans.map(() => null);
    const results = await this.write(transaction, writable);
    const written = new Set(writable.filter((_, index) => results[index]));
    transaction.onCommit(() => written.forEach((plan) => this.count(plan)));
    return plans.map((plan) => (plan && written.has(plan) ? plan.after : null));
  }

  private count({ after, steps, end }: PlannedChange): void {
    for (const { to_status: status } of steps) this.metrics.entered(status);
    if (end) this.metrics.ended(after.payment_provider, end);
  }

  private async write(on: Queryable, changes: PlannedChange[]): Promise<boolean[]> {
    // of two changes of one payment the second one takes the lock
    const byPayment = new Map<number, PlannedChange>();
    for (const change of changes) if (!byPayment.has(change.write.id)) byPayment.set(change.write.id, change);
    const rows = await this.run(on, [...byPayment.values()]);
    const ending = this.outcomes.endOutages(on, rows);
    // what is committed stays so, whatever comes of this: the next success ends them
    await (on === this.database ? ending.catch(() => undefined) : ending);
    const written = new Set(rows.map(({ id }) => id));
    return changes.map((change) => byPayment.get(change.write.id) === change && written.has(change.write.id));
  }

  private run(on: Queryable, changes: PlannedChange[]): Promise<WrittenRow[]> {
    const { minute, coolDownBefore } = this.outcomes.countingNow();
    return on.query<WrittenRow>(WRITE_STATUSES, [minute, coolDownBefore, ...valuesOfChanges(changes)]);
  }
}

/** `null`: it takes a look under the payment's lock. */
function planned(known: PaymentRow, change: StatusChange, now: Date): PlannedChange | null {
  const states = statesAfter(known, change, now);
  const isFault = change.end !== undefined && shopOutcome(change.end) === 'failed';
  return typeof states === 'string' || isFault ? null : planOf(known, states, change, false);
}

function planOf(known: PaymentRow, states: PaymentRow[], change: StatusChange, isLocked: boolean): PlannedChange {
  const ofShop = change.end ? shopOutcome(change.end) : null;
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
      next_action: after.next_action && JSON.stringify(after.next_action),
      attempt: change.end?.number ?? null,
      attempt_outcome: change.end?.outcome ?? null,
      decline_code: change.end?.declineCode ?? null,
      shop_outcome: ofShop === 'failed' ? null : ofShop,
      is_locked: isLocked,
    },
    steps: states.map((state, index) => ({
      from_status: (states[index - 1] ?? known).status,
      to_status: state.status,
      cause: change.cause,
      at: state.updated_at.toISOString(),
      request_body: webhookBodyOf(state, change.originalWebhook),
      traceparent,
    })),
  };
}
