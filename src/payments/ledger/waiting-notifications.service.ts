import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { Clock, DAY_MS } from '../../shared/clock.js';
import { storedReport } from '../disputes/dispute.js';
import type { NotificationVerdict, ReportedEvent } from './notification.js';
import type { PaymentRow } from './payment.queries.js';
import { ProviderEvents } from './provider-events.service.js';
import { LIST_WAITING, markWaiting, RECORD_VERDICT, type WaitingRow } from './waiting.queries.js';

/** The longest time that a notification waits. */
export const WAITING_MS = 3 * DAY_MS;
const FIRST_CHECK_MS = 2_000;

/** First check of a new waiting notification by a worker: most of them have been applied by then. */
export const firstCheckAt = (now: Date): Date => new Date(now.getTime() + FIRST_CHECK_MS);

/**
 * Notifications that arrived too early and wait for their payment. Invariants: a notification that waits for a known
 * payment has marked it under its lock (`has_waiting_notifications`), so that the next write of its status, grouped or
 * not, calls `apply` in its transaction. One that waits for an unknown transaction id is linked in the transaction that
 * stores the id (`linkWaiting`), or else by a worker's check.
 */
@Injectable()
export class WaitingNotifications {
  private readonly logger = new Logger(WaitingNotifications.name);

  constructor(
    private readonly events: ProviderEvents,
    private readonly clock: Clock,
  ) {}

  /** Applies all notifications that are legal now. `locked`: in the transaction. Returns the payment after that. */
  async apply(transaction: Transaction, locked: PaymentRow): Promise<PaymentRow> {
    if (!locked.has_waiting_notifications) return locked;
    let payment = locked;
    let left = 0;
    const seen = new Set<number>();
    // a notification with the transaction id may make others legal, which waited for the id
    for (let rows = await this.list(transaction, payment, seen); rows.length > 0;) {
      for (const row of rows) {
        seen.add(row.id);
        const mayWait = !this.isTimedOut(row);
        const verdict = await this.events.apply(transaction, payment, row.attempt, reportedEvent(row), mayWait);
        payment = verdict.payment ?? payment;
        if (verdict.outcome === 'waiting') left += 1;
        else await this.recordVerdict(transaction, payment, row, verdict);
      }
      rows = await this.list(transaction, payment, seen);
    }
    return left === 0 ? markWaiting(transaction, payment, false) : payment;
  }

  private async list(transaction: Transaction, { id }: PaymentRow, seen: ReadonlySet<number>): Promise<WaitingRow[]> {
    return (await transaction.query<WaitingRow>(LIST_WAITING, [id])).filter((row) => !seen.has(row.id));
  }

  private isTimedOut({ received_at: receivedAt }: WaitingRow): boolean {
    return receivedAt.getTime() + WAITING_MS < this.clock.now().getTime();
  }

  private async recordVerdict(
    transaction: Transaction,
    payment: PaymentRow,
    { id, status, attempt }: WaitingRow,
    { outcome, reason }: NotificationVerdict,
  ): Promise<void> {
    await transaction.query(RECORD_VERDICT, [id, outcome, reason, null]);
    const msg = 'a waiting notification has its outcome';
    this.logger.log({ msg, paymentId: payment.id, attempt, notificationId: id, status, outcome, reason });
  }
}

const reportedEvent = (row: WaitingRow): ReportedEvent => ({
  provider: row.provider,
  status: row.status,
  transactionId: row.provider_transaction_id,
  reference: row.reference,
  amount: row.amount,
  currency: row.currency,
  declineCode: row.decline_code,
  operationId: row.operation_id,
  dispute: row.dispute === null ? null : storedReport(row.dispute),
  data: row.data,
  receivedAt: row.received_at,
});
