import { createHmac, timingSafeEqual } from 'node:crypto';
import { NotificationRefused, type SignedRequest } from '@payment-orchestrator/provider-kit';
import { notificationSecret } from './credentials.js';

/** Secret for the check of a shop without one; its signatures are refused anyway. */
const NO_SECRET = 'no secret';

/** Hex HMAC-SHA256 of `body` keyed with `secret`. */
export const sandboxSignature = (secret: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Ties a transaction to the secret of its shop, without storing the secret. */
export const accountOf = (secret: string): string => sandboxSignature(secret, 'account');

/** The secret that signed the notification. Throws `invalid_signature`. Compared in constant time. */
export function requireSignature({ rawBody, headers }: SignedRequest, credentials: Record<string, unknown>): string {
  const secret = notificationSecret(credentials);
  const header = typeof headers['signature'] === 'string' ? headers['signature'] : '';
  // same work for a shop without a secret, so that the time of a refusal reveals nothing about shops
  const expected = Buffer.from(sandboxSignature(secret ?? NO_SECRET, rawBody), 'hex');
  const given = /^[0-9a-f]{64}$/i.test(header) ? Buffer.from(header, 'hex') : Buffer.alloc(expected.length);
  if (!timingSafeEqual(expected, given) || secret === undefined) throw new NotificationRefused('invalid_signature');
  return secret;
}
