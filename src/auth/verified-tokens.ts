import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../shared/clock.js';
import type { VerifiedToken } from './token-claims.js';

const MAX_TOKENS = 10_000;

/**
 * Tokens verified before, so that their signature is checked once and not on every request. Keyed by the token's
 * SHA-256: no token is kept. An entry dies with its token, or with the keys that it was verified by; a client's revocation
 * is asked for elsewhere, every time.
 */
@Injectable()
export class VerifiedTokens {
  private readonly cache = new LRUCache<string, VerifiedToken>({ maxSize: MAX_TOKENS, sizeCalculation: () => 1 });

  constructor(private readonly clock: Clock) {}

  get(token: string): VerifiedToken | undefined {
    const key = keyOf(token);
    const verified = this.cache.get(key);
    if (verified === undefined || verified.expiresAt > this.clock.now()) return verified;
    this.cache.delete(key);
    return undefined;
  }

  /** `until`: no longer than to then, nor than the token lives. */
  add(token: string, verified: VerifiedToken, until = verified.expiresAt): void {
    if (until <= this.clock.now()) return;
    const expiresAt = until < verified.expiresAt ? until : verified.expiresAt;
    this.cache.set(keyOf(token), { ...verified, expiresAt });
  }
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');
