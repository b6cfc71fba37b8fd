import { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { Problem } from '../shared/problem.js';

const FETCH_TIMEOUT_MS = 3_000;
/** A token with an unknown key id makes us look for new keys at most this often. */
const COOLDOWN_MS = 30_000;
const KEYS_LIVE_MS = 600_000;

/** What a token itself is to blame for; everything else is the identity provider's or the network's fault. */
const BAD_TOKENS = [
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/** The published keys of the outside issuer, if one is configured: one set, fetched when first needed and kept for ten minutes. */
@Injectable()
export class ExternalKeys {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  private readonly keySet: ReturnType<typeof createRemoteJWKSet> | undefined;

  constructor(@InjectConfig() { externalIssuer }: Pick<Config, 'externalIssuer'>) {
    this.issuer = externalIssuer?.issuer;
    this.audience = externalIssuer?.audience;
    this.keySet =
      externalIssuer &&
      createRemoteJWKSet(new URL(externalIssuer.jwksUrl), {
        timeoutDuration: FETCH_TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: KEYS_LIVE_MS,
      });
  }

  /**
   * The key that `token` says it is signed with. Rejects with `dependency_unavailable` when the keys cannot be had,
   * with any other error when the token is to blame. Only a token that claims our issuer makes us fetch anything.
   */
  async find(token: string): Promise<KeyObject> {
    if (!this.keySet || decodeJwt(token).iss !== this.issuer) {
      throw new Error('the token is not from an outside issuer that we know');
    }
    try {
      const [, payload = '', signature = ''] = token.split('.');
      const key = await this.keySet(decodeProtectedHeader(token), { payload, signature });
      return KeyObject.from(key);
    } catch (error) {
      if (BAD_TOKENS.some((type) => error instanceof type)) throw error;
      throw new Problem('dependency_unavailable', {
        detail: 'the keys of the identity provider cannot be fetched',
        headers: { 'retry-after': '5' },
        cause: error,
      });
    }
  }
}
