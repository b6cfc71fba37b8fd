import type { Statement } from '../../platform/database/database.js';
import { sealedSecretsOf } from '../../shops/shop-summary.js';
import type { SealedSecrets } from '../../shops/webhook-secrets.js';
import type { ClaimedRow } from './delivery-store.js';
import { LAZY_COMMIT } from '../../platform/database/writes.js';

// Every statement here keeps its plan whatever the statistics of the queue say, which is often analysed while it is empty
// (test/integration/webhooks/plans.spec.ts). `id + 0`, `(SELECT $1)` and `= ANY (ARRAY(…))` are there for that: they leave
// the planner one index to go by. Whatever waits for a lock takes its rows in the order of their ids; claims only skip.

const EARLIER = `e.payment_id = d.payment_id AND e.id + 0 < d.id`;
export const LATER = `e.payment_id = d.payment_id AND e.id + 0 > d.id`;

/** Of one payment, a later change is claimable only when the first attempt of every earlier one has ended. */
const IN_TURN = `(d.attempts > 0 OR NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${EARLIER} AND e.attempts = 0))`;

/** A time as seconds since 1970. Not `extract`, which makes a numeric of it: a microsecond for each row. */
export const seconds = (time: string): string => `date_part('epoch', ${time})`;

/** A row of `claimOn`. */
export interface ClaimRow extends Omit<ClaimedRow, 'request_body' | 'sealed_secrets' | 'follows' | 'lease'> {
  /** YYYY-MM-DD; `null`: the day of the statement. */
  body_day: string | null;
  /** `null`: the body is in the partition of another day. */
  request_body: string | null;
}

/** The first row comes also when nothing was claimed, then with all else `null`. */
export type ClaimAnswer = {
  /** The statement's time: seconds since 1970, in the first row alone. */
  clock: number;
  /** Of all rows, in the first row alone. */
  lease: string | null;
  /** Which ones bring a next change along, and those changes; in the first row alone, `null` for none. */
  firsts: number[] | null;
  nexts: number[] | null;
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
        CASE WHEN d.body_day <> DATE '${day}' THEN d.body_day::text END AS body_day, ${ofBody('body', day)} AS request_body,${isTraced ? ` ${ofBody('traceparent', day)} AS traceparent,` : ''}
        ${seconds('d.due_at')} AS due_at, d.attempts, d.attempts_in_run`;

/** What is the same for all rows, in the first one alone. */
const once = (value: string): string => `CASE WHEN row_number() OVER () = 1 THEN ${value} END`;

/** Of the shops of all that is in `claimed`. */
const SECRETS_ONCE = `${once(sealedSecretsOf('ARRAY(SELECT shop_id FROM claimed)'))} AS secrets`;

/** The next change of the payment of the untried `c`: due, in the same lane, and waiting for nothing but `c`. */
const NEXT_CHANGE = `SELECT d.ctid AS row, d.id, d.body_bytes FROM pending_deliveries d
          WHERE l.with_next AND c.attempts = 0 AND d.payment_id = c.payment_id AND d.id + 0 > c.id AND d.lane_id + 0 = c.lane_id
            AND d.attempts = 0 AND d.due_at + interval '0' <= statement_timestamp()
            AND d.claimed_until <= statement_timestamp()
            AND NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${EARLIER} AND e.attempts = 0 AND e.id + 0 <> c.id)
          ORDER BY d.payment_id, d.id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * Takes due deliveries of several lanes under a lease: $1 lanes, $2 how many of each at most, $3 bytes of body of each at
 * most, $4 where to begin in each, in seconds since 1970, $5 lease in ms, $6 whether the next change of the payment comes
 * along with each first attempt of it, beyond the number. Several workers never get the same row: what one has locked the others
 * skip, what it has leased they see as leased.
 * - It says itself what follows what: should a row have changed since the statement began, it is not taken, and a next change
 *   that was taken all the same must not be thought the first.
 * - Not flushed to disk before it answers: a lease that a crash of the server loses was worth nothing any more.
 * - By `ctid`, and not a join: the rows are locked, and whatever is thought of the table's size they are just fetched.
 * - Lane and time are compared together, which the index on both of them bounds, and no other can: with `lane_id = …` the one on
 *   time alone looked as good while a single lane had the whole queue, and then read what was due in all lanes.
 * - Times are the statement's: a volatile clock could not bound the index scan, which would then read every sleeping
 *   retry of the lane.
 * - Secrets once per shop, and in one row: with each row they would be a sixth of what is sent.
 * - Bodies last: in `RETURNING` they would be copied from one intermediate result to the next.
 * - `day`, YYYY-MM-DD, is part of the text: so the plan has one partition of the bodies, and not all that are kept.
 */
export const claimOn = (day: string, isTraced = false): Statement => ({
  name: `webhooks.claim_${day}`,
  text: `WITH ${LAZY_COMMIT}, found AS MATERIALIZED (
        SELECT due.row, due.next, due.id, due.next_id FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]), (SELECT $4::float8[]),
          (SELECT $6::boolean[])) AS l (lane_id, quota, max_bytes, floor, with_next)
        CROSS JOIN LATERAL (
          SELECT c.row, c.id, n.row AS next, n.id AS next_id, row_number() OVER oldest_first AS place,
            sum(c.body_bytes + coalesce(n.body_bytes, 0)) OVER oldest_first AS bytes
          FROM (
            SELECT d.ctid AS row, d.due_at, d.id, d.lane_id, d.payment_id, d.attempts, d.body_bytes FROM pending_deliveries d
            WHERE (d.lane_id, d.due_at) >= (l.lane_id, to_timestamp(l.floor))
              AND (d.lane_id, d.due_at) <= (l.lane_id, statement_timestamp())
              AND d.claimed_until <= statement_timestamp() AND ${IN_TURN}
            ORDER BY d.lane_id, d.due_at, d.id LIMIT l.quota FOR UPDATE SKIP LOCKED
          ) c LEFT JOIN LATERAL (${NEXT_CHANGE}) n ON true
          WINDOW oldest_first AS (ORDER BY c.due_at, c.id ROWS UNBOUNDED PRECEDING)
        ) due
        WHERE due.place = 1 OR due.bytes <= l.max_bytes
    ), claimed AS (
      UPDATE pending_deliveries d
      SET claimed_until = statement_timestamp() + $5 * interval '1 millisecond'
      FROM lazy
      WHERE d.ctid = ANY (ARRAY(SELECT row FROM found UNION ALL SELECT next FROM found WHERE next IS NOT NULL))
      RETURNING d.id, d.created_at, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint, d.body_day, d.due_at,
        d.claimed_until, d.attempts, d.attempts_in_run
    )
    SELECT ${once(seconds('statement_timestamp()'))} AS clock, ${once('d.claimed_until::text')} AS lease,
      ${once('(SELECT array_agg(id) FROM found WHERE next IS NOT NULL)')} AS firsts,
      ${once('(SELECT array_agg(next_id) FROM found WHERE next IS NOT NULL)')} AS nexts,
      ${SECRETS_ONCE}, ${claimedColumns(day, isTraced)}
    FROM (SELECT) always LEFT JOIN claimed d ON true`,
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

/** $1 ids, $2 the leases held. Not flushed: one that is lost costs what is left of its lease. */
export const HAND_BACK: Statement = {
  name: 'webhooks.hand_back',
  text: `WITH ${LAZY_COMMIT}, ${HELD}
    UPDATE pending_deliveries d SET claimed_until = '-infinity'
    FROM lazy, held
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = held.id AND d.claimed_until = held.lease
    RETURNING d.lane_id, ${seconds('d.due_at')} AS due_at`,
};

/** What DUE_LANES answers, in one row: a field for each of thousands of lanes would cost more than to find them. */
export interface DueAnswer {
  /** Where the next look at what has become due since begins, as PostgreSQL writes a time. */
  recent: string;
  /** How many deliveries were read, and the position of the last of them. */
  looked: number;
  last_due_at: string | null;
  last_id: number | null;
  /** Longest overdue first, and of each what the next four lists say at its place. */
  lane_ids: number[];
  overdue_ms: number[];
  /** Since when there is something that nobody holds, in seconds since 1970; `null`: there is nothing. */
  free_since: (number | null)[];
  is_idle: boolean[];
  is_unanswered: boolean[];
}

/** What became due lately is looked at again: it may have been committed late, or not have counted yet. */
const OVERLAP = '3 s';

/** Of a lane's oldest due rows, how many are looked at for a lease: a lane being drained has some in front. */
const LOOK_AT = 8;

/** As JSON: of an array of PostgreSQL each character is read by itself, 8 ms for a thousand lanes. */
const list = (column: string): string => `coalesce(to_json(array_agg(${column})), '[]')`;

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
      last.due_at::text AS last_due_at, last.id AS last_id, found.*
    FROM (
      SELECT ${list('l.lane_id')} AS lane_ids, ${list(seconds('l.free_since'))} AS free_since,
        ${list(`${seconds('statement_timestamp() - l.oldest')} * 1000`)} AS overdue_ms,
        ${list('l.is_idle')} AS is_idle, ${list('l.is_unanswered')} AS is_unanswered
      FROM (SELECT * FROM lanes ORDER BY oldest) l
    ) found LEFT JOIN last ON true`,
};

/** $1 lanes. */
export const FIND_LANES: Statement = {
  name: 'webhooks.find_lanes',
  text: `SELECT l.id, l.shop_id, s.merchant_id, l.origin FROM webhook_lanes l JOIN shops s ON s.id = l.shop_id
    WHERE l.id = ANY ($1::bigint[])`,
};
