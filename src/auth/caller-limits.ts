import type { FastifyReply } from 'fastify';
import { rateLimitHeaders, tooManyRequests } from '../platform/rate-limit/rate-limit-answer.js';
import type { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit, Verdict } from '../platform/rate-limit/shared-limit.js';
import type { Principal } from '../access/access.js';

const BURST_SECONDS = 2;
/** Of what one client gets: what all clients of a merchant get together, subjects of an outside issuer included. */
const MERCHANT_SHARE = 5;

/**
 * The limit of a client, and that of its merchant, who may make clients and subjects at will. Answers carry the
 * `RateLimit-*` of the client's, unless it is the merchant's that refuses.
 */
export class CallerLimits {
  private readonly client: AnnouncedLimit | undefined;
  private readonly merchant: AnnouncedLimit | undefined;

  /** `perSecond`: of a client; 0: no limit. */
  constructor(limits: RateLimits, perSecond: number) {
    const define = (name: string, share: number): AnnouncedLimit | undefined =>
      announced(limits.define({ name, perSecond: perSecond * share, burst: perSecond * BURST_SECONDS * share }));
    this.client = define('client', 1);
    this.merchant = define('merchant', MERCHANT_SHARE);
  }

  /** Without a promise in most cases. Throws `too_many_requests`. */
  take(caller: Principal, reply: FastifyReply): boolean | Promise<boolean> {
    if (!this.client) return true;
    const now = this.client.limit.now();
    const verdict = this.client.limit.take(caller.clientId, 1, now);
    return verdict instanceof Promise
      ? verdict.then((settled) => this.takeOfMerchant(settled, caller, reply))
      : this.takeOfMerchant(verdict, caller, reply, now);
  }

  /** Takes permits of both, whether they are there or not, and says so in an answer that is not sent yet. */
  charge(
    { clientId, merchantId }: Pick<Principal, 'clientId' | 'merchantId'>,
    reply: FastifyReply,
    permits: number,
  ): void {
    this.merchant?.limit.charge(String(merchantId), permits);
    if (!this.client) return;
    this.client.limit.charge(clientId, permits);
    if (!reply.sent) this.client.announce(reply, this.client.limit.peek(clientId));
  }

  private takeOfMerchant(
    verdict: Verdict,
    caller: Principal,
    reply: FastifyReply,
    now?: number,
  ): boolean | Promise<boolean> {
    this.client?.announce(reply, verdict);
    if (!verdict.allowed) throw tooManyRequests('the requests of this client', verdict);
    if (!this.merchant) return true;
    const ofMerchant = this.merchant.limit.take(String(caller.merchantId), 1, now);
    return ofMerchant instanceof Promise
      ? ofMerchant.then((settled) => this.admit(settled, caller, reply))
      : this.admit(ofMerchant, caller, reply);
  }

  private admit(ofMerchant: Verdict, { clientId }: Principal, reply: FastifyReply): true {
    if (ofMerchant.allowed) return true;
    // the client does not pay for what its merchant is refused
    this.client?.limit.charge(clientId, -1);
    this.merchant?.announce(reply, ofMerchant);
    throw tooManyRequests('the requests of all clients of this merchant', ofMerchant);
  }
}

/** A limit and how to set the `RateLimit-*` headers of an answer by it. */
interface AnnouncedLimit {
  limit: SharedLimit;
  announce: (reply: FastifyReply, verdict: Verdict) => void;
}

const announced = (limit: SharedLimit | undefined): AnnouncedLimit | undefined =>
  limit && { limit, announce: rateLimitHeaders(limit) };
