import { randomUUID } from 'node:crypto';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Problem } from '../shared/problem.js';
import { isPublic, type Principal, type StillAccepted } from '../access/access.js';
import { requestToken } from '../access/request-token.js';
import { ActiveClientsService } from './active-clients.service.js';
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
    request.isStillAccepted = () => this.isStillAccepted(token);
    return known
      ? this.admit(request, known)
      : this.verify(context, token).then((verified) => this.admit(request, verified));
  }

  private admit(request: Request, verified: VerifiedToken): boolean | Promise<boolean> {
    const isActive = this.isActive(verified);
    return typeof isActive === 'boolean'
      ? this.enter(request, verified.principal, isActive)
      : isActive.then((active) => this.enter(request, verified.principal, active));
  }

  private isActive({ isOurs, principal, session }: VerifiedToken): boolean | Promise<boolean> {
    return !isOurs || this.activeClients.isActive(principal.clientId, session);
  }

  /** A token that is no longer known is not accepted: it has expired, or must be verified again. */
  private isStillAccepted(token: string): boolean | Promise<boolean> {
    const known = this.verifiedTokens.get(token);
    return known !== undefined && this.isActive(known);
  }

  private enter(request: Request, principal: Principal, isActive: boolean): true {
    if (!isActive) throw invalidToken('the client is revoked, or the session has ended');
    request.user = principal;
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

/** Passport's registry is global in a process, so strategies get unique names: two applications must not share one. */
function register(strategy: LocalTokenStrategy | ExternalTokenStrategy): string {
  const name = randomUUID();
  passport.use(name, strategy as unknown as passport.Strategy);
  return name;
}
