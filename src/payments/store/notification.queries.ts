import type { Statement } from '../../platform/database/database.js';
import { newestByStatus } from '../../platform/database/newest-by-status.js';
import { DAY_MS } from '../../shared/clock.js';
import { type DueSubject, endDueWorkFrom, setDueWorkFrom } from '../../platform/due-work/due-work-sql.js';
import type { NotificationReason, ReportedStatus } from '../money/state/notification.js';
import { SHOPS } from '../../shared/relations.js';

/**
 * `applied`: applied to the payment. `waiting`: not legal yet, or no payment is known yet. `ignored`: it contradicts
 * the payment, or has nothing new. `conflict`: its id came before with other content. `alarm`: a person must act.
 */
export const NOTIFICATION_OUTCOMES = ['applied', 'ignored', 'waiting', 'conflict', 'alarm'] as const;
export type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number];

/** A notification without its data, which may be personal. */
export interface NotificationRow {
  id: number;
  provider: string;
  notification_id: string;
  provider_transaction_id: string | null;
  reference: string | null;
  payment_id: number | null;
  status: ReportedStatus;
  outcome: NotificationOutcome;
  reason: NotificationReason | null;
  received_at: Date;
  /** When a person acknowledged the alarm; `null` otherwise. */
  acknowledged_at: Date | null;
}

/** The payment and the number of its attempt. */
export interface FoundAttempt {
  payment_id: number;
  attempt: number;
}

/** The attempt with our reference: $1 shop, $2 reference. */
export const FIND_BY_REFERENCE: Statement = {
  name: 'notifications.find_by_reference',
  text: `SELECT payment_id, number AS attempt FROM payment_attempts WHERE reference = $2 AND shop_id = $1`,
};

/**
 * The attempts of transactions: $1 shop, $2 the provider's transaction ids. The present attempt is found through the payment,
 * an earlier one through the attempts. Unknown ids are left out.
 */
export const FIND_BY_TRANSACTIONS: Statement = {
  name: 'notifications.find_by_transactions',
  text: `SELECT DISTINCT found.* FROM unnest($2::text[]) AS named (id) CROSS JOIN LATERAL (
      SELECT p.id AS payment_id, p.attempt FROM payments p WHERE p.shop_id = $1 AND p.provider_transaction_id = named.id
      UNION ALL
      SELECT a.payment_id, a.number FROM payment_attempts a WHERE a.shop_id = $1 AND a.left_transaction_id = named.id
      LIMIT 1) found`,
};

/**
 * Returns a row if a payment of the customer $2 at the shop $1 is to save its payment method, and its transaction id is not
 * known yet.
 */
export const IS_AWAITED: Statement = {
  name: 'notifications.is_awaited',
  text: `SELECT FROM payments WHERE customer_id = $2 AND shop_id = $1 AND provider_transaction_id IS NULL
      AND status IN ('pending', 'processing') AND payment_method->'save' = 'true' LIMIT 1`,
};

const INSERTED = `provider, shop_id, notification_id, fingerprint, provider_transaction_id, reference, payment_id, attempt, status,
      amount, currency, decline_code, operation_id, data, received_at, dispute`;

/**
 * Stores a notification once: $1 provider, $2 shop, $3 notification id, $4 fingerprint, $5 transaction id, $6
 * reference, $7 payment, $8 attempt, $9 status, $10 amount, $11 currency, $12 decline code, $13 the provider's id of
 * the void or refund, $14 data, $15 received at, $16 report of a dispute. Returns no row if the id is known.
 */
export const INSERT_NOTIFICATION: Statement = {
  name: 'notifications.insert',
  text: `INSERT INTO provider_notifications (${INSERTED}, outcome)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'applied')
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/**
 * Same values as {@link INSERT_NOTIFICATION}. Returns a row if the stored content of the id differs, and this content
 * is new.
 */
export const INSERT_CONFLICT: Statement = {
  name: 'notifications.insert_conflict',
  text: `INSERT INTO provider_notifications (${INSERTED}, variant, outcome, reason)
    SELECT $1, $2, $3, $4, $5, $6, $7::bigint, $8::smallint, $9, $10, $11, $12, $13, $14::json, $15::timestamptz, $16::json, $4,
      'conflict', 'other_content'
    FROM provider_notifications k
    WHERE k.shop_id = $2 AND k.provider = $1 AND k.notification_id = $3 AND k.variant = '' AND k.fingerprint <> $4
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/** Returns a row if the id is known: $1 provider, $2 shop, $3 notification id. */
export const IS_KNOWN_NOTIFICATION: Statement = {
  name: 'notifications.is_known',
  text: `SELECT FROM provider_notifications WHERE shop_id = $2 AND provider = $1 AND notification_id = $3 LIMIT 1`,
};

/** Returns a row if more notifications of the payment are stored: $1 payment, $2 limit. */
export const IS_LIMIT_EXCEEDED: Statement = {
  name: 'notifications.is_limit_exceeded',
  text: `SELECT FROM provider_notifications WHERE payment_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
};

/** Deletes a notification that was inserted in the same transaction: $1 notification. */
export const DROP_NOTIFICATION: Statement = {
  name: 'notifications.drop',
  text: `DELETE FROM provider_notifications WHERE id = $1`,
};

/**
 * Counts a notification without a payment: $1 shop, $2 day, $3 limit per day. Returns no row if the limit is reached.
 * The row stays locked until the transaction ends, so that concurrent ones cannot exceed the limit. The day never goes
 * back, even if the clocks of several processes differ around midnight.
 */
export const COUNT_IGNORED: Statement = {
  name: 'notifications.count_ignored',
  text: `INSERT INTO ignored_notifications AS i (shop_id, day, count) VALUES ($1, $2, 1)
    ON CONFLICT (shop_id) DO UPDATE SET day = greatest(i.day, excluded.day),
      count = CASE WHEN i.day < excluded.day THEN 1 ELSE i.count + 1 END
    WHERE i.day < excluded.day OR i.count < $3
    RETURNING count`,
};

/** Returns a row if the limit is reached: $1 shop, $2 day, $3 limit per day. */
export const IS_IGNORED_LIMIT_REACHED: Statement = {
  name: 'notifications.is_ignored_limit_reached',
  text: `SELECT FROM ignored_notifications WHERE shop_id = $1 AND day >= $2 AND count >= $3`,
};

const COLUMNS = `id, provider, notification_id, provider_transaction_id, reference, payment_id, status, outcome, reason, received_at,
  acknowledged_at`;

/** A page of a shop's notifications, newest first: $1 shop, $2 outcomes, $3 id to stay below, $4 limit. */
export const LIST_NOTIFICATIONS: Statement = {
  name: 'notifications.list',
  text: newestByStatus({
    table: 'provider_notifications',
    columns: COLUMNS,
    owner: 'shop_id',
    value: '$1',
    status: 'outcome',
  }),
};

/** Same as {@link LIST_NOTIFICATIONS}, for one payment: $5. */
export const LIST_PAYMENT_NOTIFICATIONS: Statement = {
  name: 'notifications.list_of_payment',
  text: `SELECT ${COLUMNS} FROM provider_notifications n
    WHERE n.payment_id = ANY (ARRAY[$5::bigint]) AND n.shop_id = $1 AND n.outcome = ANY ($2::text[]) AND n.id < $3
    ORDER BY n.payment_id DESC, n.id DESC LIMIT $4`,
};

/**
 * Deletes old notifications: $1 received before, $2 limit. Ids follow the time, except for concurrent ones, so the
 * oldest are found without an index on times. Alarms are kept until a person acknowledges them, and a waiting
 * notification until its end, because it is a change to come.
 */
export const PRUNE_NOTIFICATIONS: Statement = {
  name: 'notifications.prune',
  text: `WITH oldest AS MATERIALIZED (
      SELECT id, received_at FROM provider_notifications
      WHERE outcome NOT IN ('alarm', 'waiting') OR acknowledged_at IS NOT NULL ORDER BY id LIMIT $2)
    DELETE FROM provider_notifications
    WHERE id = ANY (ARRAY(SELECT id FROM oldest WHERE received_at < $1::timestamptz)) RETURNING id`,
};

/** Locks a notification: $1 merchant, $2 notification. */
export const LOCK_NOTIFICATION: Statement = {
  name: 'notifications.lock',
  text: `SELECT ${COLUMNS} FROM provider_notifications n
    WHERE n.id = $2 AND n.shop_id IN (SELECT s.id FROM ${SHOPS} s WHERE s.merchant_id = $1) FOR NO KEY UPDATE`,
};

/** Acknowledges an alarm: $1 notification, $2 now. */
export const ACKNOWLEDGE_ALARM: Statement = {
  name: 'notifications.acknowledge',
  text: 'UPDATE provider_notifications SET acknowledged_at = $2 WHERE id = $1',
};

/** Open alarms by reason, from their index. */
export const COUNT_OPEN_ALARMS: Statement = {
  name: 'notifications.count_open_alarms',
  text: `SELECT reason, count(*)::integer AS count FROM provider_notifications
    WHERE outcome = 'alarm' AND acknowledged_at IS NULL GROUP BY reason`,
};

/** The notification $1, if it waits. */
export const FIND_WAITING: Statement = {
  name: 'notifications.find_waiting',
  text: `SELECT id, shop_id, provider_transaction_id, payment_id, received_at FROM provider_notifications
    WHERE id = $1 AND outcome = 'waiting'`,
};

/** The longest time that a notification waits. */
export const WAITING_MS = 3 * DAY_MS;
const FIRST_CHECK_MS = 2_000;

/** First check of a new waiting notification by a worker: most of them have been applied by then. */
export const firstCheckAt = (now: Date): Date => new Date(now.getTime() + FIRST_CHECK_MS);

export const WAITING_KIND = 'notification';

/** The work of a notification that waits: its checks by a worker. */
const WAITING_WORK: DueSubject = { kind: WAITING_KIND, id: 'id' };

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

/**
 * Stores an alarm that no notification brought, once: $1 payment, locked in the transaction, $2 attempt, $3 its id, $4 status,
 * $5 reason, $6 now, $7 amount or null. Returns no row if it is known.
 */
export const INSERT_ALARM: Statement = {
  name: 'notifications.insert_alarm',
  text: `INSERT INTO provider_notifications (provider, shop_id, notification_id, fingerprint, provider_transaction_id, reference,
      payment_id, attempt, status, amount, data, received_at, outcome, reason)
    SELECT a.provider, a.shop_id, $3, $3, a.provider_transaction_id, a.reference, a.payment_id, a.number, $4, $7::numeric, '{}', $6, 'alarm', $5
    FROM payment_attempts a WHERE a.payment_id = $1 AND a.number = $2
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/** Ends a waiting notification without a payment: $1 notification. */
export const END_WAITING: Statement = {
  name: 'notifications.end_waiting',
  text: `WITH ended AS (
      UPDATE provider_notifications SET outcome = 'ignored'
      WHERE id = $1 AND outcome = 'waiting' AND payment_id IS NULL RETURNING id
    )
    ${endDueWorkFrom('ended', WAITING_WORK)}`,
};
