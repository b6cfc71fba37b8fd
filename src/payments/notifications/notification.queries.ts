import type { Statement } from '../../platform/database/database.js';
import type { NotificationReason, ReportedStatus } from '../ledger/notification.js';

/**
 * `applied`: it did what it says. `waiting`: not legal yet, or about no payment that is known yet. `ignored`: it contradicts
 * what is known, or is no news. `conflict`: its id came before with other content. `alarm`: a person must act.
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
  /** Of an alarm: when somebody acknowledged it. */
  acknowledged_at: Date | null;
}

/** The attempt with our reference: $1 shop, $2 reference. */
export const FIND_BY_REFERENCE: Statement = {
  name: 'notifications.find_by_reference',
  text: `SELECT payment_id AS id, number AS attempt FROM payment_attempts WHERE reference = $2 AND shop_id = $1`,
};

/**
 * The payment and which of its attempts: $1 shop, $2 the provider's transaction id. Its present attempt is found through
 * the payment, an earlier one through the attempts.
 */
export const FIND_BY_TRANSACTION: Statement = {
  name: 'notifications.find_by_transaction',
  text: `SELECT id, attempt FROM payments WHERE shop_id = $1 AND provider_transaction_id = $2
    UNION ALL
    SELECT payment_id, number FROM payment_attempts
    WHERE shop_id = $1 AND provider_transaction_id = $2 AND outcome IN ('soft_declined', 'unavailable')
    LIMIT 1`,
};

const INSERTED = `provider, shop_id, notification_id, fingerprint, provider_transaction_id, reference, payment_id, attempt, status,
      amount, currency, decline_code, operation_id, data, received_at`;

/**
 * Takes a notification once: $1 provider, $2 shop, $3 notification id, $4 fingerprint, $5 transaction id, $6 reference,
 * $7 payment, $8 attempt, $9 status, $10 amount, $11 currency, $12 decline code, $13 the provider's id of the void or
 * refund, $14 data, $15 received at. No row comes back for one that came before.
 */
export const INSERT_NOTIFICATION: Statement = {
  name: 'notifications.insert',
  text: `INSERT INTO provider_notifications (${INSERTED}, outcome)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'applied')
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/** Values as before. A row comes back when what came before under the id said something else, and this was not kept yet. */
export const INSERT_CONFLICT: Statement = {
  name: 'notifications.insert_conflict',
  text: `INSERT INTO provider_notifications (${INSERTED}, variant, outcome, reason)
    SELECT $1, $2, $3, $4, $5, $6, $7::bigint, $8::smallint, $9, $10, $11, $12, $13, $14::json, $15::timestamptz, $4,
      'conflict', 'other_content'
    FROM provider_notifications k
    WHERE k.shop_id = $2 AND k.provider = $1 AND k.notification_id = $3 AND k.variant = '' AND k.fingerprint <> $4
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/** $1 provider, $2 shop, $3 notification id → a row when it came before. */
export const IS_KNOWN_NOTIFICATION: Statement = {
  name: 'notifications.is_known',
  text: `SELECT FROM provider_notifications WHERE shop_id = $2 AND provider = $1 AND notification_id = $3 LIMIT 1`,
};

/** $1 payment, $2 how many → a row when more than as many are kept of it. */
export const IS_MUCH_KEPT: Statement = {
  name: 'notifications.is_much_kept',
  text: `SELECT FROM provider_notifications WHERE payment_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
};

/** $1 notification, inserted in the same transaction. */
export const DROP_NOTIFICATION: Statement = {
  name: 'notifications.drop',
  text: `DELETE FROM provider_notifications WHERE id = $1`,
};

/**
 * Counts one that is about no payment: $1 shop, $2 day, $3 how many a day at most. No row when there are as many already. The row
 * stays locked until the transaction ends, so that of several at once none comes in beyond. Days only go forward, whatever
 * the clocks of several processes say around midnight.
 */
export const COUNT_IGNORED: Statement = {
  name: 'notifications.count_ignored',
  text: `INSERT INTO ignored_notifications AS i (shop_id, day, count) VALUES ($1, $2, 1)
    ON CONFLICT (shop_id) DO UPDATE SET day = greatest(i.day, excluded.day),
      count = CASE WHEN i.day < excluded.day THEN 1 ELSE i.count + 1 END
    WHERE i.day < excluded.day OR i.count < $3
    RETURNING count`,
};

/** $1 shop, $2 day, $3 how many a day at most → a row when there are as many. */
export const IGNORED_ARE_FULL: Statement = {
  name: 'notifications.ignored_are_full',
  text: `SELECT FROM ignored_notifications WHERE shop_id = $1 AND day >= $2 AND count >= $3`,
};

const COLUMNS = `id, provider, notification_id, provider_transaction_id, reference, payment_id, status, outcome, reason, received_at,
  acknowledged_at`;

/**
 * A page of a shop's notifications, newest first: $1 shop, $2 outcomes, $3 id to stay below, $4 limit. At most `limit`
 * rows of the index are read per outcome; why `= ANY (ARRAY[…])`, see `listPayments`.
 */
export const LIST_NOTIFICATIONS: Statement = {
  name: 'notifications.list',
  text: `SELECT page.* FROM unnest($2::text[]) AS o (outcome) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM provider_notifications n
      WHERE n.shop_id = ANY (ARRAY[$1::bigint]) AND n.outcome = ANY (ARRAY[o.outcome]) AND n.id < $3
      ORDER BY n.shop_id DESC, n.outcome DESC, n.id DESC LIMIT $4) page
    ORDER BY page.id DESC LIMIT $4`,
};

/** As LIST_NOTIFICATIONS, of one payment: $5. */
export const LIST_PAYMENT_NOTIFICATIONS: Statement = {
  name: 'notifications.list_of_payment',
  text: `SELECT ${COLUMNS} FROM provider_notifications n
    WHERE n.payment_id = ANY (ARRAY[$5::bigint]) AND n.shop_id = $1 AND n.outcome = ANY ($2::text[]) AND n.id < $3
    ORDER BY n.payment_id DESC, n.id DESC LIMIT $4`,
};

/**
 * $1 moment, $2 how many at most. Ids follow the time but for what came at the same moment, so that the oldest are found
 * without an index on times. An alarm that nobody has acknowledged is kept.
 */
export const PRUNE_NOTIFICATIONS: Statement = {
  name: 'notifications.prune',
  text: `WITH oldest AS MATERIALIZED (
      SELECT id, received_at FROM provider_notifications
      WHERE outcome <> 'alarm' OR acknowledged_at IS NOT NULL ORDER BY id LIMIT $2)
    DELETE FROM provider_notifications
    WHERE id = ANY (ARRAY(SELECT id FROM oldest WHERE received_at < $1::timestamptz)) RETURNING id`,
};

/** Locked: $1 merchant, $2 notification. */
export const LOCK_NOTIFICATION: Statement = {
  name: 'notifications.lock',
  text: `SELECT ${COLUMNS} FROM provider_notifications n
    WHERE n.id = $2 AND n.shop_id IN (SELECT s.id FROM shops s WHERE s.merchant_id = $1) FOR NO KEY UPDATE`,
};

/** $1 notification, $2 now. */
export const ACKNOWLEDGE_ALARM: Statement = {
  name: 'notifications.acknowledge',
  text: 'UPDATE provider_notifications SET acknowledged_at = $2 WHERE id = $1',
};

/** By the index of open alarms. */
export const COUNT_OPEN_ALARMS: Statement = {
  name: 'notifications.count_open_alarms',
  text: `SELECT reason, count(*)::integer AS count FROM provider_notifications
    WHERE outcome = 'alarm' AND acknowledged_at IS NULL GROUP BY reason`,
};

/** What a worker looks at: $1 now, $2 how many. Looked at again as long after that as it has waited, an hour at most. */
export const CLAIM_WAITING: Statement = {
  name: 'notifications.claim_waiting',
  text: `UPDATE provider_notifications
    SET look_at = $1::timestamptz + least(interval '1 hour', greatest(interval '2 s', $1::timestamptz - received_at))
    WHERE id = ANY (ARRAY(
      SELECT id FROM provider_notifications WHERE outcome = 'waiting' AND look_at <= $1
      ORDER BY look_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING id, shop_id, provider_transaction_id, payment_id, attempt, received_at`,
};

/** Ends what no payment was found for: $1 notification. */
export const END_WAITING: Statement = {
  name: 'notifications.end_waiting',
  text: `UPDATE provider_notifications SET outcome = 'ignored', look_at = NULL
    WHERE id = $1 AND outcome = 'waiting' AND payment_id IS NULL`,
};
