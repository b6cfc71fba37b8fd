import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { errors, jwtVerify } from 'jose';
import { Clock } from '../shared/clock.js';
import { Random } from '../shared/random.js';
import { type ApiClientEntity } from './api-client.entity.js';
import { ApiClientsService } from './api-clients.service.js';
import { OAuthError } from './oauth-error.js';
import { scopesOf } from '../access/roles.js';
import { formatScopes, type Scope, sortScopes } from '../access/scopes.js';
import { SigningKeys } from './signing-keys.js';
import {
  TOKEN_ISSUER,
  TOKEN_LIFETIME_SECONDS,
  endOfSession,
  type PersonSession,
  readSession,
  secretTagOf,
  sessionClaims,
} from './token-claims.js';
import type { TokenRequest } from './token-request.js';
import { TokenThrottle } from './token-throttle.service.js';

export interface IssuedToken {
  accessToken: string;
  scope: string;
}

@Injectable()
export class TokenService {
  constructor(
    private readonly clients: ApiClientsService,
    private readonly throttle: TokenThrottle,
    private readonly keys: SigningKeys,
    private readonly jwt: JwtService,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * Issues a token. `network`: the network of the request; `session`: for the first token of a person's session. Throws
   * `OAuthError`: `invalid_client`, `invalid_scope` or `too_many_requests`.
   */
  async issue(
    { credentials, usesBasic, scopes: asked }: TokenRequest,
    network: string,
    session?: Omit<PersonSession, 'secretTag'>,
  ): Promise<IssuedToken> {
    const caller = { clientId: credentials.clientId, network };
    const client = await this.throttle.run(caller, () => this.clients.authenticate(credentials));
    if (!client) {
      throw new OAuthError('invalid_client', 'the client is unknown or revoked, or its secret is wrong', {
        challengesBasic: usesBasic,
      });
    }
    const scope = formatScopes(grant(scopesOf(client), asked));
    const bound = session && { ...session, secretTag: secretTagOf(client.secretHash) };
    return { accessToken: await this.sign(client, scope, bound), scope };
  }

  /**
   * Issues the next token of a session, with the current scopes of its client. `null` if the client is revoked, or its
   * secret is not known to be the one at the start of the session.
   */
  async renew(clientId: string, session: PersonSession): Promise<IssuedToken | null> {
    const client = await this.clients.find(clientId);
    if (client === null || client.revokedAt !== null || secretTagOf(client.secretHash) !== session.secretTag)
      return null;
    const scope = formatScopes(scopesOf(client));
    return { accessToken: await this.sign(client, scope, session), scope };
  }

  /**
   * Returns the session of a token of this service, regardless of its sender; `null` for any other text, and for an
   * expired token.
   */
  async sessionOf(token: string): Promise<PersonSession | null> {
    const options = { issuer: TOKEN_ISSUER, audience: TOKEN_ISSUER, currentDate: this.clock.now() };
    const keyOf = (header: { kid?: string; alg?: string }): KeyObject => {
      const key = this.keys.find(header);
      if (key) return key.verification;
      throw new errors.JWKSNoMatchingKey();
    };
    try {
      return readSession((await jwtVerify(token, keyOf, options)).payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  private sign({ clientId, merchantId }: ApiClientEntity, scope: string, session?: PersonSession): Promise<string> {
    const { id, algorithm, signing } = this.keys.current;
    const iat = secondsOf(this.clock.now());
    return this.jwt.signAsync(
      {
        sub: clientId,
        merchant_id: merchantId,
        scope,
        jti: this.random.uuid(),
        ...(session && sessionClaims(session)),
        iat,
        exp: Math.min(iat + TOKEN_LIFETIME_SECONDS, session ? secondsOf(endOfSession(session)) : Infinity),
      },
      {
        privateKey: signing,
        algorithm,
        keyid: id,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_ISSUER,
      },
    );
  }
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Returns the requested scopes if the client has all of them. */
function grant(held: readonly Scope[], asked: string[] | undefined): readonly Scope[] {
  if (asked === undefined) return held;
  const { known, unknown } = sortScopes(asked);
  if (unknown.length === 0 && known.length > 0 && known.every((scope) => held.includes(scope))) return known;
  throw new OAuthError('invalid_scope', `this client may request: ${formatScopes(held)}`);
}
