import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { rateLimitHeaders, tooManyRequests } from '../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit, Verdict } from '../platform/rate-limit/shared-limit.js';
import type { Principal } from './principal.js';

const BURST_SECONDS = 2;
/** Of what one client gets: what all clients of a merchant get together, subjects of an outside issuer included. */
const MERCHANT_SHARE = 5;

/**
 * Runs after `JwtAuthGuard`: counts every request with a valid token, also one that turns out to lack a scope, for its
 * client and for its merchant, who may make clients and subjects at will.
 */
@Injectable()
export class ClientRateLimitGuard implements CanActivate {
  private readonly limits: CallerLimits | undefined;

  constructor(limits: RateLimits, @InjectConfig() { rateLimitPerSecond: perSecond }: Config) {
    const burst = perSecond * BURST_SECONDS;
    const ofMerchant = { perSecond: perSecond * MERCHANT_SHARE, burst: burst * MERCHANT_SHARE };
    const client = limits.define({ name: 'client', perSecond, burst });
    const merchant = limits.define({ name: 'merchant', ...ofMerchant });
    this.limits = client && merchant && { client: announced(client), merchant: announced(merchant) };
  }

  /** Without a promise in most cases: it stands before every request. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { user } = http.getRequest<{ user?: Principal }>();
    if (!this.limits || !user) return true;
    const reply = http.getResponse<FastifyReply>();
    const { limits } = this;
    const verdict = limits.client.limit.take(user.clientId);
    return verdict instanceof Promise
      ? verdict.then((settled) => admitClient(limits, settled, user, reply))
      : admitClient(limits, verdict, user, reply);
  }
}

interface CallerLimits {
  client: AnnouncedLimit;
  merchant: AnnouncedLimit;
}

/** A limit and how to set the `RateLimit-*` headers of an answer by it. */
interface AnnouncedLimit {
  limit: SharedLimit;
  announce: (reply: FastifyReply, verdict: Verdict) => void;
}

const announced = (limit: SharedLimit): AnnouncedLimit => ({ limit, announce: rateLimitHeaders(limit) });

function admitClient(
  { client, merchant }: CallerLimits,
  verdict: Verdict,
  user: Principal,
  reply: FastifyReply,
): boolean | Promise<boolean> {
  client.announce(reply, verdict);
  if (!verdict.allowed) throw tooManyRequests('the requests of this client', verdict);
  const ofMerchant = merchant.limit.take(String(user.merchantId));
  const admit = (settled: Verdict): true => {
    if (settled.allowed) return true;
    // the client does not pay for what its merchant is refused
    client.limit.charge(user.clientId, -1);
    merchant.announce(reply, settled);
    throw tooManyRequests('the requests of all clients of this merchant', settled);
  };
  return ofMerchant instanceof Promise ? ofMerchant.then(admit) : admit(ofMerchant);
}
