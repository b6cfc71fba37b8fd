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

/** The route requires a bearer token with all of `scopes`: 401 without a valid token, 403 without a scope. */
export const RequireScopes = (...scopes: Scope[]): MethodDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiSecurity('bearer', scopes), ApiSecurity('oauth2', scopes));

const ACCEPTS_ANY_TOKEN = 'auth:takes-any-token';

/** The route accepts every valid token, regardless of its scopes, for operations that any token may use. */
export const AcceptsAnyToken = (): MethodDecorator => SetMetadata(ACCEPTS_ANY_TOKEN, true);

type Route = Pick<ExecutionContext, 'getHandler' | 'getClass'>;

/** The scopes that the route's own method requires; `undefined` without `@RequireScopes`. */
export const requiredScopes = (reflector: Reflector, route: Route): Scope[] | undefined =>
  reflector.get<Scope[] | undefined>(REQUIRED_SCOPES, route.getHandler());

export const acceptsAnyToken = (reflector: Reflector, route: Route): boolean =>
  reflector.get<boolean | undefined>(ACCEPTS_ANY_TOKEN, route.getHandler()) === true;

/** Whether the route is `@Public()`; scopes on the method take precedence over `@Public()` on its class. */
export const isPublic = (reflector: Reflector, route: Route): boolean =>
  requiredScopes(reflector, route) === undefined &&
  reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, [route.getHandler(), route.getClass()]) === true;

/** The merchant and client of a request, read from its verified token. */
export interface Principal {
  merchantId: number;
  clientId: string;
  scopes: readonly Scope[];
}

/** The beginning of the `WWW-Authenticate` header for a refused token. */
export const CHALLENGE = 'Bearer realm="payment-orchestrator"';

/** The problem (RFC 6750 §3.1) for a valid token without the required scopes. */
export const insufficientScope = (required: readonly string[], detail: string): Problem =>
  new Problem('insufficient_scope', {
    detail,
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${required.join(' ')}"` },
  });

/**
 * Throws `insufficient_scope` unless the token has all of `required`. `use`: the operation that requires them, if it is
 * not the route itself.
 */
export function requireScopes({ scopes }: Pick<Principal, 'scopes'>, required: readonly Scope[], use?: string): void {
  const missing = required.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw insufficientScope(
    required,
    `the token lacks ${missing.join(' ')}${use === undefined ? '' : `, which ${use} requires`}`,
  );
}

/** Injects the request's `Principal` into a parameter of a controller method. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal => context.switchToHttp().getRequest<{ user: Principal }>().user,
);

/** Whether a request's token is accepted now: for answers that continue long after the request was accepted. */
export type StillAccepted = () => boolean | Promise<boolean>;

/** Injects the request's `StillAccepted`. */
export const CurrentAcceptance = createParamDecorator(
  (_: unknown, context: ExecutionContext): StillAccepted =>
    context.switchToHttp().getRequest<{ isStillAccepted: StillAccepted }>().isStillAccepted,
);

/** The owner of the work for a request. */
export function ownerOf(context: ExecutionContext): WorkOwner {
  const http = context.switchToHttp();
  const { merchantId, clientId } = http.getRequest<{ user: Principal }>().user;
  return new WorkOwner(merchantId, { clientId, reply: http.getResponse<FastifyReply>() });
}

/** Injects the owner of a long calculation: its time counts for the client, and it stops if the client disconnects. */
export const CurrentOwner = createParamDecorator((_: unknown, context: ExecutionContext): WorkOwner =>
  ownerOf(context),
);
