import type { Statement } from '../../platform/database/database.js';

export const ENDPOINT_STATUSES = ['healthy', 'erring', 'failing'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

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
}

export interface EndpointRow {
  id: number;
  shop_id: number;
  shop_name: string;
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
 * Selects details of the endpoints in `own (id, shop_id, shop_name, origin, status, failing_since)`. Each endpoint is read
 * by indexes that begin with its lane: at most 24 hours, its first pending delivery, and 1,000 pending rows.
 */
const detailsOf = (own: string): string => `${own}
    SELECT own.*, ${SINCE} AS since, day.*, times.*, waiting.pending, waiting.next_due_at,
      CASE WHEN waiting.next_due_at <= statement_timestamp() THEN waiting.next_due_at END AS oldest_due_at, e.errors
    FROM own
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(h.attempts), 0)::int AS attempts, coalesce(sum(h.delivered), 0)::int AS delivered,
        coalesce(sum(h.failed), 0)::int AS failed
      FROM endpoint_hours h WHERE h.lane_id = own.id AND h.hour >= ${SINCE}
    ) day
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(c.answers ORDER BY c.place), '{}') AS answer_times FROM (
        SELECT t.place, sum(t.answers)::int AS answers
        FROM endpoint_hours h CROSS JOIN unnest(h.answer_times) WITH ORDINALITY AS t (answers, place)
        WHERE h.lane_id = own.id AND h.hour >= ${SINCE} GROUP BY t.place
      ) c
    ) times
    CROSS JOIN LATERAL (
      SELECT (SELECT count(*)::int FROM (
          SELECT FROM pending_deliveries p WHERE p.lane_id = own.id LIMIT ${MAX_COUNTED}) counted) AS pending,
        (SELECT p.due_at FROM pending_deliveries p WHERE p.lane_id = own.id ORDER BY p.due_at, p.id LIMIT 1) AS next_due_at
    ) waiting
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(k ORDER BY k.last_at DESC), '[]') AS errors FROM (
        SELECT h.code, sum(h.attempts)::int AS attempts, max(h.last_at) AS last_at,
          (array_agg(h.last_delivery_id ORDER BY h.last_at DESC))[1] AS last_delivery_id
        FROM endpoint_errors h WHERE h.lane_id = own.id AND h.hour >= ${SINCE}
        GROUP BY h.code ORDER BY max(h.last_at) DESC LIMIT ${MAX_ERRORS}
      ) k
    ) e
    ORDER BY own.id DESC`;

/**
 * A page of a merchant's endpoints, newest first: $1 merchant, $2 shop or null, $3 status or null, $4 id to stay below, $5
 * limit. `id + 0` makes the planner sort the merchant's endpoints instead of scanning those of all merchants by id.
 */
export const LIST_ENDPOINTS: Statement = {
  name: 'webhooks.list_endpoints',
  text: detailsOf(`WITH own AS MATERIALIZED (
      SELECT l.id, l.shop_id, s.name AS shop_name, l.origin, ${STATUS} AS status, f.failing_since
      FROM shops s JOIN webhook_lanes l ON l.shop_id = s.id LEFT JOIN failing_endpoints f ON f.lane_id = l.id
      WHERE s.merchant_id = $1 AND ($2::bigint IS NULL OR s.id = $2) AND l.id + 0 < $4
        AND ($3::text IS NULL OR ${STATUS} = $3)
      ORDER BY l.id + 0 DESC LIMIT $5
    )`),
};

/** The endpoint $1 of the merchant $2. */
export const FIND_ENDPOINT: Statement = {
  name: 'webhooks.find_endpoint',
  text: detailsOf(`WITH own AS MATERIALIZED (
      SELECT l.id, l.shop_id, s.name AS shop_name, l.origin, ${STATUS} AS status, f.failing_since
      FROM webhook_lanes l JOIN shops s ON s.id = l.shop_id LEFT JOIN failing_endpoints f ON f.lane_id = l.id
      WHERE l.id = $1 AND s.merchant_id = $2
    )`),
};

/** Hours of the endpoint $1 with at least one attempt, oldest first. */
export const LIST_ENDPOINT_HOURS: Statement = {
  name: 'webhooks.list_endpoint_hours',
  text: `SELECT hour, attempts, delivered, failed, answer_times FROM endpoint_hours
    WHERE lane_id = $1 AND hour >= ${SINCE} ORDER BY hour`,
};
