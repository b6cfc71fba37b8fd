import type { Statement } from '../../platform/database/database.js';
import { sealedSecretsOf } from '../../shops/shop-summary.js';
import type { SealedSecrets } from '../../shops/webhook-secrets.js';
import { type ClaimedRow, MAX_BODY_BYTES, MAX_SUCCESSORS } from './delivery-store.js';
import { LAZY_COMMIT } from '../../platform/database/writes.js';

// Every statement here keeps its plan whatever the statistics of the queue say, which is often analysed while it is empty
// (test/integration/webhooks/plans.spec.ts). `id + 0`, `(SELECT $1)` and `= ANY (ARRAY(…))` are there for that: they leave
// the planner one index to go by. A statement that waits for locks takes its rows in the order of their ids; claims only skip.

const EARLIER = `e.payment_id = d.payment_id AND e.id + 0 < d.id`;
export const LATER = `e.payment_id = d.payment_id AND e.id + 0 > d.id`;

/** Of one payment, a later change is claimable only when the first attempt of every earlier one has ended. */
export const IS_IN_ORDER = `(d.attempts > 0 OR NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${EARLIER} AND e.attempts = 0))`;

/** A time as seconds since 1970. Not `extract`, which makes a numeric of it: a microsecond for each row. */
export const seconds = (time: string): string => `date_part('epoch', ${time})`;

/** A row of `claimOn`. */
export interface ClaimRow extends Omit<ClaimedRow, 'request_body' | 'encrypted_secrets' | 'predecessor_id' | 'lease'> {
  /** YYYY-MM-DD; `null`: the day of the statement. */
  body_day: string | null;
  /** `null`: the body is in the partition of another day. */
  request_body: string | null;
}

/** The first row comes also when nothing was claimed, then with all else `null`. */
export type ClaimAnswer = {
  /** The statement's time: seconds since 1970, in the first row only. */
  clock: number;
  /** The same for all rows, in the first row only. */
  lease: string | null;
  /** Deliveries, each with the changes that come along behind it; in the first row only, `null` for none. */
  units: number[][] | null;
  /** Of the shops of all rows, in the first row only. */
  secrets: SealedSecrets[] | null;
} & (ClaimRow | { id: null });

/** A column of the body of the delivery `d`; `NULL` when the body is of another day. */
const ofBody = (column: string, day: string): string => `(SELECT b.${column} FROM webhook_bodies b
          WHERE b.day = DATE '${day}' AND d.body_day = DATE '${day}' AND b.delivery_id = d.id)`;

/**
 * Columns of a claimed row; a body of another day is left out. The trace of the body takes another read of its row, so it is
 * read only where tracing is on.
 */
const claimedColumns = (
  day: string,
  isTraced: boolean,
): string => `d.id, webhook_id(d.id, d.created_at) AS webhook_id, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint,
        CASE WHEN d.body_day <> DATE '${day}' THEN d.body_day::text END AS body_day, ${ofBody('body', day)} AS request_body,${isTraced ? ` ${ofBody('traceparent', day)} AS traceparent,` : ''}
        ${seconds('d.due_at')} AS due_at, d.attempts, d.attempts_in_run`;

/** A value that is the same for all rows, in the first one only. */
const once = (value: string): string => `CASE WHEN row_number() OVER () = 1 THEN ${value} END`;

/** Secrets of the shops of all rows in `claimed`, in the first row only. */
const SECRETS_ONCE = `${once(sealedSecretsOf('ARRAY(SELECT shop_id FROM claimed)'))} AS secrets`;

/** Untried changes of the payment of `d` that lie between the delivery `c` and `d`. */
const BETWEEN = `(SELECT count(*) FROM pending_deliveries e
              WHERE ${EARLIER} AND e.id + 0 > c.id AND e.attempts = 0)`;

/**
 * The changes that come along with the untried `c`, of no more bytes than one body may have: due, of the same lane, and waiting only for `c` and each other. A change
 * that another transaction has locked is skipped, and so are those behind it: their place is not what lies between.
 */
const CHANGES = `SELECT array_agg(n.row ORDER BY n.id) AS rows, array_agg(n.id ORDER BY n.id) AS ids, sum(n.body_bytes) AS bytes FROM (
            SELECT d.*, row_number() OVER by_id AS place, sum(d.body_bytes) OVER by_id AS bytes FROM (
              SELECT d.ctid AS row, d.id, d.body_bytes, ${BETWEEN} AS between FROM pending_deliveries d
              WHERE l.with_successors AND c.attempts = 0 AND d.payment_id = c.payment_id AND d.id + 0 > c.id AND d.lane_id + 0 = c.lane_id
                AND d.attempts = 0 AND d.due_at + interval '0' <= statement_timestamp()
                AND d.claimed_until <= statement_timestamp()
              ORDER BY d.payment_id, d.id LIMIT ${MAX_SUCCESSORS} FOR UPDATE SKIP LOCKED
            ) d WINDOW by_id AS (ORDER BY d.id ROWS UNBOUNDED PRECEDING)
          ) n WHERE n.place = n.between + 1 AND n.bytes <= ${MAX_BODY_BYTES}`;

/**
 * Leases due deliveries of several lanes: $1 lanes, $2 units of each at most, $3 bytes of body of each at most, $4 where
 * to begin in each, in seconds since 1970, $5 lease in ms, $6 whether the next changes of a payment come along. Several
 * workers never get the same row: a row that one has locked the others skip, and a leased row they see as leased.
 * - `units` says which rows follow which: should a row have changed since the statement began, it is not taken, and the
 *   changes behind it that were taken must not be sent first.
 * - The commit is not flushed to disk: a lease that a crash of the server loses was worth nothing any more.
 * - By `ctid`, and not a join: the rows are locked, and are fetched whatever the planner thinks of the table's size.
 * - Lane and time are compared together. Only one index bounds both; with `lane_id = …` the planner takes the index on
 *   time while a single lane has the whole queue, and then reads what is due in all lanes.
 * - Times are the statement's: a volatile clock could not bound the index scan, which would read every sleeping retry.
 * - Secrets once per shop, and in one row: with each row they would be a sixth of what is sent.
 * - Bodies last: in `RETURNING` they would be copied from one intermediate result to the next.
 * - `day`, YYYY-MM-DD, is part of the text: so the plan locks one partition of the bodies, and not all that are kept.
 */
export const claimOn = (day: string, isTraced = false): Statement => ({
  name: `webhooks.claim_${day}`,
  text: `WITH ${LAZY_COMMIT}, found AS MATERIALIZED (
        SELECT due.row, due.id, due.rows, due.ids FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]), (SELECT $4::float8[]),
          (SELECT $6::boolean[])) AS l (lane_id, quota, max_bytes, floor, with_successors)
        CROSS JOIN LATERAL (
          SELECT c.row, c.id, n.rows, n.ids, row_number() OVER oldest_first AS place,
            sum(c.body_bytes + coalesce(n.bytes, 0)) OVER oldest_first AS bytes
          FROM (
            SELECT d.ctid AS row, d.due_at, d.id, d.lane_id, d.payment_id, d.attempts, d.body_bytes FROM pending_deliveries d
            WHERE (d.lane_id, d.due_at) >= (l.lane_id, to_timestamp(l.floor))
              AND (d.lane_id, d.due_at) <= (l.lane_id, statement_timestamp())
              AND d.claimed_until <= statement_timestamp() AND ${IS_IN_ORDER}
            ORDER BY d.lane_id, d.due_at, d.id LIMIT l.quota FOR UPDATE SKIP LOCKED
          ) c LEFT JOIN LATERAL (${CHANGES}) n ON true
          WINDOW oldest_first AS (ORDER BY c.due_at, c.id ROWS UNBOUNDED PRECEDING)
        ) due
        WHERE due.place = 1 OR due.bytes <= l.max_bytes
    ), claimed AS (
      UPDATE pending_deliveries d
      SET claimed_until = statement_timestamp() + $5 * interval '1 millisecond'
      FROM lazy
      WHERE d.ctid = ANY (ARRAY(SELECT row FROM found UNION ALL SELECT unnest(rows) FROM found))
      RETURNING d.id, d.created_at, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint, d.body_day, d.due_at,
        d.claimed_until, d.attempts, d.attempts_in_run
    )
    SELECT ${once(seconds('statement_timestamp()'))} AS clock, ${once('d.claimed_until::text')} AS lease,
      ${once('(SELECT json_agg(array_prepend(id, ids)) FROM found WHERE ids IS NOT NULL)')} AS units,
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

/** Where in a lane something is due again: seconds since 1970. */
export interface DueAgainRow {
  lane_id: number;
  due_at: number;
}

/** $1 ids, $2 the leases held. Not flushed to disk: a release that is lost costs what is left of the lease. */
export const RELEASE: Statement = {
  name: 'webhooks.release',
  text: `WITH ${LAZY_COMMIT}, ${HELD}
    UPDATE pending_deliveries d SET claimed_until = '-infinity'
    FROM lazy, held
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = held.id AND d.claimed_until = held.lease
    RETURNING d.lane_id, ${seconds('d.due_at')} AS due_at`,
};
