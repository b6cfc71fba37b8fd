import { createHash, createHmac, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config, JwtSigning } from '../platform/config/config.js';

/** A published key (RFC 7517 §4). */
export type PublicJwk = JsonWebKey & { kid: string; alg: string; use: 'sig' };

/** The key that signs access tokens, and what verifies them. */
@Injectable()
export class SigningKey {
  readonly algorithm: JwtSigning['algorithm'];
  readonly signing: KeyObject;
  /** The shared secret itself, or the public half. A `KeyObject`: jsonwebtoken parses a string as PEM on every call. */
  readonly verification: KeyObject;
  readonly keyId: string;
  /** Empty with a shared secret. */
  readonly published: PublicJwk[];

  constructor(@InjectConfig() config: Pick<Config, 'jwt'>) {
    const { algorithm, key } = config.jwt;
    this.algorithm = algorithm;
    this.signing = key;
    if (algorithm === 'HS256') {
      this.verification = key;
      this.keyId = createHmac('sha256', key).update('key id').digest('base64url').slice(0, 16);
      this.published = [];
    } else {
      this.verification = createPublicKey(key);
      const jwk = this.verification.export({ format: 'jwk' });
      this.keyId = thumbprint(jwk);
      this.published = [{ ...jwk, kid: this.keyId, alg: algorithm, use: 'sig' }];
    }
  }
}

/** RFC 7638: SHA-256 over the key's required members in lexical order. */
function thumbprint(jwk: JsonWebKey): string {
  const members = jwk.kty === 'EC' ? ['crv', 'kty', 'x', 'y'] : ['e', 'kty', 'n'];
  return createHash('sha256').update(JSON.stringify(jwk, members)).digest('base64url');
}
