import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';
import { IS_PUBLIC, Public } from '../platform/http/public.js';
import type { Scope } from './scopes.js';

export { Public };

const REQUIRED_SCOPES = 'auth:required-scopes';

/** The route takes a bearer token that carries all of `scopes`: 401 without a valid token, 403 without a scope. */
export const RequireScopes = (...scopes: Scope[]): MethodDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiSecurity('bearer', scopes));

type Route = Pick<ExecutionContext, 'getHandler' | 'getClass'>;

/** The scopes that the route's own method asks for; `undefined` without `@RequireScopes`. */
export const requiredScopes = (reflector: Reflector, route: Route): Scope[] | undefined =>
  reflector.get<Scope[] | undefined>(REQUIRED_SCOPES, route.getHandler());

/** Whether the route is `@Public()`; scopes on the method win over `@Public()` on its class. */
export const isPublic = (reflector: Reflector, route: Route): boolean =>
  requiredScopes(reflector, route) === undefined &&
  reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, [route.getHandler(), route.getClass()]) === true;
