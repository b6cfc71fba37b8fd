import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import type { AlarmReason } from '../../shared/alarm.js';
import { changesNotCounted } from '../approvals/approval-cells.queries.js';
import { APPROVED, DECLINED, FAILED } from '../approvals/approvals.queries.js';
import {
  DELIVERY_MINUTES,
  ENDED_DELIVERIES,
  FAILING_ENDPOINTS,
  LANES,
  NOTIFICATIONS,
  OPERATIONS,
  PENDING_DELIVERIES,
  SHOPS,
} from '../../shared/relations.js';

// The overview of a merchant, from counters or few rows. Each statement uses an index from the merchant or its shops
// (`MAX_SHOPS_PER_MERCHANT`). It counts up to MAX_COUNTED and lists only as many rows as a page shows.

/** The upper limit of counts. */
export const MAX_COUNTED = 10_000;
export const HOURS = 24;
export const MINUTES = 60;

const FIRST_HOUR = `(date_trunc('hour', statement_timestamp(), 'UTC') - interval '${HOURS - 1} hours')`;
const FIRST_MINUTE = `(date_trunc('minute', statement_timestamp(), 'UTC') - interval '${MINUTES - 1} minutes')`;

export interface ApprovalsRow {
  shop_id: number;
  shop_name: string;
  first_hour: Date;
  /** Hours since `first_hour`; `null`: the shop's only row, it had no outcome. */
  place: number | null;
  approved: number;
  declined: number;
  failed: number;
}

/** The maximum number of listed shops. */
const MAX_SHOPS = 100;

const sumOf = (outcomes: readonly string[]): string =>
  `greatest(0, coalesce(sum(attempts) FILTER (WHERE outcome IN (${outcomes.map((outcome) => `'${outcome}'`).join(', ')})), 0))::int`;

/** $1 merchant. The shops with the most outcomes, from the counts that `GET /insights/approvals` is from. */
export const APPROVALS: Statement = {
  name: 'insights.approvals',
  text: `WITH own AS MATERIALIZED (SELECT id, name FROM ${SHOPS} shop WHERE merchant_id = $1),
    changes AS MATERIALIZED (${changesNotCounted(`started_at >= ${FIRST_HOUR}`)}),
    counts AS (
      SELECT c.shop_id, c.hour, c.outcome, c.attempts FROM approval_cells c
      WHERE c.merchant_id = $1 AND c.by_bin = false AND c.shop_id = ANY (ARRAY(SELECT id FROM own)) AND c.hour >= ${FIRST_HOUR}
      UNION ALL
      SELECT shop_id, date_trunc('hour', started_at, 'UTC'), outcome, sign FROM changes
    ), hours AS MATERIALIZED (
      SELECT shop_id AS id, hour, ${sumOf(APPROVED)} AS approved, ${sumOf(DECLINED)} AS declined, ${sumOf(FAILED)} AS failed
      FROM counts GROUP BY shop_id, hour
    ), busiest AS (
      SELECT id, name FROM own LEFT JOIN hours h USING (id) GROUP BY id, name
      ORDER BY coalesce(sum(h.approved + h.declined + h.failed), 0) DESC, id LIMIT ${MAX_SHOPS}
    )
    SELECT id AS shop_id, b.name AS shop_name, ${FIRST_HOUR} AS first_hour,
      (extract(epoch FROM h.hour - ${FIRST_HOUR}) / 3600)::int AS place, coalesce(h.approved, 0) AS approved,
      coalesce(h.declined, 0) AS declined, coalesce(h.failed, 0) AS failed
    FROM busiest b LEFT JOIN hours h USING (id)
    ORDER BY id, h.hour`,
};

export interface DeliveriesRow {
  first_minute: Date;
  /** Minutes since `first_minute`; `null` in the only row: there was no delivery. */
  place: number | null;
  delivered: number;
  retried: number;
  failed: number;
}

/** $1 merchant. */
export const DELIVERIES: Statement = {
  name: 'insights.deliveries',
  text: `SELECT ${FIRST_MINUTE} AS first_minute, (extract(epoch FROM m.minute - ${FIRST_MINUTE}) / 60)::int AS place,
      coalesce(m.delivered, 0) AS delivered, coalesce(m.retried, 0) AS retried, coalesce(m.failed, 0) AS failed
    FROM (SELECT) always LEFT JOIN ${DELIVERY_MINUTES} m ON m.merchant_id = $1 AND m.minute >= ${FIRST_MINUTE}`,
};

/** Ended deliveries by the time of their creation: see `firstIdSince`. */
export const DELIVERIES_IN_TIME = searchByTime('insights.deliveries_in_time', `${ENDED_DELIVERIES} row`);

export interface OpenRow {
  at: Date;
  pending: number;
  /** Those created during the last 24 hours. */
  failed: number;
  oldest_due_at: Date | null;
  failing: number;
  operations: number;
  oldest_operation_at: Date | null;
  notifications: number;
  oldest_notification_at: Date | null;
  alarms: number;
  oldest_alarm_at: Date | null;
}

export const OPEN_ALARM = `outcome = 'alarm' AND acknowledged_at IS NULL`;
/** Open operations `o` of the merchant $1: each has a row of `due_work`. */
const OPEN_OPERATIONS_OF_MERCHANT = `(SELECT subject_id, part, nullif(due_at, 'infinity') AS next_try_at FROM due_work
        WHERE owner_id = $1 AND kind = 'operation' LIMIT ${MAX_COUNTED}) d CROSS JOIN LATERAL (
        SELECT * FROM ${OPERATIONS} o WHERE o.payment_id = d.subject_id AND o.id = d.part
          AND o.state IN ('open', 'pending', 'unknown') OFFSET 0) o`;

/**
 * $1 merchant, $2 id of the first delivery of the last 24 hours. One row with the pending and failed work, and the
 * oldest times. With more pending deliveries than are counted, the oldest is looked for among those of all merchants that
 * are due first. Only if it is not among them, each lane is looked at.
 */
export const PENDING_WORK: Statement = {
  name: 'insights.open_things',
  text: `WITH own AS MATERIALIZED (SELECT id FROM ${SHOPS} shop WHERE merchant_id = $1),
    pending AS MATERIALIZED (
      SELECT count(*)::int AS pending, min(due_at) FILTER (WHERE due_at <= statement_timestamp() AND endpoint_id = 0) AS due_at
      FROM (
        SELECT p.due_at, p.endpoint_id FROM own CROSS JOIN LATERAL (
          SELECT p.due_at, p.endpoint_id FROM ${PENDING_DELIVERIES} p WHERE p.shop_id = own.id LIMIT ${MAX_COUNTED}
        ) p LIMIT ${MAX_COUNTED}) c
    ), failed AS (
      SELECT count(*)::int AS failed FROM (
        SELECT FROM own CROSS JOIN LATERAL (
          SELECT FROM ${ENDED_DELIVERIES} d WHERE d.shop_id = own.id AND d.status = 'failed' AND d.id >= $2
            AND d.created_at >= statement_timestamp() - interval '${HOURS} hours' LIMIT ${MAX_COUNTED}) d
        LIMIT ${MAX_COUNTED}) c
    ), due AS (
      SELECT CASE WHEN pending < ${MAX_COUNTED} THEN due_at ELSE coalesce((
          SELECT d.due_at FROM (
            SELECT p.due_at, p.shop_id, p.endpoint_id FROM ${PENDING_DELIVERIES} p WHERE p.due_at <= statement_timestamp()
            ORDER BY p.due_at, p.id LIMIT ${MAX_COUNTED}) d
          WHERE d.endpoint_id = 0 AND d.shop_id = ANY (ARRAY(SELECT id FROM own)) ORDER BY d.due_at LIMIT 1), (
          SELECT min(d.due_at) FROM ${LANES} l CROSS JOIN LATERAL (
            SELECT p.due_at FROM ${PENDING_DELIVERIES} p
            WHERE p.lane_id = l.id AND p.due_at <= statement_timestamp() ORDER BY p.due_at, p.id LIMIT 1) d
          WHERE l.shop_id = ANY (ARRAY(SELECT id FROM own))
        )) END AS oldest_due_at
      FROM pending
    ), failing AS (
      SELECT count(*)::int AS failing FROM (
        SELECT FROM ${FAILING_ENDPOINTS} f WHERE f.merchant_id = $1 AND f.announced_at IS NOT NULL LIMIT ${MAX_COUNTED}) f
    ), operations AS (
      SELECT count(*)::int AS operations, min(o.created_at) AS oldest_operation_at
      FROM ${OPEN_OPERATIONS_OF_MERCHANT}
    ), notifications AS (
      SELECT count(*)::int AS notifications, min(n.received_at) AS oldest_notification_at FROM (
        SELECT n.received_at FROM own CROSS JOIN LATERAL (
          SELECT n.received_at FROM ${NOTIFICATIONS} n WHERE n.shop_id = own.id AND n.outcome = 'waiting'
          ORDER BY n.shop_id, n.outcome, n.id LIMIT ${MAX_COUNTED}) n
        LIMIT ${MAX_COUNTED}) n
    ), alarms AS (
      SELECT count(*)::int AS alarms, min(a.received_at) AS oldest_alarm_at FROM (
        SELECT a.received_at FROM own CROSS JOIN LATERAL (
          SELECT a.received_at FROM ${NOTIFICATIONS} a WHERE a.shop_id = own.id AND ${OPEN_ALARM}
          ORDER BY a.shop_id, a.id LIMIT ${MAX_COUNTED}) a
        LIMIT ${MAX_COUNTED}) a
    )
    SELECT statement_timestamp() AS at, pending, failed, oldest_due_at, failing, operations, oldest_operation_at, notifications,
      oldest_notification_at, alarms, oldest_alarm_at
    FROM pending, failed, due, failing, operations, notifications, alarms`,
};

/** The maximum number of listed rows for each kind of pending work. */
const MAX_LISTED = 100;

export interface OpenOperationRow {
  id: number;
  payment_id: number;
  shop_id: number;
  shop_name: string;
  kind: 'charge' | 'void' | 'refund';
  state: 'open' | 'pending' | 'unknown';
  tries: number;
  created_at: Date;
  next_try_at: Date | null;
  reason: string | null;
}

/** $1 merchant. Oldest first. */
export const OPEN_OPERATIONS: Statement = {
  name: 'insights.open_operations',
  text: `SELECT o.id, o.payment_id, o.shop_id, s.name AS shop_name, o.kind, o.state, o.tries, o.created_at, d.next_try_at,
      o.reason
    FROM ${OPEN_OPERATIONS_OF_MERCHANT} JOIN ${SHOPS} s ON s.id = o.shop_id
    ORDER BY o.created_at, o.payment_id, o.id LIMIT ${MAX_LISTED}`,
};

export interface WaitingNotificationRow {
  id: number;
  shop_id: number;
  shop_name: string;
  provider: string;
  notification_id: string;
  provider_transaction_id: string | null;
  payment_id: number | null;
  reason: string | null;
  received_at: Date;
}

/** $1 merchant. Oldest first. */
export const WAITING_NOTIFICATIONS: Statement = {
  name: 'insights.waiting_notifications',
  text: `SELECT n.id, s.id AS shop_id, s.name AS shop_name, n.provider, n.notification_id, n.provider_transaction_id,
      n.payment_id, n.reason, n.received_at
    FROM ${SHOPS} s CROSS JOIN LATERAL (
      SELECT * FROM ${NOTIFICATIONS} n WHERE n.shop_id = s.id AND n.outcome = 'waiting'
      ORDER BY n.shop_id, n.outcome, n.id LIMIT ${MAX_LISTED}) n
    WHERE s.merchant_id = $1
    ORDER BY n.received_at, n.id LIMIT ${MAX_LISTED}`,
};

export interface OpenAlarmRow {
  id: number;
  shop_id: number;
  shop_name: string;
  provider: string;
  payment_id: number | null;
  reason: AlarmReason;
  amount: string | null;
  currency: string | null;
  received_at: Date;
}

/** $1 merchant. Oldest first. */
export const OPEN_ALARMS: Statement = {
  name: 'insights.open_alarms',
  text: `SELECT a.id, s.id AS shop_id, s.name AS shop_name, a.provider, a.payment_id, a.reason, a.amount, a.currency,
      a.received_at
    FROM ${SHOPS} s CROSS JOIN LATERAL (
      SELECT * FROM ${NOTIFICATIONS} a WHERE a.shop_id = s.id AND ${OPEN_ALARM}
      ORDER BY a.shop_id, a.id LIMIT ${MAX_LISTED}) a
    WHERE s.merchant_id = $1
    ORDER BY a.received_at, a.id LIMIT ${MAX_LISTED}`,
};
