import type { Statement } from '../../platform/database/database.js';
import { LAZY_COMMIT } from '../../platform/database/lazy-commit.js';

/**
 * Of one payment, a later change is claimable only when the first attempt of every earlier one has ended. The OR keeps
 * the planner from turning this into a join over all that is pending.
 */
const IN_TURN = `(d.attempts > 0 OR NOT EXISTS (
      SELECT 1 FROM webhook_deliveries e
      WHERE e.payment_id = d.payment_id AND e.id < d.id AND e.status = 'pending' AND e.attempts = 0))`;

/**
 * Times are the statement's: a volatile clock could not bound the index scan, which would then read every sleeping retry
 * of the lane.
 */
const DUE = `d.status = 'pending' AND d.next_attempt_at <= statement_timestamp()`;

/**
 * Takes due deliveries of several lanes under a lease: $1 lanes, $2 how many of each at most, $3 lease in ms. Several
 * workers never get the same row: what one has locked the others skip, what it has leased they see as leased.
 * - Not flushed to disk before it answers: a lease that a crash of the server loses was worth nothing any more.
 * - `(SELECT $1)`: the planner knows as little of the arrays as it would of any, so that one plan serves all.
 * - By `ctid`, and not a join: the rows are locked, and whatever is thought of the table's size they are just fetched.
 */
export const CLAIM: Statement = {
  name: 'webhooks.claim',
  text: `WITH ${LAZY_COMMIT}
    UPDATE webhook_deliveries d
    SET claimed_until = statement_timestamp() + $3 * interval '1 millisecond'
    FROM lazy
    WHERE d.ctid = ANY (ARRAY(
      SELECT due.row FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[])) AS l (lane_id, quota)
      CROSS JOIN LATERAL (
        SELECT d.ctid AS row FROM webhook_deliveries d
        WHERE d.lane_id = l.lane_id AND ${DUE} AND d.claimed_until <= statement_timestamp() AND ${IN_TURN}
        ORDER BY d.next_attempt_at, d.id LIMIT l.quota FOR UPDATE SKIP LOCKED
      ) due))
    RETURNING d.id, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint, d.request_body,
      extract(epoch FROM d.next_attempt_at)::float8 AS due_at, d.claimed_until::text AS lease,
      d.attempts, d.attempts_in_run, d.attempts = 0 AND EXISTS (
        SELECT 1 FROM webhook_deliveries e
        WHERE e.payment_id = d.payment_id AND e.id > d.id AND e.status = 'pending') AS blocks_later`,
};

/** $1 ids, $2 the leases held, $3 the new ones in ms, which begin anew. Answers those that nobody else has taken since. */
export const RENEW_LEASES: Statement = {
  name: 'webhooks.renew_leases',
  text: `UPDATE webhook_deliveries d
    SET claimed_until = statement_timestamp() + $3 * interval '1 millisecond'
    FROM unnest($1::bigint[], $2::timestamptz[]) AS held (id, lease)
    WHERE d.id = ANY ($1) AND d.id = held.id AND d.claimed_until = held.lease AND d.status = 'pending'
    RETURNING d.id, d.claimed_until::text AS lease`,
};

/**
 * Records how attempts ended, one array per column: $1 id, $2 attempts when claimed, $3 status now, $4 ms until the next
 * attempt, $5 status code, $6 error, $7 started at, $8 duration in ms, $9 answer's text, $10 the lease. Answers the ids
 * recorded.
 * The fence: where `attempts` has moved on or somebody else has the lease, the result changes nothing and leaves no
 * attempt. Otherwise the delay before the next attempt would begin while the new holder is about to send. For the same
 * reason the statement may be repeated.
 */
export const RECORD: Statement = {
  name: 'webhooks.record',
  text: `WITH recorded AS (
      UPDATE webhook_deliveries d SET status = r.status, attempts = d.attempts + 1, attempts_in_run = d.attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_error = r.error, last_attempt_at = r.started_at,
        next_attempt_at = CASE WHEN r.status = 'pending' THEN statement_timestamp() + r.wait_ms * interval '1 millisecond' END,
        delivered_at = CASE WHEN r.status = 'delivered' THEN r.started_at + r.duration_ms * interval '1 millisecond' END
      FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::smallint[], $6::text[], $7::timestamptz[], $8::int[], $9::text[], $10::timestamptz[])
        AS r (id, attempts, status, wait_ms, status_code, error, started_at, duration_ms, response_body, lease)
      WHERE d.id = ANY ($1) AND d.id = r.id AND d.attempts = r.attempts AND d.claimed_until = r.lease AND d.status = 'pending'
      RETURNING d.id, d.attempts, r.started_at, r.duration_ms, r.status_code, r.error, r.response_body
    )
    INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
    SELECT id, attempts, started_at, duration_ms, status_code, error, response_body FROM recorded
    RETURNING delivery_id`,
};

export interface RecordedRow {
  delivery_id: number;
}

/** Of a lane's oldest due rows, how many are looked at for a lease: a lane being drained has some in front. */
const LOOK_AT = 8;

/**
 * Lanes with something due. A first attempt counts only after $1 ms: until then its own wake-up is under way.
 * A loose index scan: one probe per lane that has anything pending, however many deliveries sleep or wait there, and a
 * few rows of those lanes where the oldest is due.
 */
export const DUE_LANES: Statement = {
  name: 'webhooks.due_lanes',
  text: `WITH RECURSIVE lanes AS (
      (SELECT lane_id, next_attempt_at FROM webhook_deliveries WHERE status = 'pending'
        ORDER BY lane_id, next_attempt_at, id LIMIT 1)
      UNION ALL
      SELECT n.lane_id, n.next_attempt_at FROM lanes l CROSS JOIN LATERAL (
        SELECT d.lane_id, d.next_attempt_at FROM webhook_deliveries d WHERE d.status = 'pending' AND d.lane_id > l.lane_id
        ORDER BY d.lane_id, d.next_attempt_at, d.id LIMIT 1) n
    )
    SELECT l.lane_id, (extract(epoch FROM statement_timestamp() - l.next_attempt_at) * 1000)::float8 AS overdue_ms,
      coalesce(oldest.is_idle, false) AS is_idle, coalesce(oldest.is_unanswered, false) AS is_unanswered
    FROM lanes l CROSS JOIN LATERAL (
      SELECT bool_and(d.claimed_until <= statement_timestamp()) AND bool_or(
          (d.attempts > 0 OR d.next_attempt_at <= statement_timestamp() - $1 * interval '1 millisecond') AND ${IN_TURN}) AS is_idle,
          bool_or(d.attempts > 0 AND d.last_status_code IS NULL) AS is_unanswered
      FROM (SELECT * FROM webhook_deliveries d WHERE d.lane_id = l.lane_id AND ${DUE}
        ORDER BY d.next_attempt_at, d.id LIMIT ${LOOK_AT}) d
    ) oldest
    WHERE l.next_attempt_at <= statement_timestamp()`,
};

/** $1 lanes. */
export const FIND_LANES: Statement = {
  name: 'webhooks.find_lanes',
  text: `SELECT l.id, l.shop_id, s.merchant_id, l.origin FROM webhook_lanes l JOIN shops s ON s.id = l.shop_id
    WHERE l.id = ANY ($1::bigint[])`,
};

/** $1 ids, $2 the leases held. */
export const HAND_BACK: Statement = {
  name: 'webhooks.hand_back',
  text: `UPDATE webhook_deliveries d SET claimed_until = '-infinity'
    FROM unnest($1::bigint[], $2::timestamptz[]) AS held (id, lease)
    WHERE d.id = ANY ($1) AND d.id = held.id AND d.claimed_until = held.lease AND d.status = 'pending'`,
};
