import { createHash } from 'node:crypto';
import type { ProviderEvent } from '../../providers/payment-provider.js';

/** The same for an event that is sent again, whatever the order of its fields; another one for another content. */
export function eventFingerprint({ status, match, amount, currency, data }: ProviderEvent): string {
  const content = [status, match.transactionId, match.reference, amount, currency, data];
  return createHash('sha256').update(JSON.stringify(content, sorted)).digest('hex');
}

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
