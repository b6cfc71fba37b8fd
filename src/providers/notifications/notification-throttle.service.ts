import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit, Verdict } from '../../platform/rate-limit/shared-limit.js';
import { Problem } from '../../shared/problem.js';
import { boundedCache } from '../../shared/bounded-cache.js';

const BURST_SECONDS = 2;
/** Share of the notification rate limit for forged notifications of one address for one shop. */
const FORGED_SHARE = 0.1;
/**
 * The same for all shops together, and for returns of payers, of whom many may share an address. It is larger, so that one
 * shop with a wrong secret does not use it up for the provider's address.
 */
const SHARE_PER_ADDRESS = 0.5;
const MAX_PROVEN_SENDERS = 10_000;

/**
 * Limits the rate of notifications for a shop. Only genuine ones count for the shop; otherwise anyone who guesses its
 * id could block its provider. Forged ones count for their address, once with the shop and once for all shops together,
 * so that trying many shop ids gains nothing. The second limit does not apply to a sender with genuine notifications
 * for the shop before: merchants with wrong secrets cannot block their provider for the shops of others.
 */
@Injectable()
export class NotificationThrottle {
  private readonly genuine: SharedLimit | undefined;
  private readonly forged: SharedLimit | undefined;
  private readonly forgedByAddress: SharedLimit | undefined;
  private readonly proven = boundedCache<string, true>(MAX_PROVEN_SENDERS);

  constructor(limits: RateLimits, @InjectConfig() { notificationRateLimitPerSecond: perSecond }: Config) {
    const burst = perSecond * BURST_SECONDS;
    this.genuine = limits.define({ name: 'notifications', perSecond, burst });
    this.forged = limits.define({
      name: 'forged-notifications',
      perSecond: perSecond * FORGED_SHARE,
      burst: Math.max(1, burst * FORGED_SHARE),
    });
    this.forgedByAddress = limits.define({
      name: 'forged-notifications-address',
      perSecond: perSecond * SHARE_PER_ADDRESS,
      burst: Math.max(1, burst * SHARE_PER_ADDRESS),
    });
  }

  /**
   * Runs `receive`, which throws `invalid_signature` or `provider_not_found` for a forged notification. One that is not
   * `isOurs` counts like a forged one. Throws `too_many_requests` before any database read or signature check.
   * `network`: see `clientNetwork`.
   */
  async run<T extends { isOurs: boolean }>(shopId: number, network: string, receive: () => Promise<T>): Promise<T> {
    const sender = `${shopId} ${network}`;
    refuse(this.forged?.peek(sender));
    if (!this.proven.has(sender)) refuse(this.forgedByAddress?.peek(network));
    refuse(await this.genuine?.take(String(shopId)));
    try {
      const answer = await receive();
      if (answer.isOurs) this.proven.set(sender, true);
      else this.countForged(shopId, sender, network);
      return answer;
    } catch (error) {
      if (isForged(error)) this.countForged(shopId, sender, network);
      throw error;
    }
  }

  private countForged(shopId: number, sender: string, network: string): void {
    this.genuine?.charge(String(shopId), -1);
    this.forged?.charge(sender, 1);
    this.forgedByAddress?.charge(network, 1);
  }
}

/** Limits the returns of payers by their address, because anyone can send such a request. */
@Injectable()
export class ReturnThrottle {
  private readonly byAddress: SharedLimit | undefined;

  constructor(limits: RateLimits, @InjectConfig() { notificationRateLimitPerSecond: perSecond }: Config) {
    this.byAddress = limits.define({
      name: 'payer-returns-address',
      perSecond: perSecond * SHARE_PER_ADDRESS,
      burst: Math.max(1, perSecond * BURST_SECONDS * SHARE_PER_ADDRESS),
    });
  }

  /** Throws `too_many_requests`. `network`: see `clientNetwork`. */
  async take(network: string): Promise<void> {
    refuse(await this.byAddress?.take(network), 'returns of payers from this address');
  }
}

function refuse(verdict: Verdict | undefined, what = 'the notifications for this shop'): void {
  if (verdict?.allowed === false) throw tooManyRequests(what, verdict);
}

const isForged = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'invalid_signature' || error.code === 'provider_not_found');
