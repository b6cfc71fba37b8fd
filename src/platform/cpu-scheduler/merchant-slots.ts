import { Problem } from '../../shared/problem.js';
import { type Refusal, Semaphore, SemaphoreRefused } from '../../shared/semaphore.js';
import type { WorkOwner } from './work-owner.js';

export interface SlotLimits {
  /** The limited work, in the plural, for messages to the caller. */
  what: string;
  total: number;
  perMerchant: number;
  /** Queued jobs of one merchant, in addition to running ones. */
  waitingPerMerchant: number;
  waiting: number;
}

const RETRY_AFTER_SECONDS = '5';

/**
 * Slots for work that occupies more than the processor, such as a database connection. Merchants get slots round robin.
 */
export class MerchantSlots {
  private readonly semaphore: Semaphore;

  constructor(private readonly limits: SlotLimits) {
    const { total: maxRunning, perMerchant: maxRunningPerKey, waiting: maxQueued, waitingPerMerchant } = limits;
    this.semaphore = new Semaphore({ maxRunning, maxRunningPerKey, maxQueued, maxQueuedPerKey: waitingPerMerchant });
  }

  /** Problems: `too_many_requests`; `client_closed_request` when the owner has disconnected while it was queued. */
  async run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    try {
      return await this.semaphore.run(work, { key: owner.merchantId, isAbandoned: () => owner.isGone });
    } catch (error) {
      throw error instanceof SemaphoreRefused ? this.problemOf(error.reason) : error;
    }
  }

  private problemOf(reason: Refusal): Problem {
    if (reason === 'abandoned') return new Problem('client_closed_request');
    const { what, perMerchant, waitingPerMerchant, waiting } = this.limits;
    const detail =
      reason === 'key_queue_full'
        ? `a merchant may have ${perMerchant} ${what} running and ${waitingPerMerchant} waiting: try again when one of them has ended`
        : `${waiting} ${what} are waiting, which is the limit: try again when some of them have ended`;
    return new Problem('too_many_requests', { detail, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
  }
}
