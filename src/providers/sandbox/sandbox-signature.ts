import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../shared/problem.js';
import type { IncomingNotification } from '../payment-provider.js';
import { notificationSecret } from './sandbox-credentials.js';

/** Verified against where there is no secret; what it signs is refused all the same. */
const NO_SECRET = 'no secret';

/** Hex HMAC-SHA256 of `body` keyed with `secret`. */
export const sandboxSignature = (secret: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** What ties a transaction to the secret of its shop, without keeping the secret. */
export const accountOf = (secret: string): string => sandboxSignature(secret, 'account');

/** The secret that signed the notification. Throws `invalid_signature`. Compared in constant time. */
export function requireSignature(
  { rawBody, headers }: IncomingNotification,
  credentials: Record<string, unknown>,
): string {
  const secret = notificationSecret(credentials);
  const header = typeof headers['signature'] === 'string' ? headers['signature'] : '';
  // as much work for a shop without a secret: how long a refusal takes tells nothing about shops
  const expected = Buffer.from(sandboxSignature(secret ?? NO_SECRET, rawBody), 'hex');
  const given = /^[0-9a-f]{64}$/i.test(header) ? Buffer.from(header, 'hex') : Buffer.alloc(expected.length);
  if (!timingSafeEqual(expected, given) || secret === undefined) throw new Problem('invalid_signature');
  return secret;
}
