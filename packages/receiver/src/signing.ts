// Signs as the service does: for tests of a receiver, and for tools that post webhooks. Needs Node.
import { createHmac, type KeyObject, sign } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns the specification's `Signature` header: lower-case hex HMAC-SHA256 of the exact body bytes. The key is the
 * secret string as the merchant sees it (its UTF-8 bytes, with the prefix `whsec_`).
 */
export const signBody = (secret: string | KeyObject, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/**
 * Returns the `webhook-signature` header of Standard Webhooks, a list separated by spaces. Each secret gives `v1,` +
 * base64 HMAC-SHA256 of `id.timestamp.body`; each ed25519 key gives `v1a,` + base64 signature of the same. `timestamp`
 * is in seconds since 1970. Source: standardwebhooks.com, specification 1.0.0.
 */
export const signStandard = (
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: Buffer,
  signingKeys: readonly KeyObject[] = [],
): string => signWithKeys(secrets.map(standardKey), id, timestamp, body, signingKeys);

/** The same with keys that were derived before. */
export function signWithKeys(
  keys: readonly (Buffer | KeyObject)[],
  id: string,
  timestamp: number,
  body: Buffer,
  signingKeys: readonly KeyObject[],
): string {
  const prefix = `${id}.${timestamp}.`;
  const symmetric = keys.map((key) => `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`);
  if (signingKeys.length === 0) return symmetric.join(' ');
  const content = Buffer.concat([Buffer.from(prefix), body]);
  const asymmetric = signingKeys.map((key) => `v1a,${sign(null, content, key).toString('base64')}`);
  return [...symmetric, ...asymmetric].join(' ');
}

/**
 * Returns the key bytes of a secret in Standard Webhooks: the base64-decoded part after `whsec_`. For a merchant's own
 * secret in another format, these are its UTF-8 bytes, which a verifying library accepts as a raw key.
 */
export function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}

/**
 * Returns the error of a secret that a merchant sent; `undefined`: it is valid. Either 24 to 200 printable ASCII
 * characters, or `whsec_` and the base64 of 24 to 64 bytes as Standard Webhooks requires.
 */
export function webhookSecretError(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) {
    return /^[\x21-\x7e]{24,200}$/.test(secret)
      ? undefined
      : 'must be 24 to 200 printable ASCII characters without spaces';
  }
  const text = secret.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64') === text;
  return isBase64 && bytes.length >= 24 && bytes.length <= 64
    ? undefined
    : 'must contain the base64 of 24 to 64 bytes after whsec_';
}
