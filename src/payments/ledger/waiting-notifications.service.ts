import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import type { NotificationVerdict, ToldEvent } from './notification.js';
import type { PaymentRow } from './payment.queries.js';
import { type ChangeLocked, ProviderEvents } from './provider-events.service.js';
import { ADOPT_WAITING, LIST_WAITING, MARK_WAITING, SETTLE_NOTIFICATION, type WaitingRow } from './waiting.queries.js';

const DAY_MS = 86_400_000;
/** How long a notification waits. */
export const WAITING_MS = 3 * DAY_MS;
const FIRST_LOOK_MS = 2_000;

/** When a worker looks at what has just begun to wait: most of it has been applied by then. */
export const firstLookAt = (now: Date): Date => new Date(now.getTime() + FIRST_LOOK_MS);

/**
 * Notifications that wait for their payment. Invariants: whatever waits for a known payment has marked it under its lock
 * (`has_waiting_notifications`), so that the next write of its status, grouped or not, comes by here in its transaction;
 * what waits for an unknown transaction id is adopted in the transaction that learns the id, or else when a worker looks.
 */
@Injectable()
export class WaitingNotifications {
  private readonly logger = new Logger(WaitingNotifications.name);

  constructor(
    private readonly events: ProviderEvents,
    private readonly clock: Clock,
  ) {}

  /** What came before the attempt's transaction id was known is the payment's now. */
  async adopt(
    transaction: Transaction,
    payment: PaymentRow,
    { attempt, shopId, transactionId }: { attempt: number; shopId: number; transactionId: string },
  ): Promise<PaymentRow> {
    const adopted = await transaction.query(ADOPT_WAITING, [payment.id, attempt, shopId, transactionId]);
    return adopted.length > 0 ? this.mark(transaction, payment, true) : payment;
  }

  async mark(transaction: Transaction, payment: PaymentRow, isWaiting: boolean): Promise<PaymentRow> {
    await transaction.query(MARK_WAITING, [payment.id, isWaiting]);
    return { ...payment, has_waiting_notifications: isWaiting };
  }

  /** The payment, which the caller has locked, after all that is legal now; and whether its status was changed by that. */
  async apply(
    transaction: Transaction,
    locked: PaymentRow,
    change: ChangeLocked,
  ): Promise<{ payment: PaymentRow; isChanged: boolean }> {
    let payment = locked;
    let isChanged = false;
    let left = 0;
    const seen = new Set<number>();
    // one that tells the transaction id brings others, which waited for the id
    for (let rows = await this.list(transaction, payment, seen); rows.length > 0;) {
      for (const row of rows) {
        seen.add(row.id);
        const mayWait = !this.isTimedOut(row);
        const verdict = await this.events.apply(transaction, payment, row.attempt, toldBy(row), change, mayWait);
        payment = verdict.result?.payment ?? payment;
        isChanged ||= verdict.result?.outcome === 'changed';
        if (verdict.outcome === 'waiting') left += 1;
        else await this.settle(transaction, payment, row, verdict);
      }
      rows = await this.list(transaction, payment, seen);
    }
    if (left === 0) payment = await this.mark(transaction, payment, false);
    return { payment, isChanged };
  }

  private async list(transaction: Transaction, { id }: PaymentRow, seen: ReadonlySet<number>): Promise<WaitingRow[]> {
    return (await transaction.query<WaitingRow>(LIST_WAITING, [id])).filter((row) => !seen.has(row.id));
  }

  private isTimedOut({ received_at: receivedAt }: WaitingRow): boolean {
    return receivedAt.getTime() + WAITING_MS < this.clock.now().getTime();
  }

  private async settle(
    transaction: Transaction,
    payment: PaymentRow,
    { id, status, attempt }: WaitingRow,
    { outcome, reason }: NotificationVerdict,
  ): Promise<void> {
    await transaction.query(SETTLE_NOTIFICATION, [id, outcome, reason, null]);
    const msg = 'a notification that waited is settled';
    this.logger.log({ msg, paymentId: payment.id, attempt, notificationId: id, status, outcome, reason });
  }
}

const toldBy = (row: WaitingRow): ToldEvent => ({
  provider: row.provider,
  status: row.status,
  transactionId: row.provider_transaction_id,
  reference: row.reference,
  amount: row.amount,
  currency: row.currency,
  declineCode: row.decline_code,
  operationId: row.operation_id,
  data: row.data,
  receivedAt: row.received_at,
});
