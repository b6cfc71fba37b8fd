import type { Statement } from '../platform/database/database.js';
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
  'flow.version_approved': 'flow',
  'flow.version_activated': 'flow',
  'flow.rollout_started': 'flow',
  'flow.rollout_changed': 'flow',
  'flow.rollout_promoted': 'flow',
  'flow.rollout_aborted': 'flow',
  'flow.deleted': 'flow',
  'client.created': 'client',
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
  'operation.settled': 'payment',
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

export interface AuditRow {
  id: number;
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

/**
 * Returns the statement and values for a page of a merchant's entries, newest first. Times have the order of the index,
 * so that any page costs the same. The cursor's entry is never deleted. If it belongs to another merchant or does not
 * exist, the page is empty.
 */
export function listEntries(
  merchantId: number,
  filter: AuditFilter,
  { limit, beforeId }: { limit: number; beforeId?: number },
): [Statement, unknown[]] {
  const values: unknown[] = [merchantId, limit];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const given = FIELDS.filter((field) => filter[field] !== undefined);
  const conditions = given.map((field) => CONDITIONS[field](value(filter[field])));
  if (beforeId !== undefined) {
    const before = value(beforeId);
    conditions.push(
      `(at, id) < ((SELECT at FROM audit_entries WHERE id = ${before} AND merchant_id = $1), ${before}::bigint)`,
    );
  }
  const where = ['merchant_id = $1', ...conditions].join(' AND ');
  const name = ['audit.list', ...given, ...(beforeId === undefined ? [] : ['before'])].join('.');
  return [
    {
      name,
      text: `SELECT id, at, actor, client_id, action, object_type, object_id, fields, details, address, request_id
        FROM audit_entries WHERE ${where} ORDER BY at DESC, id DESC LIMIT $2`,
    },
    values,
  ];
}
