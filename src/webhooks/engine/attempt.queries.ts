import type { Statement } from '../../platform/database/database.js';
import { LATER, seconds } from './delivery.queries.js';
import { tellEventsFrom } from './endpoint-events.queries.js';

// How attempts ended. Two shapes of one statement: RECORD takes whatever came of them, RECORD_DELIVERED what nearly all of
// them come to, for two thirds of the price (docs/decisions/049-lean-records.md). Plans: see delivery.queries.ts.

export interface ChangedEndpoint {
  lane_id: number;
  shop_id: number;
  origin: string;
}

type FailingEndpoint = ChangedEndpoint & { last_status_code: number | null; last_error: string | null };
type RecoveredEndpoint = ChangedEndpoint & { failing_since: string };

/** One row: to read a row for each of hundreds of attempts costs more than to read two lists. */
export interface RecordAnswer {
  /** Deliveries whose attempts were written. */
  ids: number[];
  /** Those of them for whose first attempt a later change of the payment waited, and since when: seconds since 1970. */
  followed: { id: number; lane_id: number; due_at: number }[];
  /** Endpoints that these attempts are the first to fail again at. */
  failing?: FailingEndpoint[] | null;
  /** Endpoints that answered 2xx again, and since when they had failed. */
  recovered?: RecoveredEndpoint[] | null;
}

/** The later change of the payment that is next, once the first attempt `d` is on record. */
const FOLLOWER = `CASE WHEN d.number = 1 THEN (
      SELECT ${seconds('e.due_at')} FROM pending_deliveries e WHERE ${LATER} ORDER BY e.payment_id, e.id LIMIT 1) END`;

const OF_ATTEMPT = `id, lane_id, payment_id, merchant_id, shop_id, webhook_endpoint, outcome, number, started_at,
        duration_ms, status_code, error, response_body`;

const STARTED_AT = `to_timestamp(r.started_s) AS started_at`;

/** The fence: the row is as it was claimed. */
const IS_OURS = `d.id = r.id AND d.attempts = r.attempts AND d.claimed_until = r.lease`;

/** From `gone`: what has ended becomes a header. From `recorded`: attempts. */
const written = (recorded: string): string => `ended AS (
      INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, status, attempts, attempts_in_run, next_attempt_at, claimed_until, last_status_code,
        last_error, created_at, last_attempt_at, delivered_at)
      SELECT id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes,
        outcome, number, attempts_in_run + 1, NULL, NULL, status_code, error, created_at, started_at,
        CASE WHEN outcome = 'delivered' THEN started_at + duration_ms * interval '1 millisecond' END
      FROM gone
    ), attempts AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
      SELECT id, number, started_at, duration_ms, status_code, error, response_body FROM ${recorded}
    )`;

/**
 * Records how attempts ended, one array per column: $1 id, $2 attempts when claimed, $3 started at in seconds since 1970,
 * $4 duration in ms, $5 status code, $6 answer's text, $7 the lease, $8 status now, $9 ms until the next attempt, $10 error.
 * What has ended leaves the queue and becomes a header; what has not is due again. Answers what it recorded.
 * The fence: where `attempts` has moved on or somebody else has the lease, the result changes nothing and leaves no
 * attempt. Otherwise the delay before the next attempt would begin while the new holder is about to send. For the same
 * reason the statement may be repeated. What a merchant should hear of is told with it.
 */
const ANY_OUTCOME = `WITH r AS MATERIALIZED (
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::float8[], $4::int[], $5::smallint[], $6::text[],
          $7::timestamptz[], $8::text[], $9::bigint[], $10::text[])
        AS r (id, attempts, started_s, duration_ms, status_code, response_body, lease, outcome, wait_ms, error)
    ), locked AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY ($1) ORDER BY d.id FOR UPDATE
    ), gone AS (
      DELETE FROM pending_deliveries d USING r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND ${IS_OURS} AND r.outcome <> 'pending'
      RETURNING d.*, r.outcome, r.attempts + 1 AS number, r.status_code, r.error, ${STARTED_AT}, r.duration_ms, r.response_body
    ), again AS (
      UPDATE pending_deliveries d SET attempts = d.attempts + 1, attempts_in_run = d.attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_error = r.error,
        last_attempt_at = to_timestamp(r.started_s), due_at = statement_timestamp() + r.wait_ms * interval '1 millisecond'
      FROM r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND ${IS_OURS} AND r.outcome = 'pending'
      RETURNING d.id, d.lane_id, d.payment_id, d.merchant_id, d.shop_id, d.webhook_endpoint, r.outcome,
        d.attempts AS number, r.status_code, r.error, ${STARTED_AT}, r.duration_ms, r.response_body
    ), recorded AS (
      SELECT ${OF_ATTEMPT} FROM gone UNION ALL SELECT ${OF_ATTEMPT} FROM again
    ), ${written('recorded')}, ${tellEventsFrom('gone', 'recorded')}`;

/**
 * The same for attempts that were answered 2xx, $1 to $7, in the order of their ids: the rows are locked as they are
 * deleted. What belongs to an endpoint that counts as failing is left alone, as its mark has to go with the record.
 * - `(SELECT $1)` hides how many there are: with a plan for each number PostgreSQL would plan it anew each time.
 * - `OFFSET 0`: the mark is looked up for each row, and never joined.
 */
const DELIVERED = `WITH gone AS (
      DELETE FROM pending_deliveries d
      USING unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]), (SELECT $4::int[]),
          (SELECT $5::smallint[]), (SELECT $6::text[]), (SELECT $7::timestamptz[]))
        AS r (id, attempts, started_s, duration_ms, status_code, response_body, lease)
      WHERE ${IS_OURS} AND NOT EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = d.lane_id OFFSET 0)
      RETURNING d.*, 'delivered' AS outcome, r.attempts + 1 AS number, r.status_code, NULL::text AS error, ${STARTED_AT},
        r.duration_ms, r.response_body
    ), ${written('gone')}`;

const answered = (recorded: string): string =>
  `coalesce(json_agg(id), '[]') AS ids, coalesce(json_agg(d) FILTER (WHERE due_at IS NOT NULL), '[]') AS followed
    FROM (SELECT d.id, d.lane_id, ${FOLLOWER} AS due_at FROM ${recorded} d) d`;

/** `null` where no endpoint changed, which is nearly always. */
const CHANGED_ENDPOINTS = `(SELECT json_agg(m) FROM marked m) AS failing,
      (SELECT json_agg(json_build_object('lane_id', lane_id, 'shop_id', shop_id, 'origin', origin, 'failing_since', failing_since))
        FROM recovered) AS recovered`;

export const RECORD: Statement = {
  name: 'webhooks.record',
  text: `${ANY_OUTCOME} SELECT ${CHANGED_ENDPOINTS}, ${answered('recorded')}`,
};

export const RECORD_DELIVERED: Statement = {
  name: 'webhooks.record_delivered',
  text: `${DELIVERED} SELECT ${answered('gone')}`,
};
