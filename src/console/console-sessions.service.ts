import { Injectable } from '@nestjs/common';
import { decodeJwt } from 'jose';
import type { Principal } from '../access/access.js';
import { csrfTokenOf } from '../access/request-token.js';
import { ActiveClientsService } from '../auth/active-clients.service.js';
import { MerchantsService } from '../auth/merchants.service.js';
import { readClaims, endOfSession, readSession } from '../auth/token-claims.js';
import { People } from '../auth/clients/people.service.js';
import { TokenService } from '../auth/token.service.js';
import { Clock } from '../shared/clock.js';
import { OAuthError } from '../auth/oauth-error.js';
import { Random } from '../shared/random.js';
import { Problem } from '../shared/problem.js';
import type { ConsoleSession, SignInDto } from './console-session.dto.js';

const RENEW_BELOW_MS = 30 * 60_000;

/** The content of a session's cookie: an access token of this service, or one of the identity provider. */
export interface SessionToken {
  text: string;
  principal: Principal;
}

@Injectable()
export class ConsoleSessionsService {
  constructor(
    private readonly tokens: TokenService,
    private readonly merchants: MerchantsService,
    private readonly activeClients: ActiveClientsService,
    private readonly people: People,
    private readonly random: Random,
    private readonly clock: Clock,
  ) {}

  /** Throws `invalid_credentials` for a wrong secret, `too_many_requests` after too many tries. */
  async signIn({ client_id: clientId, client_secret: secret }: SignInDto, network: string): Promise<SessionToken> {
    const credentials = { clientId, secrets: [secret] };
    const request = { credentials, usesBasic: false, scopes: undefined };
    const session = { id: this.random.uuid(), startedAt: this.clock.now() };
    const issued = await this.tokens.issue(request, network, session).catch((error: unknown) => {
      throw error instanceof OAuthError ? signInProblem(error) : error;
    });
    return this.toSessionToken(issued.accessToken);
  }

  /**
   * Returns the token that replaces one that expires soon. `null` if the token is valid long enough, if the session has
   * reached its maximum duration, and for tokens of an identity provider.
   */
  async renew({ text, principal }: SessionToken): Promise<SessionToken | null> {
    const session = readSession(decodeJwt(text));
    if (session === null) return null;
    const isLast = endOf(text) >= endOfSession(session).getTime();
    if (isLast || endOf(text) - this.clock.now().getTime() > RENEW_BELOW_MS) return null;
    const next = await this.tokens.renew(principal.clientId, session);
    return next && this.toSessionToken(next.accessToken);
  }

  /**
   * Ends the session within seconds, for all copies of its token. Ignores a token of the identity provider, which ends
   * its own sessions, and text that is not a token.
   */
  async end(text: string): Promise<void> {
    const session = await this.tokens.sessionOf(text);
    if (session) await this.activeClients.endSession(session, this.clock.now());
  }

  async describe({ text, principal }: SessionToken): Promise<ConsoleSession> {
    const { merchantId, clientId, scopes } = principal;
    return {
      merchant: { id: merchantId, name: await this.merchants.nameOf(merchantId) },
      client_id: clientId,
      name: await this.people.nameOf(merchantId, clientId),
      scopes,
      rights_given_by: (await this.people.findGivers(merchantId)).map(({ name }) => name),
      csrf_token: csrfTokenOf(text),
      expires_at: new Date(endOf(text)).toISOString(),
    };
  }

  /** How long a browser keeps the cookie. */
  secondsLeft({ text }: SessionToken): number {
    return Math.max(0, Math.floor((endOf(text) - this.clock.now().getTime()) / 1_000));
  }

  private toSessionToken(text: string): SessionToken {
    return { text, principal: readClaims(decodeJwt(text), true, this.clock.now()).principal };
  }
}

/** Milliseconds since 1970. A token without expiry is never accepted. */
const endOf = (text: string): number => decodeJwt(text).exp! * 1_000;

/** The problem for the console's pages. */
export function signInProblem({ code, description: detail, retryAfterSeconds }: OAuthError): Problem {
  if (code !== 'too_many_requests') return new Problem('invalid_credentials');
  return new Problem('too_many_requests', { detail, headers: { 'retry-after': String(retryAfterSeconds) } });
}
