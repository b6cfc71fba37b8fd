import { applyDecorators, type ExecutionContext, SetMetadata, createParamDecorator } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';
import { IS_PUBLIC, Public } from '../platform/http/routes.js';
import { Problem } from '../shared/problem.js';
import type { Scope } from './scopes.js';
import type { FastifyReply } from 'fastify';
import { WorkOwner } from '../platform/cpu-scheduler/work-owner.js';

export { Public };

const REQUIRED_SCOPES = 'auth:required-scopes';

/** The route takes a bearer token that carries all of `scopes`: 401 without a valid token, 403 without a scope. */
export const RequireScopes = (...scopes: Scope[]): MethodDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiSecurity('bearer', scopes), ApiSecurity('oauth2', scopes));

const TAKES_ANY_TOKEN = 'auth:takes-any-token';

/** The route takes every valid token, whatever its scopes: for what a token may always do. */
export const TakesAnyToken = (): MethodDecorator => SetMetadata(TAKES_ANY_TOKEN, true);

type Route = Pick<ExecutionContext, 'getHandler' | 'getClass'>;

/** The scopes that the route's own method asks for; `undefined` without `@RequireScopes`. */
export const requiredScopes = (reflector: Reflector, route: Route): Scope[] | undefined =>
  reflector.get<Scope[] | undefined>(REQUIRED_SCOPES, route.getHandler());

export const takesAnyToken = (reflector: Reflector, route: Route): boolean =>
  reflector.get<boolean | undefined>(TAKES_ANY_TOKEN, route.getHandler()) === true;

/** Whether the route is `@Public()`; scopes on the method win over `@Public()` on its class. */
export const isPublic = (reflector: Reflector, route: Route): boolean =>
  requiredScopes(reflector, route) === undefined &&
  reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, [route.getHandler(), route.getClass()]) === true;

/** Who a request acts for, read from its verified token. */
export interface Principal {
  merchantId: number;
  clientId: string;
  scopes: readonly Scope[];
}

/** What the `WWW-Authenticate` of a refused token begins with. */
export const CHALLENGE = 'Bearer realm="payment-orchestrator"';

/** The problem (RFC 6750 §3.1) for a token that is accepted, and may not do this. */
export const insufficientScope = (required: readonly string[], detail: string): Problem =>
  new Problem('insufficient_scope', {
    detail,
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${required.join(' ')}"` },
  });

/** Throws `insufficient_scope` unless the token carries all of `required`. `use`: what takes them, if not the route itself. */
export function requireScopes({ scopes }: Pick<Principal, 'scopes'>, required: readonly Scope[], use?: string): void {
  const missing = required.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw insufficientScope(
    required,
    `the token lacks ${missing.join(' ')}${use === undefined ? '' : `, which ${use} takes`}`,
  );
}

/** Injects the request's `Principal` into a controller method's parameter. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal => context.switchToHttp().getRequest<{ user: Principal }>().user,
);

/** Whether the token of a request is accepted now: for an answer that goes on long after the request was admitted. */
export type StillAccepted = () => boolean | Promise<boolean>;

/** Injects the request's `StillAccepted`. */
export const CurrentAcceptance = createParamDecorator(
  (_: unknown, context: ExecutionContext): StillAccepted =>
    context.switchToHttp().getRequest<{ isStillAccepted: StillAccepted }>().isStillAccepted,
);

/** Injects for whom a long calculation is done, so that its client is charged and nothing is done for one that is gone. */
export const CurrentOwner = createParamDecorator((_: unknown, context: ExecutionContext): WorkOwner => {
  const http = context.switchToHttp();
  const { merchantId, clientId } = http.getRequest<{ user: Principal }>().user;
  return new WorkOwner(merchantId, { clientId, reply: http.getResponse<FastifyReply>() });
});
