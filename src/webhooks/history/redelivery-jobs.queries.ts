import type { Statement } from '../../platform/database/database.js';
import { RECOVERY } from '../endpoint/health/recovery-redelivery.js';
import { redelivering } from './redelivery.queries.js';
import { SHOPS } from '../../shared/relations.js';

/** Shops of the merchant $1. */
export const LIST_SHOP_IDS: Statement = {
  name: 'webhooks.list_shop_ids',
  text: `SELECT id FROM ${SHOPS} shop WHERE merchant_id = $1 ORDER BY id`,
};

/** The subject of a job: a shop, a standing endpoint, or the lane of payments' addresses. */
export type Scope = 'shop' | 'endpoint' | 'lane';

/** The shop of the lane $1. */
const SHOP_OF_LANE = '(SELECT shop_id FROM webhook_lanes WHERE id = $1)';
/** Conditions on an ended or pending delivery `d` of a scope with the id $1; the first column leads an index. */
export const OF_SCOPE: Record<Scope, { column: string; condition: string }> = {
  shop: { column: 'd.shop_id', condition: 'd.shop_id = $1' },
  endpoint: { column: 'd.endpoint_id', condition: 'd.endpoint_id = $1 AND d.endpoint_id <> 0' },
  lane: { column: 'd.shop_id', condition: `d.shop_id = ${SHOP_OF_LANE}` },
};

/**
 * The next finished deliveries of a scope with a status: $1 its id, $2 status, $3 id to start after, $4 last id, $5 limit.
 * The range of ids limits the rows that are read.
 */
const scanned = (scope: Scope): string => `scanned AS MATERIALIZED (
      SELECT d.id, d.status, d.created_at, d.last_attempt_at, d.webhook_endpoint, d.body_bytes, d.request_body, d.lane_id,
        d.attempts, d.last_status_code
      FROM webhook_deliveries d
      WHERE ${OF_SCOPE[scope].condition} AND d.status = $2 AND d.id > $3 AND d.id <= $4
      ORDER BY ${OF_SCOPE[scope].column}, d.status, d.id LIMIT $5
    )`;

/**
 * Condition for the requested deliveries: $6 from, $7 to, $8 address or `null`, $9 time of the request, $10 earliest last
 * attempt, $11 attempts below which a delivery is sent, or `null`. It excludes deliveries with an attempt after the request.
 * So of two concurrent requests only one sends a delivery.
 */
const matches = (
  scope: Scope,
): string => `d.status = $2 AND d.created_at >= $6::timestamptz AND d.created_at < $7::timestamptz
      AND ($8::text IS NULL OR d.webhook_endpoint = $8) AND coalesce(d.last_attempt_at, d.created_at) < $9::timestamptz
      AND coalesce(d.last_attempt_at, d.created_at) >= $10::timestamptz AND ($11::int IS NULL OR d.attempts < $11)
      AND coalesce(d.body_bytes, octet_length(d.request_body)) > 0${scope === 'lane' ? ` AND d.lane_id = $1 AND ${IS_WANTED}` : ''}`;

/** An address of payments that answered 410 wants no redelivery, even if another one of its origin answers. */
const IS_WANTED = `($10::timestamptz = '-infinity' OR d.last_status_code IS DISTINCT FROM 410)`;

export const byScope = (statementOf: (scope: Scope) => Statement): Record<Scope, Statement> => ({
  shop: statementOf('shop'),
  endpoint: statementOf('endpoint'),
  lane: statementOf('lane'),
});

export interface CountedRow {
  /** The last id that was read; `null` if there were no more rows. */
  last_id: number | null;
  matching: number;
}

/** Number of matching deliveries among the next $5. */
export const COUNT_MATCHING = byScope((scope) => ({
  name: `webhooks.count_matching_of_${scope}`,
  text: `WITH ${scanned(scope)}
    SELECT max(d.id) AS last_id, (count(*) FILTER (WHERE ${matches(scope)}))::int AS matching FROM scanned d`,
}));

/** Inserts the job of one endpoint: $1 merchant, $2 endpoint, and the other parameters of INSERT_JOBS. */
export const INSERT_ENDPOINT_JOB: Statement = {
  name: 'webhooks.insert_endpoint_redelivery_job',
  text: `INSERT INTO webhook_redeliveries AS job (merchant_id, lane_id, filter_hash, status, webhook_endpoint, created_from,
      created_to, first_id, after_id, last_id)
    SELECT $1, lane_id, $3, $4, $5, $6::timestamptz, $7::timestamptz, after_id, after_id, $9
    FROM unnest($2::bigint[], $8::bigint[]) AS s (lane_id, after_id)
    ON CONFLICT (lane_id, filter_hash) WHERE lane_id IS NOT NULL DO UPDATE SET requested_at = excluded.requested_at,
      last_id = greatest(job.last_id, excluded.last_id),
      after_id = CASE job.status WHEN 'delivered' THEN job.after_id ELSE least(job.after_id, excluded.after_id) END`,
};

/** The stored part of a request for one shop or one endpoint. Times are in PostgreSQL's format, infinite if none was given. */
export interface RedeliveryJob {
  id: number;
  merchant_id: number;
  shop_id: number | null;
  /** The endpoint's id; `null`: the job is about the shop. */
  lane_id: number | null;
  is_standing: boolean;
  /** The endpoint is paused or disabled. */
  is_stopped: boolean;
  /** It was requested by the recovery of its endpoint. */
  is_recovery: boolean;
  status: string;
  webhook_endpoint: string | null;
  created_from: string;
  created_to: string;
  requested_at: string;
  /** All deliveries of the job have ids above this one. */
  first_id: number;
  /** Progress: the last id that the job has processed. */
  after_id: number;
  /** The last id of the job. */
  last_id: number;
  redelivered: number;
  /** Only deliveries whose last attempt was at this time or later. */
  failed_from: string;
  /** Runs of the schedule that a delivery may have in all; `null`: any number. */
  max_runs: number | null;
}

/** Number of running requests of the merchant $1 with filters other than $2. */
export const COUNT_JOBS: Statement = {
  name: 'webhooks.count_redelivery_jobs',
  text: `SELECT count(DISTINCT filter_hash)::int AS jobs FROM webhook_redeliveries
    WHERE merchant_id = $1 AND filter_hash <> ALL ($2::text[]) AND filter_hash <> '${RECOVERY}'`,
};

/** Progress of the requests of the merchant $1 with the filter $2. */
export const FIND_PROGRESS: Statement = {
  name: 'webhooks.find_redelivery_progress',
  text: `SELECT coalesce(lane_id, shop_id) AS owner_id, after_id FROM webhook_redeliveries
    WHERE merchant_id = $1 AND filter_hash = $2`,
};

export interface ProgressRow {
  /** The shop, or the endpoint. */
  owner_id: number;
  after_id: number;
}

/**
 * Inserts jobs: $1 merchant, $2 shops, $3 filter, $4 status, $5 address, $6 from, $7 to, $8 the id to start after for each
 * shop, $9 last id. A running job with the same filter is extended to deliveries that have finished since its request. A
 * job for failures starts again: it finds its own deliveries only if they failed again. A job for delivered ones
 * continues, because it has already sent the earlier ones.
 */
export const INSERT_JOBS: Statement = {
  name: 'webhooks.insert_redelivery_jobs',
  text: `INSERT INTO webhook_redeliveries AS job (merchant_id, shop_id, filter_hash, status, webhook_endpoint, created_from,
      created_to, first_id, after_id, last_id)
    SELECT $1, shop_id, $3, $4, $5, $6::timestamptz, $7::timestamptz, after_id, after_id, $9
    FROM unnest($2::bigint[], $8::bigint[]) AS s (shop_id, after_id) ORDER BY shop_id
    ON CONFLICT (shop_id, filter_hash) DO UPDATE SET requested_at = excluded.requested_at,
      last_id = greatest(job.last_id, excluded.last_id),
      after_id = CASE job.status WHEN 'delivered' THEN job.after_id ELSE least(job.after_id, excluded.after_id) END`,
};

/** A running request. A `null` does not filter. */
export interface RedeliveryRow {
  /** `null`: several shops, or one endpoint. */
  shop_id: number | null;
  endpoint_id: number | null;
  status: string;
  webhook_endpoint: string | null;
  from: Date | null;
  to: Date | null;
  requested_at: Date;
  redelivered: number;
}

/** Requests of the merchant $1, latest first. A request has a row for each shop that is not finished. */
export const LIST_JOBS: Statement = {
  name: 'webhooks.list_redelivery_jobs',
  text: `SELECT CASE WHEN count(*) = 1 THEN min(shop_id) END AS shop_id, min(lane_id) AS endpoint_id, min(status) AS status,
      min(webhook_endpoint) AS webhook_endpoint, nullif(min(created_from), '-infinity') AS "from",
      nullif(min(created_to), 'infinity') AS "to", min(requested_at) AS requested_at, sum(redelivered)::bigint AS redelivered
    FROM webhook_redeliveries WHERE merchant_id = $1 GROUP BY filter_hash, lane_id ORDER BY min(requested_at) DESC, min(id) DESC`,
};

/**
 * At most $1 jobs, one per merchant: the merchants that were served least recently. A round robin in SQL instead of a
 * `FairQueue`, because the jobs are rows and any worker may take over.
 */
export const NEXT_JOBS: Statement = {
  name: 'webhooks.next_redelivery_jobs',
  text: `SELECT j.id, j.merchant_id, j.shop_id, j.lane_id, e.id IS NOT NULL AS is_standing,
      coalesce(e.status <> 'active', false) AS is_stopped, j.filter_hash = '${RECOVERY}' AS is_recovery,
      j.failed_from::text AS failed_from, j.max_runs, j.status, j.webhook_endpoint, j.created_from::text AS created_from,
      j.created_to::text AS created_to, j.requested_at::text AS requested_at, j.first_id, j.after_id, j.last_id, j.redelivered
    FROM (SELECT DISTINCT ON (merchant_id) id, stepped_at FROM webhook_redeliveries ORDER BY merchant_id, stepped_at, id) next
    JOIN webhook_redeliveries j ON j.id = next.id LEFT JOIN webhook_endpoints e ON e.id = j.lane_id
    ORDER BY next.stepped_at, j.id LIMIT $1`,
};

/** The last assigned delivery id. Redelivered ones keep their ids, so it changes only with new deliveries. */
export const NEWEST_DELIVERY: Statement = {
  name: 'webhooks.newest_delivery',
  text: `SELECT coalesce(pg_sequence_last_value('webhook_deliveries_id_seq'), 0)::bigint AS id`,
};

export interface AheadRow {
  /** Redelivered deliveries without an attempt since. */
  waiting: number;
  /** Deliveries with a failed attempt and a pending retry. */
  failing: number;
  /** The endpoint fails: it has had no 2xx since. Always false for a shop. */
  is_marked: boolean;
}

const IS_MARKED: Record<Scope, string> = {
  shop: 'false',
  endpoint: 'EXISTS (SELECT FROM failing_endpoints f WHERE f.endpoint_id = $1)',
  lane: 'EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = $1)',
};

/** Deliveries that a job has put into the queue and that are still there: $1 id of its scope, $2 and $3 ids, $4 address or `null`, $5 rows to read. */
export const COUNT_AHEAD = byScope((scope) => ({
  name: `webhooks.count_redelivered_ahead_of_${scope}`,
  text: `SELECT (count(*) FILTER (WHERE attempts_in_run = 0))::int AS waiting,
      (count(*) FILTER (WHERE attempts_in_run > 0))::int AS failing, ${IS_MARKED[scope]} AS is_marked
    FROM (SELECT d.attempts_in_run FROM pending_deliveries d
      WHERE ${OF_SCOPE[scope].condition}${scope === 'lane' ? ' AND d.lane_id = $1' : ''} AND d.id > $2 AND d.id <= $3 AND d.attempts > 0
        AND ($4::text IS NULL OR d.webhook_endpoint = $4)
      ORDER BY ${OF_SCOPE[scope].column}, d.id LIMIT $5) ahead`,
}));

/** One step of a job. Parameters as in COUNT_MATCHING, and $12: maximum deliveries that are put back into the queue. */
export const REDELIVER_STEP = byScope((scope) => ({
  name: `webhooks.redeliver_step_of_${scope}`,
  text: `WITH ${scanned(scope)}, chosen AS MATERIALIZED (
      SELECT d.id FROM scanned d WHERE ${matches(scope)} ORDER BY d.id LIMIT $12
    ), ${redelivering(matches(scope))}
    SELECT CASE (SELECT count(*) FROM chosen) WHEN $12 THEN (SELECT max(id) FROM chosen) ELSE (SELECT max(id) FROM scanned) END
        AS last_id, count(*)::int AS redelivered, array_agg(DISTINCT lane_id) AS lane_ids
    FROM again`,
}));

export interface StepRow {
  /** The last id that was read; `null` if there were no more rows. */
  last_id: number | null;
  redelivered: number;
  lane_ids: number[] | null;
}

/**
 * Records progress: $1 job, $2 last processed id, $3 newly redelivered deliveries, $4 time of the request. If the job was
 * requested again, it keeps the position from that request.
 */
export const ADVANCE_JOB: Statement = {
  name: 'webhooks.advance_redelivery_job',
  text: `UPDATE webhook_redeliveries SET redelivered = redelivered + $3, stepped_at = clock_timestamp(),
      after_id = CASE requested_at WHEN $4::timestamptz THEN $2 ELSE after_id END
    WHERE id = $1`,
};

/** Ends the job $1 with the request time $2. Returns no row if it was requested again since then. */
export const END_JOB: Statement = {
  name: 'webhooks.end_redelivery_job',
  text: 'DELETE FROM webhook_redeliveries WHERE id = $1 AND requested_at = $2::timestamptz RETURNING id',
};

/** The savepoint of a step, so that a failed step rolls back only its own writes. */
export const BEGIN_STEP: Statement = { name: 'webhooks.begin_redelivery_step', text: 'SAVEPOINT redelivery_step' };
export const ROLL_BACK_STEP: Statement = {
  name: 'webhooks.take_redelivery_step_back',
  text: 'ROLLBACK TO SAVEPOINT redelivery_step',
};
