import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { isPublic, requiredScopes } from '../access/access.js';

/** Refuses to start with a route that nobody decided the access of: forgetting a decorator must not go unnoticed. */
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
      throw new Error(`routes without @RequireScopes or @Public: ${undecided.join(', ')}`);
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
    const scopes = requiredScopes(this.reflector, route);
    return scopes === undefined ? !isPublic(this.reflector, route) : scopes.length === 0;
  }
}
