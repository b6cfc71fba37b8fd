import { createHmac, createSecretKey, type KeyObject, sign } from 'node:crypto';
import type { WebhookSecrets } from '../../shops/webhook-secrets.js';

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

function signWithKeys(
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

/** Signs the webhooks of one shop. The keys are derived once. */
export class WebhookSigner {
  private readonly key: KeyObject;
  private readonly standardKeys: readonly KeyObject[];
  private readonly signingKeys: readonly KeyObject[];

  constructor({ current, next, previous, signingKeys = [] }: WebhookSecrets) {
    this.key = createSecretKey(Buffer.from(current, 'utf8'));
    const secrets = [current, next, previous].filter((secret) => typeof secret === 'string');
    this.standardKeys = secrets.map((secret) => createSecretKey(standardKey(secret)));
    this.signingKeys = signingKeys;
  }

  /** Returns the `Signature` header, signed with the current secret. */
  body(body: Buffer): string {
    return signBody(this.key, body);
  }

  /** Returns the `webhook-signature` header, signed with the current, next and previous secrets. `timestamp`: seconds since 1970. */
  standard(id: string, timestamp: number, body: Buffer): string {
    return signWithKeys(this.standardKeys, id, timestamp, body, this.signingKeys);
  }
}

/**
 * Returns the key bytes of a secret in Standard Webhooks: the base64-decoded part after `whsec_`. For a merchant's own
 * secret in another format, these are its UTF-8 bytes, which a verifying library accepts as a raw key.
 */
export function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}
