/** What is audited, and the kind of object that it happens to. */
export const AUDIT_ACTIONS = {
  'shop.created': 'shop',
  'shop.updated': 'shop',
  'shop.webhook_secret_rotated': 'shop',
  'flow.created': 'flow',
  'flow.updated': 'flow',
  'flow.version_drafted': 'flow',
  'flow.version_activated': 'flow',
  'flow.deleted': 'flow',
  'client.created': 'client',
  'client.revoked': 'client',
  'client.secret_rotated': 'client',
  'delivery.retried': 'delivery',
  'deliveries.replayed': 'shop',
  'webhook.tested': 'shop',
  'customer.erased': 'customer',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export type AuditObject = (typeof AUDIT_ACTIONS)[AuditAction];

/** Something that was done. Never holds secrets or personal data: names of fields, ids and settings alone. */
export interface AuditEntry {
  merchantId: number;
  action: AuditAction;
  objectId: number | string;
  /** The names of the fields that the change gives a new value. */
  fields?: readonly string[];
  details?: Readonly<Record<string, string | number | readonly string[]>>;
}
