import type { Statement } from '../../platform/database/database.js';
import { type EncryptedReceiver, encryptedReceiversOf } from '../endpoint/secrets/encrypted-receiver.js';
import { type ClaimedRow, MAX_BODY_BYTES, MAX_SUCCESSORS } from './delivery-store.js';
import { LAZY_COMMIT } from '../../platform/database/writes.js';

// Every statement here keeps its plan for any statistics of the queue, which is often analysed while it is empty
// (test/integration/webhooks/plans.spec.ts). `id + 0`, `(SELECT $1)` and `= ANY (ARRAY(…))` ensure that: they leave the
// planner a single usable index. A statement that waits for locks locks its rows in the order of their ids. Claims never
// wait: they skip locked rows.

/** Deliveries of the same payment to the same endpoint; without a payment there are none. */
const SAME = `e.payment_id = d.payment_id AND e.endpoint_id + 0 = d.endpoint_id`;
const EARLIER = `${SAME} AND e.id + 0 < d.id`;
export const LATER = `${SAME} AND e.id + 0 > d.id`;

/** A later change of a payment is claimable only after the first attempt of every earlier change at the endpoint has ended. */
export const IS_IN_ORDER = `(d.attempts > 0 OR NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE ${EARLIER} AND e.attempts = 0))`;

/** Converts a time to seconds since 1970. Not `extract`: it returns a numeric, which costs a microsecond per row. */
export const seconds = (time: string): string => `date_part('epoch', ${time})`;

/** A row of `claimOn`. */
export interface ClaimRow extends Omit<ClaimedRow, 'request_body' | 'encrypted_receiver' | 'predecessor_id' | 'lease'> {
  /** YYYY-MM-DD; `null`: the day of the statement. */
  body_day: string | null;
  body_id: number;
  /** `null`: the body is in the partition of another day. */
  request_body: string | null;
}

/** The result of a claim. If nothing was claimed, it has one row, in which all other columns are `null`. */
export type ClaimAnswer = {
  /** Time of the statement in seconds since 1970, in the first row only. */
  clock: number;
  /** Lease of all rows, in the first row only. */
  lease: string | null;
  /** Deliveries that have successors, each followed by these. In the first row only; `null` if there are none. */
  units: number[][] | null;
  /** Endpoints of all rows, in the first row only. */
  receivers: EncryptedReceiver[] | null;
} & (ClaimRow | { id: null });

/** Reads a column of the body of the delivery `d`; `NULL` if the body is of another day. */
const bodyColumn = (column: string, day: string): string => `(SELECT b.${column} FROM webhook_bodies b
          WHERE b.day = DATE '${day}' AND d.body_day = DATE '${day}' AND b.delivery_id = coalesce(d.body_id, d.id))`;

/** Columns of a claimed row, without a body of another day. The trace costs a second read: only if tracing is on. */
const claimedColumns = (
  day: string,
  isTraced: boolean,
): string => `d.id, webhook_id(d.id, d.created_at) AS webhook_id, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint,
        d.endpoint_id, coalesce(d.body_id, d.id) AS body_id,
        CASE WHEN d.body_day <> DATE '${day}' THEN d.body_day::text END AS body_day, ${bodyColumn('body', day)} AS request_body,${isTraced ? ` ${bodyColumn('traceparent', day)} AS traceparent,` : ''}
        ${seconds('d.due_at')} AS due_at, d.attempts, d.attempts_in_run`;

/** Returns a value only in the first row, for values that are the same in all rows. */
const once = (value: string): string => `CASE WHEN row_number() OVER () = 1 THEN ${value} END`;

/** Endpoints of all rows in `claimed`, in the first row only. */
const RECEIVERS_ONCE = `${once(
  encryptedReceiversOf(
    'ARRAY(SELECT shop_id FROM claimed WHERE endpoint_id = 0)',
    'ARRAY(SELECT endpoint_id FROM claimed WHERE endpoint_id <> 0)',
  ),
)} AS receivers`;

/**
 * The lane `l` is of a standing endpoint that is paused, disabled or deleted. Subqueries, because a join could read all
 * endpoints for each lane.
 */
const IS_STOPPED = `coalesce((SELECT p.status <> 'active' FROM webhook_endpoints p
          WHERE p.id = (SELECT w.endpoint_id FROM webhook_lanes w WHERE w.id = l.lane_id)), false)`;

/** Number of untried changes of the payment of `d` between the deliveries `c` and `d`. */
const BETWEEN = `(SELECT count(*) FROM pending_deliveries e
              WHERE ${EARLIER} AND e.id + 0 > c.id AND e.attempts = 0)`;

/**
 * The successors that are claimed with the untried `c`. They are due, in the same lane, wait only for `c` and each other,
 * and together have at most the bytes of one body. A change that another transaction has locked is skipped. Its
 * successors are skipped too, because their `place` differs from `between + 1`.
 */
const CHANGES = `SELECT array_agg(n.row ORDER BY n.id) AS rows, array_agg(n.id ORDER BY n.id) AS ids, sum(n.body_bytes) AS bytes FROM (
            SELECT d.*, row_number() OVER by_id AS place, sum(d.body_bytes) OVER by_id AS bytes FROM (
              SELECT d.ctid AS row, d.id, d.body_bytes, ${BETWEEN} AS between FROM pending_deliveries d
              WHERE l.with_successors AND c.attempts = 0 AND d.payment_id = c.payment_id AND d.endpoint_id + 0 = c.endpoint_id
                AND d.id + 0 > c.id AND d.lane_id + 0 = c.lane_id
                AND d.attempts = 0 AND d.due_at + interval '0' <= statement_timestamp()
                AND d.claimed_until <= statement_timestamp()
              ORDER BY d.payment_id, d.id LIMIT ${MAX_SUCCESSORS} FOR UPDATE SKIP LOCKED
            ) d WINDOW by_id AS (ORDER BY d.id ROWS UNBOUNDED PRECEDING)
          ) n WHERE n.place = n.between + 1 AND n.bytes <= ${MAX_BODY_BYTES}`;

/**
 * Leases due deliveries of several lanes. Per lane: $1 id, $2 maximum units, $3 maximum bytes of bodies, $4 start of the
 * scan in seconds since 1970, $6 whether successors are claimed too. For all: $5 lease in ms. Two workers never get the
 * same row: they skip rows that another worker has locked, and see leased rows as leased.
 * - `units` links each row to its predecessor. A row that changed after the statement began is not claimed. Its
 *   successors that were claimed must then not be sent.
 * - The commit is not flushed to disk: after a crash of the server a lost lease is of no use anyway.
 * - Update by `ctid`, not by a join: the rows are locked, and this plan does not depend on the estimated table size.
 * - Lane and time are compared as a pair, because only one index bounds both. With `lane_id = …` the planner uses the index
 *   on time if one lane had the whole queue when statistics were taken. It then reads the due deliveries of all lanes.
 * - Times are the statement's time. A volatile clock could not bound the index scan, which would read all later retries.
 * - Secrets are returned once per endpoint, in one row. In each row they would be a sixth of the result.
 * - Bodies are read last: `RETURNING` would copy them through the intermediate results.
 * - `day`, YYYY-MM-DD, is part of the text, so the plan locks one partition of the bodies instead of all.
 */
export const claimOn = (day: string, isTraced = false): Statement => ({
  name: `webhooks.claim_${day}`,
  text: `WITH ${LAZY_COMMIT}, found AS MATERIALIZED (
        SELECT due.row, due.id, due.rows, due.ids
        FROM (SELECT l.*, ${IS_STOPPED} AS is_stopped FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]),
          (SELECT $4::float8[]), (SELECT $6::boolean[])) AS l (lane_id, quota, max_bytes, scan_from, with_successors)) l
        CROSS JOIN LATERAL (
          SELECT c.row, c.id, n.rows, n.ids, row_number() OVER oldest_first AS place,
            sum(c.body_bytes + coalesce(n.bytes, 0)) OVER oldest_first AS bytes
          FROM (
            SELECT d.ctid AS row, d.due_at, d.id, d.lane_id, d.payment_id, d.endpoint_id, d.attempts, d.body_bytes
            FROM pending_deliveries d
            WHERE (d.lane_id, d.due_at) >= (l.lane_id, to_timestamp(l.scan_from))
              AND (d.lane_id, d.due_at) <= (l.lane_id, statement_timestamp())
              AND d.claimed_until <= statement_timestamp() AND ${IS_IN_ORDER} AND NOT l.is_stopped
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
      RETURNING d.id, d.created_at, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint, d.endpoint_id, d.body_id,
        d.body_day, d.due_at, d.claimed_until, d.attempts, d.attempts_in_run
    )
    SELECT ${once(seconds('statement_timestamp()'))} AS clock, ${once('d.claimed_until::text')} AS lease,
      ${once('(SELECT json_agg(array_prepend(id, ids)) FROM found WHERE ids IS NOT NULL)')} AS units,
      ${RECEIVERS_ONCE}, ${claimedColumns(day, isTraced)}
    FROM (SELECT) always LEFT JOIN claimed d ON true`,
});

/** Bodies with the ids $1 and the days $2. For the few bodies that are not of today: it scans every partition. */
export const FIND_BODIES: Statement = {
  name: 'webhooks.find_bodies',
  text: `SELECT b.delivery_id, b.body, b.traceparent FROM unnest($1::bigint[], $2::date[]) AS k (delivery_id, day)
    CROSS JOIN LATERAL (
      SELECT b.delivery_id, b.body, b.traceparent FROM webhook_bodies b WHERE b.day = k.day AND b.delivery_id = k.delivery_id OFFSET 0) b`,
};

/** Leases $2 of the deliveries $1 that are still valid, with their rows locked. */
const HELD = `held AS MATERIALIZED (
      SELECT d.id, l.lease FROM unnest($1::bigint[], $2::timestamptz[]) AS l (id, lease)
      CROSS JOIN LATERAL (SELECT d.id, d.claimed_until FROM pending_deliveries d WHERE d.id = l.id OFFSET 0) d
      WHERE d.claimed_until = l.lease
    ), locked AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY (ARRAY(SELECT id FROM held)) ORDER BY d.id FOR UPDATE
    )`;

/** A lane with a delivery that is due again. `due_at`: seconds since 1970. */
export interface DueAgainRow {
  lane_id: number;
  due_at: number;
}

/** Releases the deliveries $1 with the leases $2. Not flushed to disk: after a lost release the lease simply expires. */
export const RELEASE: Statement = {
  name: 'webhooks.release',
  text: `WITH ${LAZY_COMMIT}, ${HELD}
    UPDATE pending_deliveries d SET claimed_until = '-infinity'
    FROM lazy, held
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = held.id AND d.claimed_until = held.lease
    RETURNING d.lane_id, ${seconds('d.due_at')} AS due_at`,
};
