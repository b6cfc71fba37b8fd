import type { Statement } from '../../platform/database/database.js';
import type { ProviderEvent } from '../../providers/payment-provider.js';
import type { PaymentStatus } from '../ledger/payment-state.js';

export const NOTIFICATION_OUTCOMES = ['applied', 'ignored'] as const;
export type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number];

export type IgnoredReason =
  'unknown_payment' | 'status_unchanged' | 'attempt_superseded' | `payment_is_${PaymentStatus}`;

/** A notification without its data, which may be personal. */
export interface NotificationRow {
  id: number;
  provider: string;
  notification_id: string;
  provider_transaction_id: string;
  payment_id: number | null;
  status: ProviderEvent['status'];
  outcome: NotificationOutcome;
  reason: IgnoredReason | null;
  received_at: Date;
}

/**
 * Takes a notification once: $1 provider, $2 shop, $3 notification id, $4 transaction id, $5 payment, $6 status,
 * $7 data, $8 received at. No row comes back for one that came before.
 */
export const INSERT_NOTIFICATION: Statement = {
  name: 'notifications.insert',
  text: `INSERT INTO provider_notifications
      (provider, shop_id, notification_id, provider_transaction_id, payment_id, status, data, received_at, outcome)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'applied')
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/** $1 notification, $2 reason. */
export const IGNORE_NOTIFICATION: Statement = {
  name: 'notifications.ignore',
  text: `UPDATE provider_notifications SET outcome = 'ignored', reason = $2 WHERE id = $1`,
};

/** $1 provider, $2 shop, $3 notification id → a row when it came before. */
export const IS_KNOWN_NOTIFICATION: Statement = {
  name: 'notifications.is_known',
  text: `SELECT FROM provider_notifications WHERE shop_id = $2 AND provider = $1 AND notification_id = $3`,
};

/**
 * Counts one that is ignored: $1 shop, $2 day, $3 how many a day at most. No row when there are as many already. The row
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

const COLUMNS = `id, provider, notification_id, provider_transaction_id, payment_id, status, outcome, reason, received_at`;

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
 * without an index on times.
 */
export const PRUNE_NOTIFICATIONS: Statement = {
  name: 'notifications.prune',
  text: `WITH oldest AS MATERIALIZED (SELECT id, received_at FROM provider_notifications ORDER BY id LIMIT $2)
    DELETE FROM provider_notifications
    WHERE id = ANY (ARRAY(SELECT id FROM oldest WHERE received_at < $1::timestamptz)) RETURNING id`,
};
