import type { Statement } from '../../platform/database/database.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** In the place of a body that was erased; no body is empty. */
export const ERASED_BODY = '';

/** A delivery without its body. */
export interface DeliveryRow {
  id: number;
  payment_id: number;
  event: string;
  payment_status: string;
  webhook_endpoint: string;
  status: DeliveryStatus;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: Date;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
}

export interface DeliveryDetailRow extends DeliveryRow {
  request_body: string;
}

export interface AttemptRow {
  number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

const COLUMNS = `id, payment_id, event, payment_status, webhook_endpoint, status, attempts, last_status_code, last_error,
  created_at, last_attempt_at, next_attempt_at, delivered_at`;

/**
 * A page of a shop's deliveries, newest first: $1 shop, $2 statuses, $3 id to stay below, $4 limit. At most `limit` rows
 * of the index are read per status, however many deliveries there are.
 */
export const LIST_DELIVERIES: Statement = {
  name: 'webhooks.list_deliveries',
  text: `SELECT page.* FROM unnest($2::text[]) AS s (status) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM webhook_deliveries
      WHERE shop_id = $1 AND status = s.status AND id < $3 ORDER BY id DESC LIMIT $4) page
    ORDER BY page.id DESC LIMIT $4`,
};

/** As LIST_DELIVERIES, of one payment: $5. */
export const LIST_PAYMENT_DELIVERIES: Statement = {
  name: 'webhooks.list_payment_deliveries',
  text: `SELECT ${COLUMNS} FROM webhook_deliveries
    WHERE payment_id = $5 AND shop_id = $1 AND status = ANY ($2::text[]) AND id < $3 ORDER BY id DESC LIMIT $4`,
};

/** $1 delivery, $2 merchant. */
export const FIND_DELIVERY: Statement = {
  name: 'webhooks.find_delivery',
  text: `SELECT ${COLUMNS}, request_body FROM webhook_deliveries WHERE id = $1 AND merchant_id = $2`,
};

/** $1 delivery. Oldest first. */
export const LIST_ATTEMPTS: Statement = {
  name: 'webhooks.list_attempts',
  text: `SELECT number, started_at, duration_ms, status_code, error, response_body FROM webhook_attempts
    WHERE delivery_id = $1 ORDER BY number`,
};

/** Starts the schedule anew. `attempts` goes on counting: it numbers the attempts, and fences late results off. */
const FRESH_RUN = `status = 'pending', attempts_in_run = 0, claimed_until = '-infinity', delivered_at = NULL,
  next_attempt_at = date_trunc('milliseconds', statement_timestamp())`;

/** $1 delivery, $2 merchant. No row when there is none, it is pending or its body is erased. */
export const RETRY_DELIVERY: Statement = {
  name: 'webhooks.retry_delivery',
  text: `UPDATE webhook_deliveries SET ${FRESH_RUN} WHERE id = $1 AND merchant_id = $2 AND status <> 'pending'
      AND request_body <> '${ERASED_BODY}'
    RETURNING ${COLUMNS}, lane_id`,
};

export interface ReplayBatchRow {
  /** The last id looked at; `null` when there was none left. */
  last_id: number | null;
  replayed: number;
  lane_ids: number[] | null;
}

/**
 * One step of a replay: $1 shop, $2 id to start after, $3 last id, $4 from, $5 to, $6 statuses, $7 how many at most. Ids
 * bound what is read, times decide. Of two replays at once each delivery is replayed by one; one whose body is erased, by
 * none.
 */
export const REPLAY_BATCH: Statement = {
  name: 'webhooks.replay_batch',
  text: `WITH batch AS MATERIALIZED (
      SELECT page.id FROM unnest($6::text[]) AS s (status) CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries
        WHERE shop_id = $1 AND status = s.status AND id > $2 AND id <= $3 ORDER BY id LIMIT $7) page
      ORDER BY page.id LIMIT $7
    ), replayed AS (
      UPDATE webhook_deliveries SET ${FRESH_RUN}
      WHERE id = ANY (ARRAY(SELECT id FROM batch)) AND status = ANY ($6::text[])
        AND created_at >= $4::timestamptz AND created_at < $5::timestamptz AND request_body <> '${ERASED_BODY}'
      RETURNING lane_id
    )
    SELECT (SELECT max(id) FROM batch) AS last_id, (SELECT count(*) FROM replayed)::int AS replayed,
      (SELECT array_agg(DISTINCT lane_id) FROM replayed) AS lane_ids`,
};

/** $1 id. The first delivery from there on. */
export const FIRST_DELIVERY_FROM: Statement = {
  name: 'webhooks.first_delivery_from',
  text: 'SELECT id, created_at FROM webhook_deliveries WHERE id >= $1 ORDER BY id LIMIT 1',
};

/** 0 when there is none. */
export const LAST_DELIVERY_ID: Statement = {
  name: 'webhooks.last_delivery_id',
  text: 'SELECT coalesce(max(id), 0)::bigint AS id FROM webhook_deliveries',
};
