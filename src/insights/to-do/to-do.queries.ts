import type { Statement } from '../../platform/database/database.js';
import {
  DISPUTES,
  FAILING_ENDPOINTS,
  NOTIFICATIONS,
  OPERATIONS,
  OUTAGES,
  PAYMENTS,
  SHOPS,
  WAITING_APPROVALS,
} from '../../shared/relations.js';
import { MAX_COUNTED, OPEN_ALARM } from '../overview/overview.queries.js';
import type { ToDoKind } from './to-do-kinds.js';

/** A part of a line: what has one currency. `null`: it has no money, or no such time. */
export interface PartRow {
  kind: ToDoKind;
  currency: string | null;
  count: number;
  amount: string | null;
  since: Date | null;
  until: Date | null;
}

const kind = (name: ToDoKind): string => `'${name}'::text`;

interface Part {
  /** SQL of the kind, and of the amount and times of a row of `found`. */
  kind: string;
  amount: string;
  since?: string;
  until?: string;
}

/** One row for each kind and currency of the rows that `found` selects. */
const parts = (found: string, { kind: of, amount, since = 'NULL::timestamptz', until = 'NULL::timestamptz' }: Part) =>
  `SELECT kind, currency, count(*)::int AS count, sum(amount) AS amount, min(since) AS since, min(until) AS until
    FROM (SELECT ${of} AS kind, currency, ${amount} AS amount, ${since} AS since, ${until} AS until FROM (${found}) found) part
    GROUP BY kind, currency ORDER BY kind, currency`;

/** $1 merchant, $2 now, $3 in 24 hours, $4 in three days. The index of lapses, in its order. */
export const LAPSES: Statement = {
  name: 'to_do.lapses',
  text: parts(
    `SELECT currency, amount_authorized, capture_before FROM ${PAYMENTS} p
      WHERE merchant_id = ANY (ARRAY[$1::bigint]) AND capture_before >= $2 AND capture_before < $4
      ORDER BY merchant_id, capture_before LIMIT ${MAX_COUNTED}`,
    {
      kind: `CASE WHEN capture_before < $3 THEN ${kind('lapses_in_24_hours')} ELSE ${kind('lapses_in_3_days')} END`,
      amount: 'amount_authorized',
      until: 'capture_before',
    },
  ),
};

/** $1 merchant, $2 now, $3 in seven days. The index of due evidence, in its order. */
export const EVIDENCE: Statement = {
  name: 'to_do.evidence',
  text: parts(
    `SELECT currency, amount, evidence_due_by FROM ${DISPUTES} d
      WHERE merchant_id = ANY (ARRAY[$1::bigint]) AND status = 'open' AND evidence_due_by < $3
      ORDER BY merchant_id, evidence_due_by LIMIT ${MAX_COUNTED}`,
    {
      kind: `CASE WHEN evidence_due_by < $2 THEN ${kind('evidence_overdue')} ELSE ${kind('evidence_due')} END`,
      amount: 'amount',
      until: 'evidence_due_by',
    },
  ),
};

/** Operations of the merchant $1 that no worker tries. */
export const TO_SETTLE: Statement = {
  name: 'to_do.to_settle',
  text: parts(
    `SELECT o.currency, o.amount, o.created_at FROM (
        SELECT subject_id, part FROM due_work WHERE owner_id = $1 AND kind = 'operation' AND due_at = 'infinity' LIMIT ${MAX_COUNTED}
      ) d CROSS JOIN LATERAL (
        SELECT currency, amount, created_at FROM ${OPERATIONS} o WHERE o.payment_id = d.subject_id AND o.id = d.part
          AND o.state IN ('open', 'pending', 'unknown') OFFSET 0) o`,
    { kind: kind('operations_to_settle'), amount: 'amount', since: 'created_at' },
  ),
};

/** Alarms of the shops of the merchant $1 that no one has acknowledged. */
export const ALARMS: Statement = {
  name: 'to_do.alarms',
  text: parts(
    `SELECT a.currency, a.amount, a.received_at FROM ${SHOPS} s CROSS JOIN LATERAL (
        SELECT currency, amount, received_at FROM ${NOTIFICATIONS} a WHERE a.shop_id = s.id AND ${OPEN_ALARM}
        ORDER BY a.shop_id, a.id LIMIT ${MAX_COUNTED}) a
      WHERE s.merchant_id = $1 LIMIT ${MAX_COUNTED}`,
    { kind: kind('alarms'), amount: 'amount::numeric', since: 'received_at' },
  ),
};

/** Endpoints of the merchant $1 that have received nothing for five minutes. */
export const FAILING: Statement = {
  name: 'to_do.failing',
  text: parts(
    `SELECT NULL::text AS currency, failing_since FROM ${FAILING_ENDPOINTS} f
      WHERE f.merchant_id = $1 AND f.announced_at IS NOT NULL LIMIT ${MAX_COUNTED}`,
    { kind: kind('endpoints_failing'), amount: 'NULL::numeric', since: 'failing_since' },
  ),
};

export interface DownRow {
  shop_id: number;
  shop_name: string;
  since: Date;
}

/** The shops of the merchant $1 that are down, the longest first, at most $2. Few shops have an outage. */
export const DOWN: Statement = {
  name: 'to_do.down',
  text: `SELECT s.id AS shop_id, s.name AS shop_name, o.began_at AS since FROM ${SHOPS} s JOIN ${OUTAGES} o ON o.shop_id = s.id
    WHERE s.merchant_id = $1 AND s.enabled AND o.ended_at IS NULL ORDER BY o.began_at, s.id LIMIT $2`,
};

export interface WaitingRow {
  flow_id: number;
  flow_name: string;
  version: number;
  since: Date;
}

/** The versions of flows of the merchant $1 that the client $2 may approve, the longest waiting first, at most $3. */
export const WAITING: Statement = {
  name: 'to_do.waiting',
  text: `SELECT flow_id, flow_name, version, requested_at AS since FROM ${WAITING_APPROVALS} q
    WHERE merchant_id = $1 AND created_by IS DISTINCT FROM $2::text AND (colleagues = '{}' OR $2 = ANY (colleagues))
    ORDER BY requested_at, flow_id, version LIMIT $3`,
};
