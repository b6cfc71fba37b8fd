import { createHash, createHmac, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import type { JwtKey } from '../platform/config/jwt-keys.js';

/** A published key (RFC 7517 §4). */
export type PublicJwk = JsonWebKey & { kid: string; alg: string; use: 'sig' };

/** One key for access tokens, with its only algorithm. */
export interface SigningKey {
  id: string;
  algorithm: JwtKey['algorithm'];
  signing: KeyObject;
  /** The shared secret itself, or the public half. A `KeyObject`: jsonwebtoken parses a string as PEM on every call. */
  verification: KeyObject;
  /** `null` for a shared secret. */
  published: PublicJwk | null;
}

/**
 * The keys of access tokens: the newest signs, all of them verify. So keys can be rotated while tokens of older keys
 * stay valid. A token's `kid` names its key; other keys are not tried.
 */
@Injectable()
export class SigningKeys {
  readonly current: SigningKey;
  /** The public halves of all keys. Empty if all keys are shared secrets. */
  readonly published: PublicJwk[];
  private readonly byId: ReadonlyMap<unknown, SigningKey>;

  constructor(@InjectConfig() { jwtKeys }: Pick<Config, 'jwtKeys'>) {
    const keys = jwtKeys.map(signingKey);
    this.current = keys[0]!;
    this.byId = new Map(keys.map((key) => [key.id, key]));
    this.published = [...this.byId.values()].flatMap(({ published }) => published ?? []);
  }

  get algorithms(): JwtKey['algorithm'][] {
    return [...new Set([...this.byId.values()].map(({ algorithm }) => algorithm))];
  }

  /** The key that a token's header names, if the header also has that key's algorithm. */
  find({ kid, alg }: { kid?: unknown; alg?: unknown }): SigningKey | undefined {
    const key = this.byId.get(kid);
    return key?.algorithm === alg ? key : undefined;
  }
}

function signingKey({ algorithm, key }: JwtKey): SigningKey {
  if (algorithm === 'HS256') {
    const id = createHmac('sha256', key).update('key id').digest('base64url').slice(0, 16);
    return { id, algorithm, signing: key, verification: key, published: null };
  }
  const verification = createPublicKey(key);
  const jwk = verification.export({ format: 'jwk' });
  const id = thumbprint(jwk);
  return { id, algorithm, signing: key, verification, published: { ...jwk, kid: id, alg: algorithm, use: 'sig' } };
}

/** RFC 7638: SHA-256 over the key's required members in lexical order. */
function thumbprint(jwk: JsonWebKey): string {
  const members = jwk.kty === 'EC' ? ['crv', 'kty', 'x', 'y'] : ['e', 'kty', 'n'];
  return createHash('sha256').update(JSON.stringify(jwk, members)).digest('base64url');
}
