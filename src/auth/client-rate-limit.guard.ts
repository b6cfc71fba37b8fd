import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import { CallerLimits } from './caller-limits.js';
import type { Principal } from './principal.js';

/** Runs after `JwtAuthGuard`: counts every request with a valid token, also one that turns out to lack a scope. */
@Injectable()
export class ClientRateLimitGuard implements CanActivate {
  private readonly limits: CallerLimits;

  constructor(limits: RateLimits, @InjectConfig() { rateLimitPerSecond }: Config) {
    this.limits = new CallerLimits(limits, rateLimitPerSecond);
  }

  /** Without a promise in most cases: it stands before every request. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { user } = http.getRequest<{ user?: Principal }>();
    return user ? this.limits.take(user, http.getResponse<FastifyReply>()) : true;
  }
}
