import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import type { EnvReader } from './env-reader.js';

/** The value of RETENTION_ARCHIVE that deletes without an archive. */
const DISCARD = 'discard';

/** How long rows are kept, in days; 0: forever. */
export function retentionSettings(read: EnvReader) {
  const retentionDays = {
    deliveries: read.get('RETENTION_DELIVERIES_DAYS'),
    attempts: read.get('RETENTION_ATTEMPTS_DAYS'),
    notifications: read.get('RETENTION_NOTIFICATIONS_DAYS'),
    idempotencyKeys: read.get('RETENTION_IDEMPOTENCY_KEYS_DAYS'),
    payments: read.get('RETENTION_PAYMENTS_DAYS'),
    audit: read.get('RETENTION_AUDIT_DAYS'),
  };
  const archive = read.get('RETENTION_ARCHIVE');
  requireArchive(retentionDays, archive);
  requireEndOfDeliveries(retentionDays);
  /** `archiveDir`: absolute path; `undefined`: nothing is archived. */
  return { retentionDays, archiveDir: archive === undefined || archive === DISCARD ? undefined : resolve(archive) };
}

function requireArchive({ payments, audit }: { payments: number; audit: number }, archive: string | undefined): void {
  if (archive !== undefined || (payments === 0 && audit === 0)) return;
  const name = payments > 0 ? 'RETENTION_PAYMENTS_DAYS' : 'RETENTION_AUDIT_DAYS';
  const takes = `a folder to which rows are written before they are deleted, or ${DISCARD}, as ${name} is set`;
  throw new ConfigError('RETENTION_ARCHIVE', undefined, takes);
}

/** A payment stays as long as a delivery about it: an erasure finds the delivery through its payment. */
function requireEndOfDeliveries({ payments, deliveries }: { payments: number; deliveries: number }): void {
  if (payments === 0 || (deliveries > 0 && deliveries <= payments)) return;
  const takes = `1 to ${payments}, as RETENTION_PAYMENTS_DAYS is ${payments} and a payment stays as long as its deliveries`;
  throw new ConfigError('RETENTION_DELIVERIES_DAYS', `'${deliveries}'`, takes);
}
