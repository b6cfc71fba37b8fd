import type { Statement } from '../../platform/database/database.js';
import { CONNECTION_SLOT, FIRST_OPEN_SLOT } from './outbox-sql.js';

/** Inserts a lane: $1 shop, $2 origin. Returns no row if the lane exists. */
export const INSERT_LANE: Statement = {
  name: 'webhooks.insert_lane',
  text: `INSERT INTO webhook_lanes (shop_id, origin) VALUES ($1, $2)
    ON CONFLICT (shop_id, origin) DO NOTHING RETURNING id`,
};

/** The lane of the shop $1 and the origin $2. */
export const FIND_LANE: Statement = {
  name: 'webhooks.find_lane',
  text: 'SELECT id FROM webhook_lanes WHERE shop_id = $1 AND origin = $2',
};

/** Moves a payment from the counter of the shop $1 to that of the shop $2; $3: 1 with a webhook, else 0. Rows may be negative, sums are not. */
export const MOVE_PAYMENT: Statement = {
  name: 'webhooks.move_payment',
  text: `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT m.shop_id, ${CONNECTION_SLOT}, m.sign, m.sign * $3::bigint
    FROM (VALUES ($1::bigint, -1), ($2::bigint, 1)) AS m (shop_id, sign)
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`,
};

/**
 * Compacts at most $1 rows of past hours into one row per shop, in slot 0. Processes from before the per-connection slots
 * also count in slot 0.
 */
export const COMPACT_COUNTERS: Statement = {
  name: 'webhooks.fold_counters',
  text: `WITH compacted AS (
      DELETE FROM webhook_shop_counters WHERE (shop_id, slot) IN (
        SELECT shop_id, slot FROM webhook_shop_counters WHERE slot BETWEEN 1 AND ${FIRST_OPEN_SLOT} - 1
        ORDER BY shop_id, slot LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING shop_id, payments, payments_with_webhooks
    ), sums AS (
      INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
      SELECT shop_id, 0, sum(payments), sum(payments_with_webhooks) FROM compacted GROUP BY shop_id ORDER BY shop_id
      ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
        payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks
    )
    SELECT count(*)::integer AS rows FROM compacted`,
};

/** Counters of the shop $1. Always returns one row. */
export const SUM_COUNTERS: Statement = {
  name: 'webhooks.sum_counters',
  text: `SELECT coalesce(sum(payments), 0)::bigint AS payments,
      coalesce(sum(payments_with_webhooks), 0)::bigint AS payments_with_webhooks
    FROM webhook_shop_counters WHERE shop_id = $1`,
};

/**
 * Bodies for the payments $1 with the statuses $2. Returns no row for a change without a webhook, and several for a status
 * that a payment had several times. Deliveries that share another's body are not read.
 */
export const FIND_STORED_BODIES: Statement = {
  name: 'webhooks.find_stored_bodies',
  text: `SELECT k.payment_id, k.payment_status, d.request_body
    FROM unnest($1::bigint[], $2::text[]) AS k (payment_id, payment_status)
    CROSS JOIN LATERAL (
      SELECT a.request_body FROM all_deliveries a
      WHERE a.payment_id = k.payment_id AND a.payment_status = k.payment_status AND a.body_id IS NULL
      LIMIT 100) d`,
};
