import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { requestToken } from '../access/request-token.js';
import { Clock } from '../shared/clock.js';
import { SigningKeys } from './signing-keys.js';
import { type Claims, readClaims, TOKEN_ISSUER, type VerifiedToken, tokenHeader } from './token-claims.js';

/**
 * Verifies the tokens that this service signed, each with the key that it names, and only with that key's algorithm.
 */
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
        // jsonwebtoken accepts a KeyObject, but passport-jwt's types do not allow it
        if (key) done(null, key as unknown as Buffer);
        else done(new Error('the token names no key of this service'));
      },
      algorithms: keys.algorithms,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_ISSUER,
      // readClaims checks the times, with the injected clock
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  validate(claims: Claims): VerifiedToken {
    return readClaims(claims, true, this.clock.now());
  }
}

/** `undefined` if the token names no key of this service: then nothing is verified. */
function keyOf(token: string, keys: SigningKeys): KeyObject | undefined {
  try {
    return keys.find(tokenHeader(token))?.verification;
  } catch {
    return undefined; // not a token, or an unknown format
  }
}
