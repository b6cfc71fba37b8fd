import type { Statement } from '../../platform/database/database.js';
import type { EndpointFormat } from './secrets/receiver.js';
import { PAYMENTS, SHOPS } from '../../shared/relations.js';

export const ENDPOINT_STATUSES = ['healthy', 'erring', 'failing'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Kinds of endpoints: a merchant's own, or the addresses of payments with one origin. */
export const ENDPOINT_KINDS = ['standing', 'payment'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

export const ENDPOINT_STATES = ['active', 'paused', 'disabled'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** Why the service disabled an endpoint: it answered 410, or it failed for days. */
export const STATE_REASONS = ['gone', 'failing'] as const;
export type StateReason = (typeof STATE_REASONS)[number];

/** Pending deliveries are counted up to this number. */
const MAX_COUNTED = 1_000;
/** Maximum error codes per endpoint. */
const MAX_ERRORS = 5;

export interface EndpointErrorRow {
  code: string;
  attempts: number;
  /** A time in PostgreSQL's JSON format. */
  last_at: string;
  last_delivery_id: number;
  last_message: string | null;
}

/** The settings of a standing endpoint. */
interface StandingRow {
  url: string;
  description: string | null;
  /** `null`: all shops. */
  shop_ids: number[] | null;
  event_types: string[];
  format: EndpointFormat;
  sealed_headers: Buffer | null;
  sealed_auth: Buffer | null;
  max_per_second: number | null;
  redeliver_on_recovery: boolean;
  state: EndpointState;
  state_reason: StateReason | null;
  state_changed_at: Date;
  created_at: Date;
  updated_at: Date;
}

interface StatisticsRow {
  id: number;
  kind: EndpointKind;
  /** The lane of its counts and of new deliveries. */
  lane_id: number;
  shop_id: number | null;
  shop_name: string | null;
  origin: string;
  status: EndpointStatus;
  failing_since: Date | null;
  /** The first whole hour that is counted. */
  since: Date;
  attempts: number;
  delivered: number;
  failed: number;
  answer_times: number[];
  pending: number;
  next_due_at: Date | null;
  oldest_due_at: Date | null;
  errors: EndpointErrorRow[];
}

/** Without a standing endpoint, its columns are `null`. */
export type EndpointRow = StatisticsRow & { [Column in keyof StandingRow]: StandingRow[Column] | null };

export interface EndpointHourRow {
  hour: Date;
  attempts: number;
  delivered: number;
  failed: number;
  answer_times: number[];
}

/** Start of the counts: the current hour and the 23 hours before it. */
const SINCE = `(date_trunc('hour', statement_timestamp(), 'UTC') - interval '23 hours')`;

const STATUS = `CASE WHEN f.lane_id IS NULL THEN 'healthy' WHEN f.announced_at IS NULL THEN 'erring' ELSE 'failing' END`;

/**
 * Selects details of the endpoints in `own (id, kind, lane_id, shop_id, shop_name, origin, status, failing_since)`. Each
 * lane is read by indexes that begin with it: at most 24 hours, its first pending delivery, and 1,000 pending rows. Former
 * lanes of a standing endpoint, of other origins, only have pending deliveries.
 */
const detailsOf = (own: string): string => `${own}
    SELECT own.*, ${SINCE} AS since, day.*, times.*, waiting.pending, waiting.next_due_at,
      CASE WHEN waiting.next_due_at <= statement_timestamp() THEN waiting.next_due_at END AS oldest_due_at, e.errors,
      w.url, w.description, w.shop_ids, w.event_types, w.format, w.sealed_headers, w.sealed_auth, w.max_per_second,
      w.redeliver_on_recovery, w.status AS state, w.status_reason AS state_reason, w.status_changed_at AS state_changed_at,
      w.created_at, w.updated_at
    FROM own
    LEFT JOIN webhook_endpoints w ON w.id = own.id AND own.kind = 'standing'
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(h.attempts), 0)::int AS attempts, coalesce(sum(h.delivered), 0)::int AS delivered,
        coalesce(sum(h.failed), 0)::int AS failed
      FROM endpoint_hours h WHERE h.lane_id = own.lane_id AND h.hour >= ${SINCE}
    ) day
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(c.answers ORDER BY c.place), '{}') AS answer_times FROM (
        SELECT t.place, sum(t.answers)::int AS answers
        FROM endpoint_hours h CROSS JOIN unnest(h.answer_times) WITH ORDINALITY AS t (answers, place)
        WHERE h.lane_id = own.lane_id AND h.hour >= ${SINCE} GROUP BY t.place
      ) c
    ) times
    CROSS JOIN LATERAL (
      SELECT array_append(ARRAY(SELECT l.id FROM webhook_lanes l
        WHERE own.kind = 'standing' AND l.endpoint_id = own.id AND l.id <> own.lane_id), own.lane_id) AS ids
    ) lanes
    CROSS JOIN LATERAL (
      SELECT (SELECT count(*)::int FROM (
          SELECT FROM unnest(lanes.ids) AS l (id) CROSS JOIN LATERAL (
            SELECT FROM pending_deliveries p WHERE p.lane_id = l.id LIMIT ${MAX_COUNTED}) p LIMIT ${MAX_COUNTED}) counted) AS pending,
        (SELECT nullif(min(p.due_at), 'infinity') FROM unnest(lanes.ids) AS l (id) CROSS JOIN LATERAL (
          SELECT p.due_at FROM pending_deliveries p WHERE p.lane_id = l.id ORDER BY p.due_at, p.id LIMIT 1) p) AS next_due_at
    ) waiting
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(k ORDER BY k.last_at DESC), '[]') AS errors FROM (
        SELECT h.code, sum(h.attempts)::int AS attempts, max(h.last_at) AS last_at,
          (array_agg(h.last_delivery_id ORDER BY h.last_at DESC))[1] AS last_delivery_id,
          (array_agg(h.last_message ORDER BY h.last_at DESC))[1] AS last_message
        FROM endpoint_errors h WHERE h.lane_id = own.lane_id AND h.hour >= ${SINCE}
        GROUP BY h.code ORDER BY max(h.last_at) DESC LIMIT ${MAX_ERRORS}
      ) k
    ) e
    ORDER BY own.id DESC`;

/** Columns of `own`, from a lane `l` and its failure `f`. */
const PAYMENT_COLUMNS = `l.id, 'payment' AS kind, l.id AS lane_id, l.shop_id, s.name AS shop_name, l.origin, ${STATUS} AS status,
        f.failing_since`;
const STANDING_COLUMNS = `e.id, 'standing', e.lane_id, NULL, NULL, l.origin, ${STATUS}, f.failing_since`;
const WITH_SHOP = `CROSS JOIN LATERAL (SELECT merchant_id, name FROM ${SHOPS} shop WHERE id = l.shop_id OFFSET 0) s
      LEFT JOIN failing_endpoints f ON f.lane_id = l.id`;
const STANDING = `webhook_endpoints e JOIN webhook_lanes l ON l.id = e.lane_id
      LEFT JOIN failing_endpoints f ON f.lane_id = l.id`;

/**
 * A page of a merchant's endpoints of both kinds, newest first: $1 merchant, $2 shop or null, $3 status or null, $4 id to
 * stay below, $5 limit, $6 kind or null. A standing endpoint is found by each shop that it covers. A merchant may have hundreds of
 * thousands of lanes, so each shop gives no more than a page; those that fail are few. `id + 0` makes the planner sort the
 * merchant's endpoints instead of scanning those of all merchants by id.
 */
export const LIST_ENDPOINTS: Statement = {
  name: 'webhooks.list_endpoints',
  text: detailsOf(`WITH lanes AS MATERIALIZED (
      SELECT l.id FROM ${SHOPS} s CROSS JOIN LATERAL (
        SELECT l.id FROM webhook_lanes l
        WHERE l.shop_id = s.id AND l.id < $4
          AND ($3::text IS NULL OR NOT EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = l.id OFFSET 0))
        ORDER BY l.shop_id DESC, l.id DESC LIMIT $5
      ) l
      WHERE s.merchant_id = $1 AND ($2::bigint IS NULL OR s.id = $2)
        AND coalesce($3, 'healthy') = 'healthy' AND coalesce($6::text, 'payment') = 'payment'
      UNION ALL
      SELECT f.lane_id FROM failing_endpoints f
      WHERE f.merchant_id = $1 AND f.endpoint_id IS NULL AND ($2 IS NULL OR f.shop_id = $2) AND f.lane_id + 0 < $4
        AND ${STATUS} = $3 AND coalesce($6, 'payment') = 'payment'
      ORDER BY id DESC LIMIT $5
    ), own AS MATERIALIZED (
      SELECT ${PAYMENT_COLUMNS} FROM webhook_lanes l ${WITH_SHOP} WHERE l.id = ANY (ARRAY(SELECT id FROM lanes))
      UNION ALL
      SELECT ${STANDING_COLUMNS} FROM ${STANDING}
      WHERE e.merchant_id = $1 AND e.status <> 'deleted' AND ($2::bigint IS NULL OR e.shop_ids IS NULL OR $2 = ANY (e.shop_ids))
        AND e.id + 0 < $4 AND ($3::text IS NULL OR ${STATUS} = $3) AND coalesce($6::text, 'standing') = 'standing'
      ORDER BY id DESC LIMIT $5
    )`),
};

/** The endpoint $1 of the merchant $2. */
export const FIND_ENDPOINT: Statement = {
  name: 'webhooks.find_endpoint',
  text: detailsOf(`WITH own AS MATERIALIZED (
      SELECT ${PAYMENT_COLUMNS}
      FROM webhook_lanes l ${WITH_SHOP} WHERE l.id = $1 AND s.merchant_id = $2
      UNION ALL
      SELECT ${STANDING_COLUMNS} FROM ${STANDING} WHERE e.id = $1 AND e.merchant_id = $2 AND e.status <> 'deleted'
    )`),
};

const oldestOpen = (status: string): string =>
  `(SELECT webhook_endpoint, shop_id FROM ${PAYMENTS} payment WHERE merchant_id = $1 AND status = '${status}' ORDER BY id LIMIT $3)`;

/**
 * Open payments of the merchant $1 without an address of their own, in the shops of the standing endpoint $2. Examines at most
 * $3 of each status, the oldest; `null`: there may be more. No row for an endpoint of another kind.
 */
export const COUNT_OPEN_PAYMENTS: Statement = {
  name: 'webhooks.count_open_payments',
  text: `SELECT (SELECT CASE WHEN count(*) < $3 THEN count(*) FILTER (
        WHERE p.webhook_endpoint IS NULL AND (e.shop_ids IS NULL OR p.shop_id = ANY (e.shop_ids))) END::int
      FROM (${oldestOpen('pending')} UNION ALL ${oldestOpen('processing')}) AS p) AS count
    FROM webhook_endpoints e WHERE e.merchant_id = $1 AND e.id = $2 AND e.status <> 'deleted'`,
};

/** Hours of the lane $1 with at least one attempt, oldest first. */
export const LIST_ENDPOINT_HOURS: Statement = {
  name: 'webhooks.list_endpoint_hours',
  text: `SELECT hour, attempts, delivered, failed, answer_times FROM endpoint_hours
    WHERE lane_id = $1 AND hour >= ${SINCE} ORDER BY hour`,
};
