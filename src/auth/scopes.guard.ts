import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isPublic, requiredScopes, type Principal } from '../access/access.js';
import { insufficientScope } from './token-claims.js';

/** Runs after `JwtAuthGuard`. A route that declares neither scopes nor that it is public is closed to everybody. */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (isPublic(this.reflector, context)) return true;
    const required = requiredScopes(this.reflector, context) ?? [];
    const { user } = context.switchToHttp().getRequest<{ user: Principal }>();
    const missing = required.filter((scope) => !user.scopes.includes(scope));
    if (required.length === 0 || missing.length > 0) throw insufficientScope(required, missing);
    return true;
  }
}
