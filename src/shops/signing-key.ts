import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A shop's public key in its published form (RFC 8037 §2). */
export interface WebhookJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes, base64url. */
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

const PREFIX = 'whsk_';
const SEED_BYTES = 32;
/** The bytes before the seed in a PKCS #8 key of ed25519 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The text of an ed25519 private key, which is stored encrypted: `whsk_` and the base64 of its seed (RFC 8032 §5.1.5).
 */
export const newSigningKey = (random: { bytes(size: number): Buffer }): string =>
  PREFIX + random.bytes(SEED_BYTES).toString('base64');

/** Throws for any text that `newSigningKey` does not produce. */
export function parseSigningKey(text: string): KeyObject {
  const seed = Buffer.from(text.slice(PREFIX.length), 'base64');
  if (!text.startsWith(PREFIX) || seed.length !== SEED_BYTES) throw new Error('no private key of ed25519');
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

export function publicJwk(privateKey: KeyObject): WebhookJwk {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as JsonWebKey & { x: string };
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), alg: 'EdDSA', use: 'sig' };
}

/** RFC 7638 with the members that RFC 8037 §2 requires. */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
