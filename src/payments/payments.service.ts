import { Injectable } from '@nestjs/common';
import type { DecisionTrace } from '../flows/decision-trace.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import { type Page, type PageRequest, toPage } from '../shared/cursor.js';
import { Problem } from '../shared/problem.js';
import type { OriginalWebhook } from '../webhooks/webhook-body.js';
import { WebhookOutboxService } from '../webhooks/webhook-outbox.service.js';
import type { AttemptEnd } from './attempt.js';
import type { AttemptRow } from './attempt.queries.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { toDelivery } from './payment-webhook.js';
import { type ChangeCause, PAYMENT_STATUSES, type PaymentStatus, stepsTo } from './payment-state.js';
import {
  FIND_DECISION,
  FIND_PAYMENT,
  LIST_STATUS_CHANGES,
  listPayments,
  LOCK_PAYMENT,
  type PaymentRow,
  type StatusChangeRow,
  WRITE_STATUS,
} from './payment.queries.js';

export interface StatusChange {
  to: PaymentStatus;
  cause: ChangeCause;
  /** A status to pass on the way, see `stepsTo`. */
  via?: PaymentStatus;
  /** Refused from any other status: what a timer may end, it ends only while nothing else has happened. */
  onlyFrom?: PaymentStatus;
  /** Merged into the payment's own. */
  providerMetadata?: Record<string, unknown>;
  providerTransactionId?: string;
  /** The provider's notification that caused the change; told in the webhook. */
  originalWebhook?: OriginalWebhook;
  /** The attempt that a provider speaks of: nothing changes any more once the payment has gone on to another shop. */
  attempt?: number;
  /** What came of that attempt: recorded in any case, if the payment is still at it. */
  end?: AttemptEnd;
}

export interface StatusChangeResult {
  /** The payment as it is now, changed or not. */
  payment: PaymentRow;
  /**
   * `unchanged`: it had that status already. `refused`: the table of transitions has no way there. `superseded`: the
   * payment has gone on to another shop.
   */
  outcome: 'changed' | 'unchanged' | 'refused' | 'superseded';
}

export interface PaymentFilter {
  status?: PaymentStatus | undefined;
  flowId?: number | undefined;
  shopId?: number | undefined;
}

/** Reads payments, and holds the one door through which a status changes. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly database: Database,
    private readonly outbox: WebhookOutboxService,
    private readonly clock: Clock,
    private readonly attempts: PaymentAttemptsService,
  ) {}

  /** Throws `payment_not_found`, also for another merchant's. */
  async find(merchantId: number, paymentId: number): Promise<PaymentRow> {
    const [payment] = await this.database.query<PaymentRow>(FIND_PAYMENT, [paymentId, merchantId]);
    if (!payment) throw new Problem('payment_not_found');
    return payment;
  }

  async list(merchantId: number, filter: PaymentFilter, page: PageRequest): Promise<Page<PaymentRow>> {
    const statement = listPayments({ shopId: filter.shopId !== undefined, flowId: filter.flowId !== undefined });
    const ids = [filter.shopId, filter.flowId].filter((id) => id !== undefined);
    const statuses = filter.status ? [filter.status] : PAYMENT_STATUSES;
    const before = page.beforeId ?? Number.MAX_SAFE_INTEGER;
    const rows = await this.database.query<PaymentRow>(statement, [
      merchantId,
      statuses,
      before,
      page.limit + 1,
      ...ids,
    ]);
    return toPage(rows, page.limit);
  }

  /** Every change of status, oldest first. Throws `payment_not_found`. */
  async history(merchantId: number, paymentId: number): Promise<StatusChangeRow[]> {
    await this.find(merchantId, paymentId);
    return this.database.query<StatusChangeRow>(LIST_STATUS_CHANGES, [paymentId]);
  }

  /** Every try with a shop, in their order. Throws `payment_not_found`. */
  async attemptsOf(merchantId: number, paymentId: number): Promise<AttemptRow[]> {
    await this.find(merchantId, paymentId);
    return this.attempts.list(paymentId);
  }

  /** Why the payment went where it went; `null` for one from before decisions were kept. Throws `payment_not_found`. */
  async decision(merchantId: number, paymentId: number): Promise<DecisionTrace | null> {
    const [payment] = await this.database.query<{ decision: DecisionTrace | null }>(FIND_DECISION, [
      paymentId,
      merchantId,
    ]);
    if (!payment) throw new Problem('payment_not_found');
    return payment.decision;
  }

  /** `changeStatusIn` a transaction of its own; the webhook's lane is woken once it is committed. */
  async changeStatus(paymentId: number, change: StatusChange): Promise<StatusChangeResult> {
    const result = await this.database.transaction((transaction) =>
      this.changeStatusIn(transaction, paymentId, change),
    );
    this.afterCommit(result);
    return result;
  }

  /**
   * The only door through which a status changes. Under the payment's row lock: the way is looked up in the table of
   * transitions, then payment, history and deliveries are written. Either all of it commits or nothing.
   * The caller calls `afterCommit` when its transaction is through.
   */
  async changeStatusIn(transaction: Transaction, paymentId: number, change: StatusChange): Promise<StatusChangeResult> {
    const [before] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [paymentId]);
    if (!before) throw new Problem('payment_not_found');
    if (change.attempt !== undefined && change.attempt !== before.attempt) {
      return { payment: before, outcome: 'superseded' };
    }
    const isClosed = change.onlyFrom !== undefined && before.status !== change.onlyFrom;
    const steps = isClosed ? null : stepsTo(before.status, change.to, change.via);
    if (steps !== null && steps.length > 0) {
      return { payment: await this.write(transaction, before, steps, change), outcome: 'changed' };
    }
    if (change.end) await this.attempts.end(transaction, before, change.end, change.providerTransactionId);
    return { payment: before, outcome: steps === null ? 'refused' : 'unchanged' };
  }

  /** To be called after the commit, and never before: a wake-up inside the transaction could find nothing to do. */
  afterCommit({ payment, outcome }: StatusChangeResult): void {
    if (outcome === 'changed' && payment.webhook_lane_id !== null) this.outbox.wake([payment.webhook_lane_id]);
  }

  private async write(
    transaction: Transaction,
    before: PaymentRow,
    steps: PaymentStatus[],
    change: StatusChange,
  ): Promise<PaymentRow> {
    const states = this.statesAlong(before, steps, change);
    const after = states.at(-1)!;
    const froms = [before, ...states].slice(0, -1).map((state) => state.status);
    await transaction.query(WRITE_STATUS, [
      after.id,
      after.status,
      after.updated_at,
      after.provider_metadata,
      after.provider_transaction_id,
      froms,
      steps,
      steps.map(() => change.cause),
      states.map((state) => state.updated_at),
      change.end?.number,
      change.end?.outcome,
      change.end?.declineCode,
    ]);
    const deliveries = states.flatMap((state) => toDelivery(state, change.originalWebhook) ?? []);
    if (deliveries.length > 0) await this.outbox.append(transaction, deliveries);
    // last, so that the lock on the shop's outcomes is held for the commit alone
    if (change.end) await this.attempts.count(transaction, after.shop_id, change.end);
    return after;
  }

  /** One state per step. `updated_at` grows with every step, so that a receiver can order what arrives out of order. */
  private statesAlong(before: PaymentRow, steps: PaymentStatus[], change: StatusChange): PaymentRow[] {
    const now = this.clock.now().getTime();
    const first = Math.max(now, before.updated_at.getTime() + 1);
    return steps.map((status, index) => ({
      ...before,
      status,
      updated_at: new Date(first + index),
      provider_transaction_id: change.providerTransactionId ?? before.provider_transaction_id,
      provider_metadata: { ...before.provider_metadata, ...change.providerMetadata },
    }));
  }
}
