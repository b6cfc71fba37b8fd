import type { Schema } from '@payment-orchestrator/client';
import { detailsOf } from './audit-details';

const COLUMNS: [title: string, (entry: Schema<'AuditEntry'>) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['object_type', ({ object }) => object.type],
  ['object_id', ({ object }) => object.id],
  ['actor', ({ actor }) => actor.type],
  ['client_id', ({ actor }) => actor.client_id],
  ['address', ({ address }) => address],
  ['request_id', ({ request_id: id }) => id],
  [
    'details',
    (entry) =>
      detailsOf(entry)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
  ],
];

/** CSV as in RFC 4180, with a byte order mark, by which spreadsheets recognize UTF-8. */
export function auditCsv(entries: readonly Schema<'AuditEntry'>[]): string {
  const rows = entries.map((entry) => COLUMNS.map(([, valueOf]) => valueOf(entry)));
  return `\uFEFF${[COLUMNS.map(([title]) => title), ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** A spreadsheet runs a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
