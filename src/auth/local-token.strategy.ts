import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { requestToken } from '../access/request-token.js';
import { Clock } from '../shared/clock.js';
import { SigningKeys } from './signing-keys.js';
import { type Claims, readClaims, TOKEN_ISSUER, type VerifiedToken, tokenHeader } from './token-claims.js';

/** Verifies the tokens that we signed, each with the key that it names, and that key with its own algorithm alone. */
@Injectable()
export class LocalTokenStrategy extends PassportStrategy(Strategy, 'local-token') {
  constructor(
    keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: requestToken,
      secretOrKeyProvider: (_: unknown, token: string, done: (error: unknown, key?: Buffer) => void) => {
        const key = keyOf(token, keys);
        // jsonwebtoken takes a KeyObject, only passport-jwt's types do not know
        if (key) done(null, key as unknown as Buffer);
        else done(new Error('the token names no key of ours'));
      },
      algorithms: keys.algorithms,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_ISSUER,
      // readClaims judges the times, with the injected clock
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  validate(claims: Claims): VerifiedToken {
    return readClaims(claims, true, this.clock.now());
  }
}

/** `undefined` for what names no key of ours: then nothing is verified. */
function keyOf(token: string, keys: SigningKeys): KeyObject | undefined {
  try {
    return keys.find(tokenHeader(token))?.verification;
  } catch {
    return undefined; // no token at all, or none that we understand
  }
}
