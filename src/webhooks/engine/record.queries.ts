import type { Statement } from '../../platform/database/database.js';
import type { ChangedEndpoints } from '../endpoint/health/endpoint-log.js';
import { endpointEventsOf } from '../endpoint/health/endpoint-events.queries.js';
import { LATER, seconds } from './claim.queries.js';

/** Result, in one row: reading two lists costs less than reading hundreds of rows. */
export interface RecordAnswer extends ChangedEndpoints {
  /** Deliveries whose attempts were written. */
  ids: number[];
  /** Deliveries of `ids` with a successor that waited for their first attempt. `due_at` of the successor: seconds since 1970. */
  successors: { id: number; lane_id: number; due_at: number }[];
}

const ATTEMPT_COLUMNS = `id, lane_id, payment_id, merchant_id, shop_id, endpoint_id, event, webhook_endpoint, outcome, number, started_at,
        duration_ms, status_code, error, error_message, response_body`;

const STARTED_AT = `to_timestamp(r.started_s) AS started_at`;

/** The fence: the row is unchanged since the claim. */
const IS_OURS = `d.id = r.id AND d.attempts = r.attempts AND d.claimed_until = r.lease`;

/** Due time of the payment's next change, after the first attempt of `d` is recorded. */
const SUCCESSOR_DUE_AT = `CASE WHEN d.number = 1 THEN (
        SELECT ${seconds('e.due_at')} FROM pending_deliveries e WHERE ${LATER} ORDER BY e.payment_id, e.id LIMIT 1) END`;

/** CTEs from `gone`, finished deliveries with their last attempts, and from `recorded`, attempts. */
const movedFrom = (recorded: string): string => `ended AS (
      INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, endpoint_id, body_id, status, attempts, attempts_in_run, next_attempt_at, claimed_until, last_status_code,
        last_error, created_at, last_attempt_at, delivered_at)
      SELECT id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes,
        endpoint_id, body_id, outcome, number, attempts_in_run + 1, NULL, NULL, status_code, error, created_at, started_at,
        CASE WHEN outcome = 'delivered' THEN started_at + duration_ms * interval '1 millisecond' END
      FROM gone
    ), attempts AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, error_message, response_body)
      SELECT id, number, started_at, duration_ms, status_code, error, error_message, response_body FROM ${recorded}
    )`;

const answerFrom = (
  recorded: string,
): string => `coalesce(json_agg(id), '[]') AS ids, coalesce(json_agg(d) FILTER (WHERE due_at IS NOT NULL), '[]') AS successors
    FROM (SELECT d.id, d.lane_id, ${SUCCESSOR_DUE_AT} AS due_at FROM ${recorded} d) d`;

/**
 * Records the results of attempts, one array per column: $1 id, $2 attempts when claimed, $3 started at in seconds since
 * 1970, $4 duration in ms, $5 status code, $6 text of the answer, $7 the lease, $8 new status, $9 ms until the next
 * attempt, $10 error, $11 a sentence about it. A finished delivery moves from the queue to `webhook_deliveries`; any other delivery becomes due
 * again. Returns the recorded deliveries.
 * - The fence: if `attempts` has increased or another worker has the lease, the result changes nothing and writes no
 *   attempt. Otherwise the delay before the next attempt would start while the new holder is about to send. The fence
 *   also makes the statement repeatable.
 * - The same statement writes the merchants' events, so each is written exactly once.
 * - Query plans: see claim.queries.ts.
 */
export const RECORD: Statement = {
  name: 'webhooks.record',
  text: `WITH r AS MATERIALIZED (
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::float8[], $4::int[], $5::smallint[], $6::text[],
          $7::timestamptz[], $8::text[], $9::bigint[], $10::text[], $11::text[])
        AS r (id, attempts, started_s, duration_ms, status_code, response_body, lease, outcome, wait_ms, error, error_message)
    ), locked AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY ($1) ORDER BY d.id FOR UPDATE
    ), gone AS (
      DELETE FROM pending_deliveries d USING r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND ${IS_OURS} AND r.outcome <> 'pending'
      RETURNING d.*, r.outcome, r.attempts + 1 AS number, r.status_code, r.error, r.error_message,
        ${STARTED_AT}, r.duration_ms, r.response_body
    ), again AS (
      UPDATE pending_deliveries d SET attempts = d.attempts + 1, attempts_in_run = d.attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_error = r.error,
        last_attempt_at = to_timestamp(r.started_s), due_at = statement_timestamp() + r.wait_ms * interval '1 millisecond'
      FROM r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND ${IS_OURS} AND r.outcome = 'pending'
      RETURNING d.id, d.lane_id, d.payment_id, d.merchant_id, d.shop_id, d.endpoint_id, d.event, d.webhook_endpoint, r.outcome,
        d.attempts AS number, r.status_code, r.error, r.error_message, ${STARTED_AT}, r.duration_ms, r.response_body
    ), recorded AS (
      SELECT ${ATTEMPT_COLUMNS} FROM gone UNION ALL SELECT ${ATTEMPT_COLUMNS} FROM again
    ), ${movedFrom('recorded')}, ${endpointEventsOf('gone', 'recorded')}
    SELECT (SELECT json_agg(m) FROM marked m) AS failing,
      (SELECT json_agg(json_build_object('lane_id', lane_id, 'shop_id', shop_id, 'origin', origin, 'failing_since', failing_since))
        FROM recovered) AS recovered,
      ${answerFrom('recorded')}`,
};

/**
 * {@link RECORD} for attempts that delivered, $1 to $7, which nearly all do: half the time. It leaves the deliveries of failing endpoints to
 * `RECORD`, which writes the events of their recovery. The arrays are sorted by id, and are read in that order, so that rows are
 * locked in the same order.
 */
export const RECORD_DELIVERED: Statement = {
  name: 'webhooks.record_delivered',
  text: `WITH gone AS (
      DELETE FROM pending_deliveries d
      USING unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]), (SELECT $4::int[]),
          (SELECT $5::smallint[]), (SELECT $6::text[]), (SELECT $7::timestamptz[]))
        AS r (id, attempts, started_s, duration_ms, status_code, response_body, lease)
      WHERE ${IS_OURS} AND NOT EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = d.lane_id OFFSET 0)
      RETURNING d.*, 'delivered' AS outcome, r.attempts + 1 AS number, r.status_code, NULL::text AS error,
        NULL::text AS error_message, ${STARTED_AT}, r.duration_ms, r.response_body
    ), ${movedFrom('gone')}
    SELECT NULL AS failing, NULL AS recovered, ${answerFrom('gone')}`,
};
