import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit, Verdict } from '../../platform/rate-limit/shared-limit.js';
import { Problem } from '../../shared/problem.js';

const BURST_SECONDS = 2;
/** Of what a shop's provider may send: what an address may send for the shop that is not the provider's. */
const FORGED_SHARE = 0.1;
/** The same for all shops together. Of many shops: one whose secret is wrong must not use it up for a provider's address. */
const FORGED_SHARE_OF_ADDRESS = 0.5;
const MAX_PROVEN_SENDERS = 10_000;

/**
 * Bounds the notifications for a shop. Only genuine ones count for the shop, or anybody who can guess its id could shut
 * its provider out; forged ones count for the address that they come from, once with the shop and once for all shops
 * together, so that going through shop ids wins nothing. The second does not bind a sender whose notifications for the
 * shop were genuine before: merchants with wrong secrets cannot shut their provider out of the shops of others.
 */
@Injectable()
export class NotificationThrottle {
  private readonly genuine: SharedLimit | undefined;
  private readonly forged: SharedLimit | undefined;
  private readonly forgedOfAddress: SharedLimit | undefined;
  private readonly proven = new LRUCache<string, true>({ maxSize: MAX_PROVEN_SENDERS, sizeCalculation: () => 1 });

  constructor(limits: RateLimits, @InjectConfig() { notificationRateLimitPerSecond: perSecond }: Config) {
    const burst = perSecond * BURST_SECONDS;
    this.genuine = limits.define({ name: 'notifications', perSecond, burst });
    this.forged = limits.define({
      name: 'forged-notifications',
      perSecond: perSecond * FORGED_SHARE,
      burst: Math.max(1, burst * FORGED_SHARE),
    });
    this.forgedOfAddress = limits.define({
      name: 'forged-notifications-address',
      perSecond: perSecond * FORGED_SHARE_OF_ADDRESS,
      burst: Math.max(1, burst * FORGED_SHARE_OF_ADDRESS),
    });
  }

  /**
   * Runs `receive`, which throws `invalid_signature` or `provider_not_found` for what is not genuine. Throws
   * `too_many_requests` before anything is looked up or verified. `network`: see `clientNetwork`.
   */
  async run<T>(shopId: number, network: string, receive: () => Promise<T>): Promise<T> {
    const sender = `${shopId} ${network}`;
    refuse(this.forged?.peek(sender));
    if (!this.proven.has(sender)) refuse(this.forgedOfAddress?.peek(network));
    refuse(await this.genuine?.take(String(shopId)));
    try {
      const answer = await receive();
      this.proven.set(sender, true);
      return answer;
    } catch (error) {
      if (isForged(error)) {
        this.genuine?.charge(String(shopId), -1);
        this.forged?.charge(sender, 1);
        this.forgedOfAddress?.charge(network, 1);
      }
      throw error;
    }
  }
}

function refuse(verdict: Verdict | undefined): void {
  if (verdict?.allowed === false) throw tooManyRequests('the notifications for this shop', verdict);
}

const isForged = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'invalid_signature' || error.code === 'provider_not_found');
