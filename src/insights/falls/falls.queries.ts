import type { Statement } from '../../platform/database/database.js';
import { isoTime } from '../../platform/database/iso-time.js';
import { SHOPS } from '../../shared/relations.js';
import { EVENT_POSITION, insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';

/** The merchants with attempts since $1. */
export const ACTIVE_MERCHANTS: Statement = {
  name: 'falls.active_merchants',
  text: `SELECT m.id FROM (SELECT DISTINCT merchant_id AS id FROM ${SHOPS} shop) m WHERE EXISTS (
      SELECT FROM approval_falls f WHERE f.merchant_id = m.id
      UNION ALL
      SELECT FROM ${SHOPS} s CROSS JOIN LATERAL (
        SELECT FROM approval_cells c WHERE c.merchant_id = m.id AND c.by_bin = false AND c.shop_id = s.id AND c.hour >= $1 LIMIT 1
      ) c WHERE s.merchant_id = m.id)
    ORDER BY m.id`,
};

export interface FallRow {
  shop_id: number;
  shop_name: string;
  scheme: string;
  fell_at: Date;
  rate: number;
  rate_before: number;
  attempts: number;
}

/** The falls of the merchant $1, the latest first, at most $2. */
export const FALLS: Statement = {
  name: 'falls.list',
  text: `SELECT f.shop_id, s.name AS shop_name, f.scheme, f.fell_at, f.rate, f.rate_before, f.attempts
    FROM approval_falls f JOIN ${SHOPS} s ON s.id = f.shop_id
    WHERE f.merchant_id = $1 ORDER BY f.fell_at DESC, f.shop_id, f.scheme LIMIT $2`,
};

/**
 * Writes what a look found, with the events of falls: $1 merchant, $2 to $7 shops, schemes, rates, rates before, attempts and
 * attempts before of falls, $8 shops and $9 schemes of those that are over. Of several workers that found a fall, one writes it.
 */
export const WRITE_FALLS: Statement = {
  name: 'falls.write',
  text: `WITH over AS (
      DELETE FROM approval_falls f USING unnest($8::bigint[], $9::text[]) AS o (shop_id, scheme)
      WHERE f.merchant_id = $1 AND f.shop_id = o.shop_id AND f.scheme = o.scheme
    ), fallen AS (
      INSERT INTO approval_falls (merchant_id, shop_id, scheme, rate, rate_before, attempts, attempts_before)
      SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::float8[], $5::float8[], $6::bigint[], $7::bigint[])
      ON CONFLICT DO NOTHING RETURNING *
    ), ${insertEvents(
      ['shop_id'],
      `SELECT ${EVENT_POSITION}, f.merchant_id, f.shop_id, 'approvals.fell', json_build_object('shop_name', s.name,
          'card_scheme', nullif(f.scheme, ''), 'approval_rate', round(f.rate::numeric, 4),
          'approval_rate_before', round(f.rate_before::numeric, 4), 'attempts', f.attempts,
          'attempts_before', f.attempts_before, 'fell_at', ${isoTime('f.fell_at')})
        FROM fallen f JOIN ${SHOPS} s ON s.id = f.shop_id`,
    )}
    SELECT shop_id, scheme FROM fallen`,
};
