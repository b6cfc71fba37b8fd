import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../../platform/rate-limit/shared-limit.js';

const BURST_SECONDS = 2;
/** Of what a shop's provider may send, as an address may send of forged notifications. Many payers may share one address. */
const SHARE_OF_ADDRESS = 0.5;

/** Bounds the returns of payers, which anybody may play, by the address that they come from. */
@Injectable()
export class ReturnThrottle {
  private readonly ofAddress: SharedLimit | undefined;

  constructor(limits: RateLimits, @InjectConfig() { notificationRateLimitPerSecond: perSecond }: Config) {
    this.ofAddress = limits.define({
      name: 'payer-returns-address',
      perSecond: perSecond * SHARE_OF_ADDRESS,
      burst: Math.max(1, perSecond * BURST_SECONDS * SHARE_OF_ADDRESS),
    });
  }

  /** Throws `too_many_requests`. `network`: see `clientNetwork`. */
  async take(network: string): Promise<void> {
    const verdict = await this.ofAddress?.take(network);
    if (verdict?.allowed === false) throw tooManyRequests('returns of payers from this address', verdict);
  }
}
