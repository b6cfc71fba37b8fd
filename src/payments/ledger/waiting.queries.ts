import type { Statement } from '../../platform/database/database.js';
import { DAY_MS } from '../../shared/clock.js';
import { type DueSubject, endDueWorkFrom, setDueWorkFrom } from '../../platform/due-work/due-work-sql.js';

/** The longest time that a notification waits. */
export const WAITING_MS = 3 * DAY_MS;
const FIRST_CHECK_MS = 2_000;

/** First check of a new waiting notification by a worker: most of them have been applied by then. */
export const firstCheckAt = (now: Date): Date => new Date(now.getTime() + FIRST_CHECK_MS);

export const WAITING_KIND = 'notification';

/** The work of a notification that waits: its checks by a worker. */
export const WAITING_WORK: DueSubject = { kind: WAITING_KIND, id: 'id' };

/** Links waiting notifications to their payment: $1 payment, $2 attempt, $3 shop, $4 transaction id. */
export const LINK_WAITING: Statement = {
  name: 'notifications.link',
  text: `UPDATE provider_notifications SET payment_id = $1, attempt = $2
    WHERE shop_id = $3 AND provider_transaction_id = $4 AND outcome = 'waiting' AND payment_id IS NULL RETURNING id`,
};

/** Lets a notification wait: $1 notification, $2 reason, $3 time of the first check by a worker. */
export const LET_WAIT: Statement = {
  name: 'notifications.let_wait',
  text: `WITH waiting AS (
      UPDATE provider_notifications SET outcome = 'waiting', reason = $2 WHERE id = $1 RETURNING id
    )
    ${setDueWorkFrom('waiting', WAITING_WORK, '$3::timestamptz')}`,
};

/** Records the outcome of a notification, which then waits no longer: $1 notification, $2 outcome, $3 reason. */
export const RECORD_VERDICT: Statement = {
  name: 'notifications.record_verdict',
  text: `WITH recorded AS (
      UPDATE provider_notifications SET outcome = $2, reason = $3 WHERE id = $1 RETURNING id
    )
    ${endDueWorkFrom('recorded', WAITING_WORK)}`,
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
  text: `WITH waiting AS (
      UPDATE provider_notifications SET outcome = 'waiting'
      WHERE payment_id = $1 AND outcome = 'alarm' AND reason = 'other_refund' RETURNING id, received_at
    )
    ${setDueWorkFrom('waiting', WAITING_WORK, 'received_at')}`,
};

/** Waiting notifications, by their work. */
export const COUNT_WAITING: Statement = {
  name: 'notifications.count_waiting',
  text: `SELECT count(*)::integer AS count,
      coalesce(extract(epoch FROM clock_timestamp() - min(n.received_at)), 0)::float8 AS oldest_seconds
    FROM due_work d CROSS JOIN LATERAL (
      SELECT received_at FROM provider_notifications WHERE id = d.subject_id AND outcome = 'waiting' OFFSET 0) n
    WHERE d.kind = '${WAITING_KIND}'`,
};
