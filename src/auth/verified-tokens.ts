import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { boundedCache } from '../shared/bounded-cache.js';
import type { VerifiedToken } from './token-claims.js';

const MAX_TOKENS = 10_000;

/**
 * Tokens that were verified before, so that the signature is checked once and not on every request. The key is the
 * token's SHA-256: no token is stored. An entry expires with its token, or with the keys that verified it; the
 * revocation of a client is checked elsewhere, every time.
 */
@Injectable()
export class VerifiedTokens {
  private readonly cache = boundedCache<string, VerifiedToken>(MAX_TOKENS);

  constructor(private readonly clock: Clock) {}

  get(token: string): VerifiedToken | undefined {
    const key = keyOf(token);
    const verified = this.cache.get(key);
    if (verified === undefined || verified.expiresAt > this.clock.now()) return verified;
    this.cache.delete(key);
    return undefined;
  }

  /** `until`: the maximum lifetime of the entry, in addition to the token's own expiry. */
  add(token: string, verified: VerifiedToken, until = verified.expiresAt): void {
    if (until <= this.clock.now()) return;
    const expiresAt = until < verified.expiresAt ? until : verified.expiresAt;
    this.cache.set(keyOf(token), { ...verified, expiresAt });
  }
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');
