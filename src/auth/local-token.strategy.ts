import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Clock } from '../shared/clock.js';
import { SigningKey } from './signing-key.js';
import { type Claims, readClaims, TOKEN_ISSUER, type VerifiedToken } from './token-claims.js';

/** Verifies the tokens that we signed. */
@Injectable()
export class LocalTokenStrategy extends PassportStrategy(Strategy, 'local-token') {
  constructor(
    key: SigningKey,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // jsonwebtoken takes a KeyObject, only passport-jwt's types do not know
      secretOrKey: key.verification as unknown as Buffer,
      algorithms: [key.algorithm],
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
