import type { Statement } from '../../platform/database/database.js';
import { addTo, sumsOf } from '../../platform/counters/counter.js';
import { SHOP_PAYMENTS } from './outbox-sql.js';

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

/** Moves a payment from the counter of the shop $1 to that of the shop $2; $3: 1 with a webhook, else 0. */
export const MOVE_PAYMENT: Statement = {
  name: 'webhooks.move_payment',
  text: addTo(SHOP_PAYMENTS, {
    columns: { payments: 'm.sign', payments_with_webhooks: 'm.sign * $3::bigint' },
    from: 'FROM (VALUES ($1::bigint, -1), ($2::bigint, 1)) AS m (shop_id, sign)',
  }),
};

/** Counters of the shop $1. Always returns one row. */
export const SUM_COUNTERS: Statement = {
  name: 'webhooks.sum_counters',
  text: `SELECT ${sumsOf(SHOP_PAYMENTS)} FROM webhook_shop_counters WHERE shop_id = $1`,
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
