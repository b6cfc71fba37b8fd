import { randomUUID } from 'node:crypto';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Problem } from '../shared/problem.js';
import { isPublic, type Principal, type StillAccepted } from '../access/access.js';
import type { Scope } from '../access/scopes.js';
import { requestToken } from '../access/request-token.js';
import { ActiveClientsService, type CurrentScopes } from './active-clients.service.js';
import { ExternalKeys } from './external-keys.js';
import { ExternalTokenStrategy } from './external-token.strategy.js';
import { LocalTokenStrategy } from './local-token.strategy.js';
import { invalidToken, missingToken, type VerifiedToken } from './token-claims.js';
import { VerifiedTokens } from './verified-tokens.js';

type Request = Pick<FastifyRequest, 'headers' | 'method'> & {
  user?: VerifiedToken | Principal;
  isStillAccepted?: StillAccepted;
};

/**
 * Every route except public ones requires a valid token, as a bearer token or in the console's session; its `Principal`
 * becomes `request.user`.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly verifiedTokens: VerifiedTokens,
    private readonly activeClients: ActiveClientsService,
    private readonly externalKeys: ExternalKeys,
    local: LocalTokenStrategy,
    external: ExternalTokenStrategy,
  ) {
    super({ defaultStrategy: [local, external].map(register) });
  }

  /** Returns no promise for a known token of a known client, because it runs before every request. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const token = requestToken(request);
    if (token === null) throw missingToken();
    const known = this.verifiedTokens.get(token);
    request.isStillAccepted = () => this.isStillAccepted(token, request.user as Principal);
    return known
      ? this.admit(request, known)
      : this.verify(context, token).then((verified) => this.admit(request, verified));
  }

  private admit(request: Request, verified: VerifiedToken): boolean | Promise<boolean> {
    const scopes = this.currentScopes(verified);
    return scopes instanceof Promise
      ? scopes.then((current) => this.enter(request, verified, current))
      : this.enter(request, verified, scopes);
  }

  /** The scopes that the token's bearer has now; `null`: none, because it may not enter at all. */
  private currentScopes({ isOurs, principal, session }: VerifiedToken): CurrentScopes | Promise<CurrentScopes> {
    return isOurs ? this.activeClients.scopesOf(principal.clientId, session) : principal.scopes;
  }

  /**
   * A token that is no longer known is not accepted: it has expired, or must be verified again. Nor is one whose bearer has
   * lost a right since it `entered`: what it began may need that right.
   */
  private isStillAccepted(token: string, entered: Principal): boolean | Promise<boolean> {
    const known = this.verifiedTokens.get(token);
    if (known === undefined) return false;
    const has = (current: CurrentScopes): boolean => current !== null && missing(entered, current).length === 0;
    const scopes = this.currentScopes(known);
    return scopes instanceof Promise ? scopes.then(has) : has(scopes);
  }

  /** A program's token keeps at most the scopes that were asked for. A session has those that its person has now. */
  private enter(request: Request, { principal, session }: VerifiedToken, current: CurrentScopes): true {
    if (current === null) throw invalidToken('the client is revoked, or the session has ended');
    const isAsItWas = session === undefined && missing(principal, current).length === 0;
    request.user = isAsItWas
      ? principal
      : { ...principal, scopes: session ? current : principal.scopes.filter((scope) => current.includes(scope)) };
    return true;
  }

  /** Reads the keys' validity before the verification, so that a key set fetched meanwhile does not extend it. */
  private async verify(context: ExecutionContext, token: string): Promise<VerifiedToken> {
    const keysGoodUntil = this.externalKeys.goodUntil;
    await super.canActivate(context);
    const verified = context.switchToHttp().getRequest<{ user: VerifiedToken }>().user;
    this.verifiedTokens.add(token, verified, verified.isOurs ? verified.expiresAt : keysGoodUntil);
    return verified;
  }

  /** `refusals`: the reasons why each strategy refused the token. */
  override handleRequest<T>(error: Error | null, verified: T | false, refusals: unknown): T {
    if (error) throw error;
    if (verified) return verified;
    const outage = [refusals].flat().find((refusal) => refusal instanceof Problem);
    throw outage ?? invalidToken('the token is malformed, or its signature, issuer or audience is wrong');
  }
}

const missing = ({ scopes }: Principal, current: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => !current.includes(scope));

/** Passport's registry is global in a process, so strategies get unique names: two applications must not share one. */
function register(strategy: LocalTokenStrategy | ExternalTokenStrategy): string {
  const name = randomUUID();
  passport.use(name, strategy as unknown as passport.Strategy);
  return name;
}
