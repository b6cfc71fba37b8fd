import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnApplicationBootstrap,
  RequestMethod,
} from '@nestjs/common';
import { Reflector, DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  isPublic,
  requiredScopes,
  requireScopes,
  insufficientScope,
  type Principal,
  acceptsAnyToken,
} from '../access/access.js';
import { METHOD_METADATA } from '@nestjs/common/constants.js';

/** Runs after `JwtAuthGuard`. A route that is not public and declares no scopes refuses all requests. */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (isPublic(this.reflector, context) || acceptsAnyToken(this.reflector, context)) return true;
    const required = requiredScopes(this.reflector, context) ?? [];
    const { user } = context.switchToHttp().getRequest<{ user: Principal }>();
    if (required.length === 0) throw insufficientScope(required, 'the route declares no required scope');
    requireScopes(user, required);
    return true;
  }
}

/** Refuses to start if a route has no declared access: a forgotten decorator must not stay unnoticed. */
@Injectable()
export class RouteAccessCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const undecided = this.undecidedRoutes();
    if (undecided.length > 0) {
      throw new Error(`routes without @RequireScopes, @AcceptsAnyToken or @Public: ${undecided.join(', ')}`);
    }
  }

  private undecidedRoutes(): string[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => this.isUndecidedRoute(metatype as new () => unknown, prototype[name]!))
        .map((name) => `${metatype.name}.${name}`);
    });
  }

  private isUndecidedRoute(controller: new () => unknown, method: () => unknown): boolean {
    if (this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, method) === undefined) return false;
    const route = { getHandler: () => method, getClass: <T>() => controller as new () => T };
    if (acceptsAnyToken(this.reflector, route)) return false;
    const scopes = requiredScopes(this.reflector, route);
    return scopes === undefined ? !isPublic(this.reflector, route) : scopes.length === 0;
  }
}
