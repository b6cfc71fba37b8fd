import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../../platform/rate-limit/shared-limit.js';

const BURST_SECONDS = 2;
/** Share of the notification rate limit, the same as for forged notifications. Many payers may share one address. */
const SHARE_PER_ADDRESS = 0.5;

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
    const verdict = await this.byAddress?.take(network);
    if (verdict?.allowed === false) throw tooManyRequests('returns of payers from this address', verdict);
  }
}
