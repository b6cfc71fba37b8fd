import type { Statement } from '../../platform/database/database.js';
import { insertDeliveriesFrom } from './outbox-sql.js';

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

/** One array per column, ids in the arrays' order. */
export const APPEND_DELIVERIES: Statement = {
  name: 'webhooks.append_deliveries',
  text: `WITH ${insertDeliveriesFrom(`(
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
        WITH ORDINALITY AS d (merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
          request_body, position))`)}
    SELECT`,
};

/**
 * $1 shop to count down, $2 shop to count up, $3 slot, $4 payments with webhooks: 0 or 1. A slot may fall below zero; the
 * sum over a shop's slots does not. Always in the order of the shops, so that two moves never wait for each other.
 */
export const MOVE_PAYMENT: Statement = {
  name: 'webhooks.move_payment',
  text: `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT m.shop_id, $3, m.sign, m.sign * $4::bigint
    FROM (VALUES ($1::bigint, -1), ($2::bigint, 1)) AS m (shop_id, sign) ORDER BY m.shop_id
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`,
};

/** $1 shop. Always one row. */
export const SUM_COUNTERS: Statement = {
  name: 'webhooks.sum_counters',
  text: `SELECT coalesce(sum(payments), 0)::bigint AS payments,
      coalesce(sum(payments_with_webhooks), 0)::bigint AS payments_with_webhooks
    FROM webhook_shop_counters WHERE shop_id = $1`,
};
