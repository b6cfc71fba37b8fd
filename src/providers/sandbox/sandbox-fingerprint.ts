import { createHash } from 'node:crypto';

/** Stands for what was asked for under an idempotency key. A payment method's token cannot be read from it. */
export const fingerprintOf = (...parts: (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
