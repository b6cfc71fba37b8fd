import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { requestToken } from '../access/request-token.js';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { Clock } from '../shared/clock.js';
import { ExternalKeys } from './external-keys.js';
import { type GroupScopes, groupScopes } from '../access/group-scopes.js';
import { MerchantsService } from './merchants.service.js';
import { type Claims, invalidToken, readClaims, type VerifiedToken } from './token-claims.js';

/** Only asymmetric algorithms: a public key must never be used as a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;

/** Verifies the tokens of an external identity provider, which must have `merchant_id`, `sub`, `exp`, and scopes or groups with a role. */
@Injectable()
export class ExternalTokenStrategy extends PassportStrategy(Strategy, 'external-token') {
  private readonly scopesByGroups: GroupScopes;

  constructor(
    keys: ExternalKeys,
    private readonly merchants: MerchantsService,
    private readonly clock: Clock,
    @InjectConfig() { externalIssuer }: Pick<Config, 'externalIssuer'>,
  ) {
    super({
      jwtFromRequest: requestToken,
      secretOrKeyProvider: (_: unknown, token: string, done: (error: unknown, key?: Buffer) => void) => {
        keys.find(token).then(
          (key) => done(null, key as unknown as Buffer),
          (error: unknown) => done(error),
        );
      },
      algorithms: [...ALGORITHMS],
      // without an external issuer, `keys` refuses every token before these are used
      issuer: keys.issuer,
      audience: keys.audience,
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
    this.scopesByGroups = groupScopes(externalIssuer?.roles);
  }

  async validate(claims: Claims): Promise<VerifiedToken> {
    const verified = readClaims(claims, false, this.clock.now(), this.scopesByGroups(claims));
    if (await this.merchants.exists(verified.principal.merchantId)) return verified;
    throw invalidToken('the token names no merchant');
  }
}
