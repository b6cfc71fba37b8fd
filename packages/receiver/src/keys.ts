// Uses only WebCrypto, which Node, Deno, Bun, Workers and browsers support. Its `verify` compares in constant time.

export const SECRET_PREFIX = 'whsec_';
export const PUBLIC_PREFIX = 'whpk_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const ED25519 = { name: 'Ed25519' };

export type Bytes = Uint8Array<ArrayBuffer>;

/** A key for one kind of signature: `hex` of the header `Signature`, or `v1` and `v1a` of Standard Webhooks. */
export interface VerificationKey {
  kind: 'hex' | 'v1' | 'v1a';
  matches(signature: Bytes, content: Bytes): Promise<boolean>;
}

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Decodes base64 with padding; `undefined` if the text is invalid. */
export function fromBase64(text: string): Bytes | undefined {
  return BASE64.test(text) ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined;
}

/** Decodes hex in either case; `undefined` if the text is invalid. */
export function fromHex(text: string): Bytes | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/** The key for the header `Signature`: the secret as a text, including `whsec_`. A public key cannot verify this header. */
export const hexKey = async (secret: string): Promise<VerificationKey[]> =>
  secret.startsWith(PUBLIC_PREFIX) ? [] : [await hmacKey('hex', utf8(secret))];

/**
 * The key for the header `webhook-signature` (Standard Webhooks 1.0.0). The text after `whsec_` is a secret in base64, the text
 * after `whpk_` is an ed25519 public key in base64, and any other text is a secret as it is. Throws `TypeError` for invalid
 * base64.
 */
export async function standardKey(secret: string): Promise<VerificationKey> {
  if (secret.startsWith(PUBLIC_PREFIX)) return publicKey(secret.slice(PUBLIC_PREFIX.length));
  if (!secret.startsWith(SECRET_PREFIX)) return hmacKey('v1', utf8(secret));
  const bytes = fromBase64(secret.slice(SECRET_PREFIX.length));
  if (!bytes) throw new TypeError('a secret is whsec_ and base64');
  return hmacKey('v1', bytes);
}

async function hmacKey(kind: 'hex' | 'v1', bytes: Bytes): Promise<VerificationKey> {
  const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
  return { kind, matches: (signature, content) => crypto.subtle.verify('HMAC', key, signature, content) };
}

async function publicKey(encoded: string): Promise<VerificationKey> {
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 32) throw new TypeError('a public key is whpk_ and the base64 of 32 bytes');
  const key = await crypto.subtle.importKey('raw', bytes, ED25519, false, ['verify']);
  return { kind: 'v1a', matches: (signature, content) => crypto.subtle.verify(ED25519, key, signature, content) };
}

/** The public keys in a shop's JWKS (RFC 7517), in the form that `verify` takes. */
export function publicKeysOf(jwks: { keys: readonly { crv?: string; x?: string }[] }): string[] {
  return jwks.keys.flatMap(({ crv, x }) =>
    crv === 'Ed25519' && x !== undefined
      ? [`${PUBLIC_PREFIX}${x.replaceAll('-', '+').replaceAll('_', '/').padEnd(44, '=')}`]
      : [],
  );
}
