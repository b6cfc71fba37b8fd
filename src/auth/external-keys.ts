import { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createRemoteJWKSet, decodeJwt, errors, jwksCache, type JWKSCacheInput } from 'jose';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { Clock } from '../shared/clock.js';
import { Problem } from '../shared/problem.js';
import { tokenHeader } from './token-claims.js';

const FETCH_TIMEOUT_MS = 3_000;
/** The minimum interval between key fetches caused by tokens with an unknown key id. */
const COOLDOWN_MS = 30_000;

/** Errors caused by the token; all other errors are caused by the identity provider or the network. */
const BAD_TOKENS = [
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/**
 * The published keys of the external issuer, if one is configured: one key set, fetched when first needed. It is valid
 * for `AUTH_JWKS_MAX_AGE`, and so are the verifications based on it. After that, a withdrawn key verifies no token.
 */
@Injectable()
export class ExternalKeys {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** The fetched key set and its time, written by jose. */
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

  /** Until when results of the current key set are valid; in the past if there is none. */
  get goodUntil(): Date {
    // jose uses only this machine's clock
    const ageMs = Date.now() - (this.fetched.uat ?? 0);
    return new Date(this.clock.now().getTime() + this.maxAgeMs - ageMs);
  }

  /**
   * Returns the key that `token` names. Rejects with `dependency_unavailable` if the keys cannot be fetched, and with
   * any other error if the token is invalid. Only a token with the external issuer causes a fetch.
   */
  async find(token: string): Promise<KeyObject> {
    if (!this.keySet || decodeJwt(token).iss !== this.issuer) {
      throw new Error('the token is not from the configured external issuer');
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
        cause: error,
      });
    }
  }
}
