import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../../platform/rate-limit/shared-limit.js';

/** Rate limit of a merchant: a test goes to any address, and a person waits for its answer. */
const TESTS = { name: 'webhook-tests', perSecond: 1, burst: 30 };

/** The rate of test webhooks, to addresses and to standing endpoints together, so that no one can attack an address. */
@Injectable()
export class TestRate {
  private readonly tests: SharedLimit | undefined;

  constructor(limits: RateLimits) {
    this.tests = limits.define(TESTS);
  }

  /** Throws `too_many_requests`. */
  async take(merchantId: number): Promise<void> {
    const verdict = await this.tests?.take(String(merchantId));
    if (verdict?.allowed === false) throw tooManyRequests('test webhooks', verdict);
  }
}
