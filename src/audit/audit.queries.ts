import type { Statement } from '../platform/database/database.js';
import type { WalkedRow } from '../platform/http/walked-page.js';
import type { AuditContext } from './audit-context.js';

/** The audited actions, with the type of their object. */
export const AUDIT_ACTIONS = {
  'shop.created': 'shop',
  'shop.updated': 'shop',
  'shop.credentials_checked': 'shop',
  'shop.webhook_secret_rotated': 'shop',
  'shop.webhook_key_rotated': 'shop',
  'flow.created': 'flow',
  'flow.updated': 'flow',
  'flow.version_drafted': 'flow',
  'flow.approval_requested': 'flow',
  'flow.approval_withdrawn': 'flow',
  'flow.version_approved': 'flow',
  'flow.version_rejected': 'flow',
  'flow.version_commented': 'flow',
  'flow.version_activated': 'flow',
  'flow.rollout_started': 'flow',
  'flow.rollout_changed': 'flow',
  'flow.rollout_promoted': 'flow',
  'flow.rollout_aborted': 'flow',
  'flow.deleted': 'flow',
  'client.created': 'client',
  'client.updated': 'client',
  'client.revoked': 'client',
  'client.secret_rotated': 'client',
  'delivery.retried': 'delivery',
  'deliveries.replayed': 'shop',
  'deliveries.redelivered': 'merchant',
  'endpoint.created': 'endpoint',
  'endpoint.updated': 'endpoint',
  'endpoint.deleted': 'endpoint',
  'endpoint.paused': 'endpoint',
  'endpoint.resumed': 'endpoint',
  'endpoint.secret_rotated': 'endpoint',
  'endpoint.tested': 'endpoint',
  'endpoint.conformance_run': 'endpoint',
  'endpoint.disabled': 'endpoint',
  'webhook.tested': 'shop',
  'webhook.conformance_run': 'shop',
  'customer.erased': 'customer',
  'payment_method.saved': 'customer',
  'payment_method.removed': 'customer',
  'charge.given_back': 'shop',
  'alarm.acknowledged': 'notification',
  'operation.settlement_requested': 'payment',
  'operation.settled': 'payment',
  'payment.updated': 'payment',
  'payment.capture_requested': 'payment',
  'payment.cancel_requested': 'payment',
  'payment.refund_requested': 'payment',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export type AuditObject = (typeof AUDIT_ACTIONS)[AuditAction];

/**
 * An audited action. Never contains secrets or personal data: only names of fields, ids, settings, and the reason that a
 * person gave for a change of a flow.
 */
export interface AuditEntry {
  merchantId: number;
  action: AuditAction;
  objectId: number | string;
  /** The names of the fields that get a new value. */
  fields?: readonly string[];
  details?: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface AuditRow extends WalkedRow {
  at: Date;
  actor: AuditContext['actor'];
  client_id: string | null;
  action: AuditAction;
  object_type: AuditObject;
  object_id: string;
  fields: string[];
  details: Record<string, unknown>;
  address: string | null;
  request_id: string | null;
}

/** $1 merchant, $2 actor, $3 client, $4 action, $5 and $6 object, $7 fields, $8 details, $9 address, $10 request id. */
export const INSERT_ENTRY: Statement = {
  name: 'audit.insert',
  text: `INSERT INTO audit_entries (merchant_id, actor, client_id, action, object_type, object_id, fields, details, address, request_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

/** $1 merchant, $2 id. */
export const FIND_ENTRY: Statement = {
  name: 'audit.find',
  text: 'SELECT id FROM audit_entries WHERE merchant_id = $1 AND id = $2',
};

/** The oldest entries, with their lines of the archive: $1 from before this time, $2 rows to read. Ids follow the time. */
export const FIND_OLD_ENTRIES: Statement = {
  name: 'audit.find_old',
  text: `SELECT id, translate(row_to_json(old)::text, E'\\n\\r', '  ') AS line
    FROM (SELECT * FROM audit_entries ORDER BY id LIMIT $2) old WHERE at < $1::timestamptz`,
};

/** $1 ids. */
export const DELETE_ENTRIES: Statement = {
  name: 'audit.delete',
  text: 'DELETE FROM audit_entries WHERE id = ANY ($1::bigint[])',
};

/** The filters of a list, as SQL conditions. */
const CONDITIONS = {
  actor: (value: string) => `actor = ${value}`,
  clientId: (value: string) => `client_id = ${value}`,
  action: (value: string) => `action = ${value}`,
  objectType: (value: string) => `object_type = ${value}`,
  objectId: (value: string) => `object_id = ${value}`,
  from: (value: string) => `at >= ${value}`,
  to: (value: string) => `at < ${value}`,
} as const;

export type AuditFilter = { [Field in keyof typeof CONDITIONS]?: string | Date | undefined };

const FIELDS = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

/** Fields with an index before the time, the more selective first, without those that every index has. */
const INDEXED: (keyof typeof CONDITIONS)[][] = [['objectType', 'objectId'], ['action'], []];
const TIMES = ['from', 'to'];

/**
 * Returns the statement and values for a page of a merchant's entries, newest first: a walk over the newest `count` that
 * one index finds, of which the other filters read themselves (see `walkedPage`). Without other filters it looks at the
 * page's own entries only. If the cursor's entry belongs to another merchant or does not exist, the page is empty.
 */
export function walkEntries(
  merchantId: number,
  filter: AuditFilter,
  { limit, beforeId, count }: { limit: number; beforeId: number | undefined; count: number },
): [Statement, unknown[]] {
  const given = FIELDS.filter((field) => filter[field] !== undefined);
  const index = INDEXED.find((fields) => fields.every((field) => given.includes(field)))!;
  const isOther = (field: keyof typeof CONDITIONS): boolean => !index.includes(field) && !TIMES.includes(field);
  const others = given.filter(isOther);
  const values: unknown[] = [merchantId, limit, others.length > 0 ? count : limit];
  const value = (of: unknown): string => `$${values.push(of)}`;
  const conditionsOf = (fields: typeof given): string[] =>
    fields.map((field) => CONDITIONS[field](value(filter[field])));
  const within = ['merchant_id = $1', ...conditionsOf(given.filter((field) => !isOther(field)))];
  if (beforeId !== undefined) {
    const before = value(beforeId);
    within.push(
      `(at, id) < ((SELECT at FROM audit_entries WHERE id = ${before} AND merchant_id = $1), ${before}::bigint)`,
    );
  }
  const matches = ['e.id = w.id', ...conditionsOf(others)].join(' AND ');
  const name = ['audit.walk', ...given, ...(beforeId === undefined ? [] : ['before'])].join('.');
  return [
    {
      name,
      text: `WITH walked AS MATERIALIZED (
          SELECT at, id FROM audit_entries WHERE ${within.join(' AND ')} ORDER BY at DESC, id DESC LIMIT $3
        ), page AS MATERIALIZED (
          SELECT e.* FROM (SELECT at, id FROM walked ORDER BY at DESC, id DESC) w CROSS JOIN LATERAL (
            SELECT id, at, actor, client_id, action, object_type, object_id, fields, details, address, request_id
            FROM audit_entries e WHERE ${matches} OFFSET 0
          ) e ORDER BY w.at DESC, w.id DESC LIMIT $2
        )
        SELECT w.walked_to, w.walked, e.* FROM (
          SELECT (array_agg(id ORDER BY at, id))[1] AS walked_to, count(*)::integer AS walked FROM walked
        ) w LEFT JOIN page e ON true ORDER BY e.at DESC, e.id DESC`,
    },
    values,
  ];
}
