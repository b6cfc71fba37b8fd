import type { FastifyReply } from 'fastify';
import { rateLimitHeaders, tooManyRequests } from '../platform/rate-limit/rate-limit-answer.js';
import type { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit, Verdict } from '../platform/rate-limit/shared-limit.js';
import type { Principal } from '../access/access.js';

const BURST_SECONDS = 2;
/**
 * The limit of all clients of a merchant together, as a multiple of one client's limit. Includes subjects of an
 * external issuer.
 */
const MERCHANT_SHARE = 5;

/**
 * The limit of a client and of its merchant, because a merchant can create any number of clients and subjects. Answers
 * have the `RateLimit-*` headers of the client's limit, unless the merchant's limit refuses.
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

  /** Usually returns no promise. Throws `too_many_requests`. */
  take(caller: Principal, reply: FastifyReply): boolean | Promise<boolean> {
    if (!this.client) return true;
    const now = this.client.limit.now();
    const verdict = this.client.limit.take(caller.clientId, 1, now);
    return verdict instanceof Promise
      ? verdict.then((resolved) => this.takeForMerchant(resolved, caller, reply))
      : this.takeForMerchant(verdict, caller, reply, now);
  }

  /**
   * Charges permits to both limits, even beyond the limit, and updates the headers of an answer that is not sent yet.
   */
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

  private takeForMerchant(
    verdict: Verdict,
    caller: Principal,
    reply: FastifyReply,
    now?: number,
  ): boolean | Promise<boolean> {
    this.client?.announce(reply, verdict);
    if (!verdict.allowed) throw tooManyRequests('the requests of this client', verdict);
    if (!this.merchant) return true;
    const merchantVerdict = this.merchant.limit.take(String(caller.merchantId), 1, now);
    return merchantVerdict instanceof Promise
      ? merchantVerdict.then((resolved) => this.admit(resolved, caller, reply))
      : this.admit(merchantVerdict, caller, reply);
  }

  private admit(merchantVerdict: Verdict, { clientId }: Principal, reply: FastifyReply): true {
    if (merchantVerdict.allowed) return true;
    // a request that the merchant's limit refuses is not charged to the client
    this.client?.limit.charge(clientId, -1);
    this.merchant?.announce(reply, merchantVerdict);
    throw tooManyRequests('the requests of all clients of this merchant', merchantVerdict);
  }
}

/** A limit, and the function that sets the `RateLimit-*` headers of an answer. */
interface AnnouncedLimit {
  limit: SharedLimit;
  announce: (reply: FastifyReply, verdict: Verdict) => void;
}

const announced = (limit: SharedLimit | undefined): AnnouncedLimit | undefined =>
  limit && { limit, announce: rateLimitHeaders(limit) };
