import type { Statement } from '../../platform/database/database.js';

/** Links waiting notifications to their payment: $1 payment, $2 attempt, $3 shop, $4 transaction id. */
export const LINK_WAITING: Statement = {
  name: 'notifications.link',
  text: `UPDATE provider_notifications SET payment_id = $1, attempt = $2
    WHERE shop_id = $3 AND provider_transaction_id = $4 AND outcome = 'waiting' AND payment_id IS NULL RETURNING id`,
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
export const MARK_WAITING: Statement = {
  name: 'payments.mark_waiting',
  text: `UPDATE payments SET has_waiting_notifications = $2 WHERE id = $1 AND has_waiting_notifications <> $2`,
};

/**
 * Lets the reports of refunds that exceeded the captured amount wait again, because another refund has failed: $1
 * payment.
 */
export const UNPARK: Statement = {
  name: 'notifications.unpark',
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
