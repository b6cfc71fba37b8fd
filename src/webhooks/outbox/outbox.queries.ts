import type { Statement } from '../../platform/database/database.js';
import { FIRST_OPEN_SLOT, OWN_SLOT } from './outbox-sql.js';

/** $1 shop, $2 origin. No row when the lane exists. */
export const INSERT_LANE: Statement = {
  name: 'webhooks.insert_lane',
  text: `INSERT INTO webhook_lanes (shop_id, origin) VALUES ($1, $2)
    ON CONFLICT (shop_id, origin) DO NOTHING RETURNING id`,
};

/** $1 shop, $2 origin. */
export const FIND_LANE: Statement = {
  name: 'webhooks.find_lane',
  text: 'SELECT id FROM webhook_lanes WHERE shop_id = $1 AND origin = $2',
};

/** $1 shop to count down, $2 shop to count up, $3 payments with webhooks: 0 or 1. A row may fall below zero; a shop's sum does not. */
export const MOVE_PAYMENT: Statement = {
  name: 'webhooks.move_payment',
  text: `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT m.shop_id, ${OWN_SLOT}, m.sign, m.sign * $3::bigint
    FROM (VALUES ($1::bigint, -1), ($2::bigint, 1)) AS m (shop_id, sign)
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`,
};

/**
 * Puts at most $1 rows that nobody counts on any more together, one for each of their shops. In slot 0, where processes
 * from before the slots of connections count too.
 */
export const FOLD_COUNTERS: Statement = {
  name: 'webhooks.fold_counters',
  text: `WITH folded AS (
      DELETE FROM webhook_shop_counters WHERE (shop_id, slot) IN (
        SELECT shop_id, slot FROM webhook_shop_counters WHERE slot BETWEEN 1 AND ${FIRST_OPEN_SLOT} - 1
        ORDER BY shop_id, slot LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING shop_id, payments, payments_with_webhooks
    ), sums AS (
      INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
      SELECT shop_id, 0, sum(payments), sum(payments_with_webhooks) FROM folded GROUP BY shop_id ORDER BY shop_id
      ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
        payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks
    )
    SELECT count(*)::integer AS rows FROM folded`,
};

/** $1 shop. Always one row. */
export const SUM_COUNTERS: Statement = {
  name: 'webhooks.sum_counters',
  text: `SELECT coalesce(sum(payments), 0)::bigint AS payments,
      coalesce(sum(payments_with_webhooks), 0)::bigint AS payments_with_webhooks
    FROM webhook_shop_counters WHERE shop_id = $1`,
};

/** $1 payments, $2 a status of each. No row for a change without a webhook. */
export const FIND_STORED_BODIES: Statement = {
  name: 'webhooks.find_stored_bodies',
  text: `SELECT k.payment_id, k.payment_status, d.request_body
    FROM unnest($1::bigint[], $2::text[]) AS k (payment_id, payment_status)
    CROSS JOIN LATERAL (
      SELECT a.request_body FROM all_deliveries a
      WHERE a.payment_id = k.payment_id AND a.payment_status = k.payment_status LIMIT 1) d`,
};
