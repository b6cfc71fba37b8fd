import type { Statement } from '../../platform/database/database.js';
import type { EndpointFormat } from './secrets/receiver.js';
import { SHOPS } from '../../shared/relations.js';

/** The number of standing endpoints of the merchant $1, counted up to $2. */
export const COUNT_STANDING: Statement = {
  name: 'webhooks.count_standing',
  text: `SELECT count(*)::int AS count FROM (
      SELECT FROM webhook_endpoints WHERE merchant_id = $1 AND status <> 'deleted' LIMIT $2) counted`,
};

/** The ids among $2 of the merchant's ($1) shops. */
export const OWN_SHOP_IDS: Statement = {
  name: 'webhooks.own_shop_ids',
  text: `SELECT id FROM ${SHOPS} shop WHERE merchant_id = $1 AND id = ANY ($2::bigint[])`,
};

/** The id of a new standing endpoint and of its first lane; needed before the insert because its secrets are bound to it. */
export const TAKE_ENDPOINT_ID: Statement = {
  name: 'webhooks.take_endpoint_id',
  text: `SELECT nextval(pg_get_serial_sequence('webhook_lanes', 'id')) AS id`,
};

/**
 * Inserts a standing endpoint and its first lane: $1 id, $2 merchant, $3 origin, $4 address, $5 description, $6 shops, $7
 * event types, $8 format, $9 maximum per second, $10 whether deliveries are repeated on recovery, $11 secret, $12 headers,
 * $13 authentication, the last three encrypted.
 */
export const INSERT_STANDING: Statement = {
  name: 'webhooks.insert_standing',
  text: `WITH lane AS (
      INSERT INTO webhook_lanes (id, endpoint_id, merchant_id, origin) VALUES ($1, $1, $2, $3)
    )
    INSERT INTO webhook_endpoints (id, lane_id, merchant_id, url, description, shop_ids, event_types, format, max_per_second,
      redeliver_on_recovery, sealed_secret, sealed_headers, sealed_auth)
    VALUES ($1, $1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
};

/** The settings of a standing endpoint that a change builds on. */
export interface StoredSettings {
  lane_id: number;
  url: string;
  description: string | null;
  shop_ids: number[] | null;
  event_types: string[];
  format: EndpointFormat;
  max_per_second: number | null;
  redeliver_on_recovery: boolean;
  sealed_headers: Buffer | null;
  sealed_auth: Buffer | null;
}

/**
 * The settings of the standing endpoint $1 of the merchant $2. Locks the row: of two concurrent changes, the second is
 * based on the result of the first.
 */
export const LOCK_SETTINGS: Statement = {
  name: 'webhooks.lock_settings',
  text: `SELECT lane_id, url, description, shop_ids, event_types, format, max_per_second, redeliver_on_recovery,
      sealed_headers, sealed_auth
    FROM webhook_endpoints WHERE id = $1 AND merchant_id = $2 AND status <> 'deleted' FOR NO KEY UPDATE`,
};

/** The lane of the standing endpoint $1 of the merchant $2 and the origin $3; inserts it if it is new. Call it with the endpoint locked. */
export const LANE_OF_STANDING: Statement = {
  name: 'webhooks.lane_of_standing',
  text: `WITH added AS (
      INSERT INTO webhook_lanes (endpoint_id, merchant_id, origin) VALUES ($1, $2, $3)
      ON CONFLICT (endpoint_id, origin) WHERE endpoint_id IS NOT NULL DO NOTHING RETURNING id
    )
    SELECT id FROM added UNION ALL SELECT id FROM webhook_lanes WHERE endpoint_id = $1 AND origin = $3`,
};

/**
 * Writes the settings of the standing endpoint $1: $2 lane, $3 address, $4 description, $5 shops, $6 event types, $7
 * format, $8 maximum per second, $9 whether deliveries are repeated on recovery, $10 headers and $11 authentication.
 */
export const UPDATE_STANDING: Statement = {
  name: 'webhooks.update_standing',
  text: `UPDATE webhook_endpoints SET lane_id = $2, url = $3, description = $4, shop_ids = $5, event_types = $6, format = $7,
      max_per_second = $8, redeliver_on_recovery = $9, sealed_headers = $10, sealed_auth = $11, updated_at = clock_timestamp()
    WHERE id = $1`,
};
