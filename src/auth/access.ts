import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Scope } from './scopes.js';

export const REQUIRED_SCOPES = 'auth:required-scopes';
export const IS_PUBLIC = 'auth:is-public';

/** The route takes a bearer token that carries all of `scopes`: 401 without a valid token, 403 without a scope. */
export const RequireScopes = (...scopes: Scope[]): MethodDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiBearerAuth('bearer'));

/** The route takes no bearer token. A route with neither decorator is refused at start. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(IS_PUBLIC, true);
