import type { Schema } from '@payment-orchestrator/client';

/** The names of changed fields and the further details of an entry, as texts. The log never contains values of fields. */
export function detailsOf({ fields, details }: Pick<Schema<'AuditEntry'>, 'fields' | 'details'>): [string, string][] {
  const changed: [string, string][] = fields.length === 0 ? [] : [['fields', fields.join(', ')]];
  return [...changed, ...Object.entries(details).map(([name, value]): [string, string] => [name, textOf(value)])];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
