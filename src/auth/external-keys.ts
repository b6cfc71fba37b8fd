import { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createRemoteJWKSet, decodeJwt, errors, jwksCache, type JWKSCacheInput } from 'jose';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { Clock } from '../shared/clock.js';
import { Problem } from '../shared/problem.js';
import { tokenHeader } from './token-claims.js';

const FETCH_TIMEOUT_MS = 3_000;
/** A token with an unknown key id makes us look for new keys at most this often. */
const COOLDOWN_MS = 30_000;

/** What a token itself is to blame for; everything else is the identity provider's or the network's fault. */
const BAD_TOKENS = [
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/**
 * The published keys of the outside issuer, if one is configured: one set, fetched when first needed. It counts for
 * `AUTH_JWKS_MAX_AGE`, and with it what it said of tokens: then a key that was withdrawn opens nothing any more.
 */
@Injectable()
export class ExternalKeys {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** What the set was fetched as, and when: written by jose. */
  private readonly fetched: JWKSCacheInput = {};
  private readonly maxAgeMs: number;
  private readonly keySet: ReturnType<typeof createRemoteJWKSet> | undefined;

  constructor(
    @InjectConfig() { externalIssuer }: Pick<Config, 'externalIssuer'>,
    private readonly clock: Clock,
  ) {
    this.issuer = externalIssuer?.issuer;
    this.audience = externalIssuer?.audience;
    this.maxAgeMs = (externalIssuer?.keysMaxAgeSeconds ?? 0) * 1_000;
    this.keySet =
      externalIssuer &&
      createRemoteJWKSet(new URL(externalIssuer.jwksUrl), {
        timeoutDuration: FETCH_TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: this.maxAgeMs,
        [jwksCache]: this.fetched,
      });
  }

  /** Until when what the present set says may be relied on; long ago when there is none. */
  get goodUntil(): Date {
    // jose goes by this machine's clock alone
    const ageMs = Date.now() - (this.fetched.uat ?? 0);
    return new Date(this.clock.now().getTime() + this.maxAgeMs - ageMs);
  }

  /**
   * The key that `token` says it is signed with. Rejects with `dependency_unavailable` when the keys cannot be had,
   * with any other error when the token is to blame. Only a token that claims our issuer makes us fetch anything.
   */
  async find(token: string): Promise<KeyObject> {
    if (!this.keySet || decodeJwt(token).iss !== this.issuer) {
      throw new Error('the token is not from an outside issuer that we know');
    }
    const header = tokenHeader(token);
    try {
      const [, payload = '', signature = ''] = token.split('.');
      const key = await this.keySet(header, { payload, signature });
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
