import type { Statement } from '../../platform/database/database.js';
import { sealedSecretsOf } from '../../shops/shop-summary.js';
import type { SealedSecrets } from '../../shops/webhook-secrets.js';
import type { ClaimedRow } from './delivery-store.js';
import { LAZY_COMMIT } from '../../platform/database/writes.js';
import { tellEventsFrom } from './endpoint-events.queries.js';

// Every statement here keeps its plan whatever the statistics of the queue say, which is often analysed while it is empty
// (test/integration/webhooks/plans.spec.ts). `id + 0`, `(SELECT $1)` and `= ANY (ARRAY(…))` are there for that: they leave
// the planner one index to go by. Whatever waits for a lock takes its rows in the order of their ids; claims only skip.

const EARLIER = `e.payment_id = d.payment_id AND e.id + 0 < d.id`;
const LATER = `e.payment_id = d.payment_id AND e.id + 0 > d.id`;

/** Of one payment, a later change is claimable only when the first attempt of every earlier one has ended. */
const IN_TURN = `(d.attempts > 0 OR NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${EARLIER} AND e.attempts = 0))`;

/** A time as seconds since 1970. */
const seconds = (time: string): string => `extract(epoch FROM ${time})::float8`;

/** A row of `claimOn`. */
export interface ClaimRow extends Omit<ClaimedRow, 'request_body' | 'sealed_secrets'> {
  /** YYYY-MM-DD. */
  body_day: string;
  /** `null`: the body is in the partition of another day. */
  request_body: string | null;
}

/** The first row comes also when nothing was claimed, then with all else `null`. */
export type ClaimAnswer = {
  /** The statement's time: seconds since 1970. */
  clock: number;
  /** Of the shops of all rows, in the first row alone. */
  secrets: SealedSecrets[] | null;
} & (ClaimRow | { id: null });

/** A column of the body of the delivery `d`; `NULL` when the body is of another day. */
const ofBody = (column: string, day: string): string => `(SELECT b.${column} FROM webhook_bodies b
          WHERE b.day = DATE '${day}' AND d.body_day = DATE '${day}' AND b.delivery_id = d.id)`;

/**
 * Of a claimed row; a body of another day is left out. What the body's trace is costs another look at its row, and is read
 * where somebody wants to know.
 */
const claimedColumns = (
  day: string,
  isTraced: boolean,
): string => `d.id, webhook_id(d.id, d.created_at) AS webhook_id, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint,
        d.body_day::text AS body_day, ${ofBody('body', day)} AS request_body,${isTraced ? ` ${ofBody('traceparent', day)} AS traceparent,` : ''}
        ${seconds('d.due_at')} AS due_at, d.claimed_until::text AS lease, d.attempts, d.attempts_in_run,
        d.attempts = 0 AND EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${LATER}) AS blocks_later`;

/** In the first row, of the shops of all that is in `claimed`. */
const SECRETS_ONCE = `CASE WHEN row_number() OVER () = 1
      THEN ${sealedSecretsOf('ARRAY(SELECT shop_id FROM claimed)')} END AS secrets`;

/**
 * Takes due deliveries of several lanes under a lease: $1 lanes, $2 how many of each at most, $3 bytes of body of each at
 * most, $4 where to begin in each, in seconds since 1970, $5 lease in ms. Several workers never get the same row: what one
 * has locked the others skip, what it has leased they see as leased.
 * - Not flushed to disk before it answers: a lease that a crash of the server loses was worth nothing any more.
 * - By `ctid`, and not a join: the rows are locked, and whatever is thought of the table's size they are just fetched.
 * - Times are the statement's: a volatile clock could not bound the index scan, which would then read every sleeping
 *   retry of the lane.
 * - Secrets once per shop, and in one row: with each row they would be a sixth of what is sent.
 * - `day`, YYYY-MM-DD, is part of the text: so the plan has one partition of the bodies, and not all that are kept.
 */
export const claimOn = (day: string, isTraced = false): Statement => ({
  name: `webhooks.claim_${day}`,
  text: `WITH ${LAZY_COMMIT}, claimed AS (
      UPDATE pending_deliveries d
      SET claimed_until = statement_timestamp() + $5 * interval '1 millisecond'
      FROM lazy
      WHERE d.ctid = ANY (ARRAY(
        SELECT due.row FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]), (SELECT $4::float8[]))
          AS l (lane_id, quota, max_bytes, floor)
        CROSS JOIN LATERAL (
          SELECT c.row, sum(c.body_bytes) OVER oldest_first AS bytes, row_number() OVER oldest_first AS place
          FROM (
            SELECT d.ctid AS row, d.due_at, d.id, d.body_bytes FROM pending_deliveries d
            WHERE d.lane_id = l.lane_id AND d.due_at <= statement_timestamp() AND d.due_at >= to_timestamp(l.floor)
              AND d.claimed_until <= statement_timestamp() AND ${IN_TURN}
            ORDER BY d.due_at, d.id LIMIT l.quota FOR UPDATE SKIP LOCKED
          ) c
          WINDOW oldest_first AS (ORDER BY c.due_at, c.id ROWS UNBOUNDED PRECEDING)
        ) due
        WHERE due.place = 1 OR due.bytes <= l.max_bytes))
      RETURNING ${claimedColumns(day, isTraced)}
    )
    SELECT ${seconds('statement_timestamp()')} AS clock,
      ${SECRETS_ONCE}, claimed.*
    FROM (SELECT) always LEFT JOIN claimed ON true`,
});

/** $1 deliveries, $2 the days of their bodies. For the few whose body is not of today: it looks into every partition. */
export const FIND_BODIES: Statement = {
  name: 'webhooks.find_bodies',
  text: `SELECT b.delivery_id, b.body, b.traceparent FROM unnest($1::bigint[], $2::date[]) AS k (delivery_id, day)
    CROSS JOIN LATERAL (
      SELECT b.delivery_id, b.body, b.traceparent FROM webhook_bodies b WHERE b.day = k.day AND b.delivery_id = k.delivery_id OFFSET 0) b`,
};

/** Those of the leases $2 of the deliveries $1 that are still held, locked. */
const HELD = `held AS MATERIALIZED (
      SELECT d.id, l.lease FROM unnest($1::bigint[], $2::timestamptz[]) AS l (id, lease)
      CROSS JOIN LATERAL (SELECT d.id, d.claimed_until FROM pending_deliveries d WHERE d.id = l.id OFFSET 0) d
      WHERE d.claimed_until = l.lease
    ), locked AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY (ARRAY(SELECT id FROM held)) ORDER BY d.id FOR UPDATE
    )`;

/** $1 ids, $2 the leases held, $3 the new ones in ms, which begin anew. Answers those that nobody else has taken since. */
export const RENEW_LEASES: Statement = {
  name: 'webhooks.renew_leases',
  text: `WITH ${HELD}
    UPDATE pending_deliveries d SET claimed_until = statement_timestamp() + $3 * interval '1 millisecond'
    FROM held
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = held.id AND d.claimed_until = held.lease
    RETURNING d.id, d.claimed_until::text AS lease`,
};

/** Where in a lane something is due again: seconds since 1970. */
export interface DueAgainRow {
  lane_id: number;
  due_at: number;
}

/** $1 ids, $2 the leases held. */
export const HAND_BACK: Statement = {
  name: 'webhooks.hand_back',
  text: `WITH ${HELD}
    UPDATE pending_deliveries d SET claimed_until = '-infinity'
    FROM held
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = held.id AND d.claimed_until = held.lease
    RETURNING d.lane_id, ${seconds('d.due_at')} AS due_at`,
};

export interface RecordedRow {
  delivery_id: number;
  lane_id: number;
  /** When the change became due that waited for this first attempt, in seconds since 1970; `null` for none. */
  follower_due_at: number | null;
}

/** The later change of the payment that is next, once the first attempt `d` is on record. */
const FOLLOWER = `CASE WHEN d.number = 1 THEN (
      SELECT ${seconds('e.due_at')} FROM pending_deliveries e WHERE ${LATER} ORDER BY e.payment_id, e.id LIMIT 1) END`;

const OF_ATTEMPT = `id, lane_id, payment_id, merchant_id, shop_id, webhook_endpoint, outcome, number, started_at,
        duration_ms, status_code, error, response_body`;

/**
 * Records how attempts ended, one array per column: $1 id, $2 attempts when claimed, $3 status now, $4 ms until the next
 * attempt, $5 status code, $6 error, $7 started at, $8 duration in ms, $9 answer's text, $10 the lease. What has ended
 * leaves the queue and becomes a header; what has not is due again. Answers what it recorded.
 * The fence: where `attempts` has moved on or somebody else has the lease, the result changes nothing and leaves no
 * attempt. Otherwise the delay before the next attempt would begin while the new holder is about to send. For the same
 * reason the statement may be repeated. What a merchant should hear of is told with it.
 */
const RECORDING = `WITH r AS MATERIALIZED (
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::smallint[], $6::text[],
          $7::timestamptz[], $8::int[], $9::text[], $10::timestamptz[])
        AS r (id, attempts, outcome, wait_ms, status_code, error, started_at, duration_ms, response_body, lease)
    ), locked AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY ($1) ORDER BY d.id FOR UPDATE
    ), gone AS (
      DELETE FROM pending_deliveries d USING r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = r.id AND d.attempts = r.attempts
        AND d.claimed_until = r.lease AND r.outcome <> 'pending'
      RETURNING d.*, r.outcome, r.attempts + 1 AS number, r.status_code, r.error, r.started_at, r.duration_ms, r.response_body
    ), again AS (
      UPDATE pending_deliveries d SET attempts = d.attempts + 1, attempts_in_run = d.attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_error = r.error, last_attempt_at = r.started_at,
        due_at = statement_timestamp() + r.wait_ms * interval '1 millisecond'
      FROM r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = r.id AND d.attempts = r.attempts
        AND d.claimed_until = r.lease AND r.outcome = 'pending'
      RETURNING d.id, d.lane_id, d.payment_id, d.merchant_id, d.shop_id, d.webhook_endpoint, r.outcome,
        d.attempts AS number, r.status_code, r.error, r.started_at, r.duration_ms, r.response_body
    ), ended AS (
      INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, status, attempts, attempts_in_run, next_attempt_at, claimed_until, last_status_code,
        last_error, created_at, last_attempt_at, delivered_at)
      SELECT id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes,
        outcome, number, attempts_in_run + 1, NULL, NULL, status_code, error, created_at, started_at,
        CASE WHEN outcome = 'delivered' THEN started_at + duration_ms * interval '1 millisecond' END
      FROM gone
    ), recorded AS (
      SELECT ${OF_ATTEMPT} FROM gone UNION ALL SELECT ${OF_ATTEMPT} FROM again
    ), attempts AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
      SELECT id, number, started_at, duration_ms, status_code, error, response_body FROM recorded
    ), ${tellEventsFrom('gone', 'recorded')}`;
const RECORDED = `d.id AS delivery_id, d.lane_id, ${FOLLOWER} AS follower_due_at FROM recorded d`;

export const RECORD: Statement = { name: 'webhooks.record', text: `${RECORDING} SELECT ${RECORDED}` };

/**
 * The same, and after the first attempts $11 it takes their payments' next changes under a lease of $12 ms: in the same
 * lane, due, and their turn now. The snapshot still has the recorded rows as untried, hence `r.id`.
 */
export const recordAndClaimOn = (day: string, isTraced = false): Statement => ({
  name: `webhooks.record_and_claim_${day}`,
  text: `${RECORDING}, claimed AS (
      UPDATE pending_deliveries d SET claimed_until = statement_timestamp() + $12 * interval '1 millisecond'
      WHERE d.ctid = ANY (ARRAY(
        SELECT next.row FROM recorded r CROSS JOIN LATERAL (
          SELECT d.ctid AS row FROM pending_deliveries d
          WHERE d.payment_id = r.payment_id AND d.id + 0 > r.id AND d.lane_id + 0 = r.lane_id AND d.attempts = 0
            AND d.due_at + interval '0' <= statement_timestamp() AND d.claimed_until <= statement_timestamp()
            AND NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${EARLIER} AND e.attempts = 0 AND e.id + 0 <> r.id)
          ORDER BY d.payment_id, d.id LIMIT 1 FOR UPDATE SKIP LOCKED
        ) next
        WHERE r.number = 1 AND r.id = ANY ($11::bigint[])))
      RETURNING ${claimedColumns(day, isTraced)}
    )
    SELECT claimed.*, ${SECRETS_ONCE}, ${RECORDED}
    LEFT JOIN claimed ON claimed.payment_id = d.payment_id AND d.number = 1`,
});

/** A row of `recordAndClaimOn`. */
export type RecordedAndClaimedRow = RecordedRow & Pick<ClaimAnswer, 'secrets'> & (ClaimRow | { id: null });

/** A row of DUE_LANES; with nothing due there is one row without a lane. */
export interface DueRow {
  /** Where the next look at what has become due since begins, as PostgreSQL writes a time. */
  recent: string;
  /** How many deliveries were read, and the position of the last of them. */
  looked: number;
  last_due_at: string | null;
  last_id: number | null;
  lane_id: number | null;
  overdue_ms: number;
  /** Since when there is something that nobody holds, in seconds since 1970; `null`: there is nothing. */
  free_since: number | null;
  is_idle: boolean;
  is_unanswered: boolean;
}

/** What became due lately is looked at again: it may have been committed late, or not have counted yet. */
const OVERLAP = '3 s';

/** Of a lane's oldest due rows, how many are looked at for a lease: a lane being drained has some in front. */
const LOOK_AT = 8;

/**
 * Lanes with something due, longest overdue first, among the $4 oldest deliveries after the position ($2, $3). A first
 * attempt counts only after $1 ms: until then its own wake-up is under way. Reads what is due, and nothing that sleeps.
 */
export const DUE_LANES: Statement = {
  name: 'webhooks.due_lanes',
  text: `WITH looked AS MATERIALIZED (
      SELECT d.id, d.lane_id, d.payment_id, d.due_at, d.claimed_until, d.attempts, d.last_status_code
      FROM pending_deliveries d
      WHERE (d.due_at, d.id) > ($2::timestamptz, $3::bigint) AND d.due_at <= statement_timestamp()
      ORDER BY d.due_at, d.id LIMIT $4
    ), last AS (
      SELECT due_at, id FROM looked ORDER BY due_at DESC, id DESC LIMIT 1
    ), lanes AS (
      SELECT d.lane_id, min(d.due_at) AS oldest,
        min(d.due_at) FILTER (WHERE d.claimed_until <= statement_timestamp()) AS free_since,
        bool_or(d.attempts > 0 AND d.last_status_code IS NULL) AS is_unanswered,
        bool_and(d.claimed_until <= statement_timestamp()) AND bool_or(
          (d.attempts > 0 OR d.due_at <= statement_timestamp() - $1 * interval '1 millisecond') AND ${IN_TURN}) AS is_idle
      FROM (SELECT *, row_number() OVER (PARTITION BY lane_id ORDER BY due_at, id) AS place FROM looked) d
      WHERE d.place <= ${LOOK_AT} GROUP BY d.lane_id
    )
    SELECT (statement_timestamp() - interval '${OVERLAP}')::text AS recent, (SELECT count(*) FROM looked)::int AS looked,
      last.due_at::text AS last_due_at, last.id AS last_id, l.lane_id, ${seconds('l.free_since')} AS free_since,
      (extract(epoch FROM statement_timestamp() - l.oldest) * 1000)::float8 AS overdue_ms, l.is_idle, l.is_unanswered
    FROM (SELECT) always LEFT JOIN last ON true LEFT JOIN lanes l ON true
    ORDER BY l.oldest`,
};

/** $1 lanes. */
export const FIND_LANES: Statement = {
  name: 'webhooks.find_lanes',
  text: `SELECT l.id, l.shop_id, s.merchant_id, l.origin FROM webhook_lanes l JOIN shops s ON s.id = l.shop_id
    WHERE l.id = ANY ($1::bigint[])`,
};
