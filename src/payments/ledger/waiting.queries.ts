import type { Statement, Transaction } from '../../platform/database/database.js';
import type { ReportedStatus } from './notification.js';
import type { PaymentRow } from './payment.queries.js';

export interface WaitingRow {
  id: number;
  provider: string;
  provider_transaction_id: string | null;
  reference: string | null;
  attempt: number;
  status: ReportedStatus;
  amount: string | null;
  currency: string | null;
  decline_code: string | null;
  operation_id: string | null;
  dispute: unknown;
  data: Record<string, unknown>;
  received_at: Date;
}

/** Links waiting notifications to their payment: $1 payment, $2 attempt, $3 shop, $4 transaction id. */
const LINK_WAITING: Statement = {
  name: 'notifications.link',
  text: `UPDATE provider_notifications SET payment_id = $1, attempt = $2
    WHERE shop_id = $3 AND provider_transaction_id = $4 AND outcome = 'waiting' AND payment_id IS NULL RETURNING id`,
};

/** Waiting notifications of the payment $1, in the order of their statuses. */
export const LIST_WAITING: Statement = {
  name: 'notifications.list_waiting',
  text: `SELECT id, provider, provider_transaction_id, reference, attempt, status, amount, currency, decline_code,
      operation_id, dispute, data, received_at
    FROM provider_notifications WHERE payment_id = $1 AND outcome = 'waiting'
    ORDER BY array_position(ARRAY['processing', 'authorized', 'completed', 'failed', 'cancelled'], status) NULLS LAST, id`,
};

/**
 * Records the outcome of a notification: $1 notification, $2 outcome, $3 reason, $4 time of the next check, `null`:
 * never.
 */
export const RECORD_VERDICT: Statement = {
  name: 'notifications.record_verdict',
  text: `UPDATE provider_notifications SET outcome = $2, reason = $3, look_at = $4 WHERE id = $1`,
};

/** Marks a payment: $1 payment, $2 whether notifications wait for it. */
const MARK_WAITING: Statement = {
  name: 'payments.mark_waiting',
  text: `UPDATE payments SET has_waiting_notifications = $2 WHERE id = $1 AND has_waiting_notifications <> $2`,
};

/** Stores whether notifications wait for the payment, which is locked in the transaction. Returns the payment. */
export async function markWaiting(
  transaction: Transaction,
  payment: PaymentRow,
  isWaiting: boolean,
): Promise<PaymentRow> {
  await transaction.query(MARK_WAITING, [payment.id, isWaiting]);
  return { ...payment, has_waiting_notifications: isWaiting };
}

/**
 * Links the notifications that came before the attempt's transaction id to the payment, which is locked in the
 * transaction.
 */
export async function linkWaiting(
  transaction: Transaction,
  payment: PaymentRow,
  { attempt, shopId, transactionId }: { attempt: number; shopId: number; transactionId: string },
): Promise<PaymentRow> {
  const linked = await transaction.query(LINK_WAITING, [payment.id, attempt, shopId, transactionId]);
  return linked.length > 0 ? markWaiting(transaction, payment, true) : payment;
}

/** Returns a row while the call may still be answered: $1 payment, $2 attempt, $3 started after. */
export const IS_CALL_UNDER_WAY: Statement = {
  name: 'attempts.is_call_under_way',
  text: `SELECT FROM payment_attempts WHERE payment_id = $1 AND number = $2 AND outcome IS NULL AND started_at > $3`,
};

/**
 * Returns a row if the provider has reported that the refund failed: $1 payment, $2 the provider's id of the refund.
 */
export const IS_REFUND_FAILED: Statement = {
  name: 'notifications.is_refund_failed',
  text: `SELECT FROM provider_notifications
    WHERE payment_id = $1 AND status = 'refund_failed' AND operation_id = $2 AND outcome <> 'conflict' LIMIT 1`,
};

/**
 * Lets the reports of refunds that exceeded the captured amount wait again, because another refund has failed: $1
 * payment.
 */
export const RETRY_OTHER_REFUNDS: Statement = {
  name: 'notifications.retry_other_refunds',
  text: `UPDATE provider_notifications SET outcome = 'waiting', look_at = received_at
    WHERE payment_id = $1 AND outcome = 'alarm' AND reason = 'other_refund' RETURNING id`,
};

/** Waiting notifications, by their index. */
export const COUNT_WAITING: Statement = {
  name: 'notifications.count_waiting',
  text: `SELECT count(*)::integer AS count,
      coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0)::float8 AS oldest_seconds
    FROM provider_notifications WHERE outcome = 'waiting'`,
};
