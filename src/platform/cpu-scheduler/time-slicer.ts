import { FairQueue } from '../../shared/fair-queue.js';
import { Problem } from '../../shared/problem.js';
import { TokenBucket } from '../../shared/token-bucket.js';
import type { WorkOwner } from './work-owner.js';

/** A calculation that yields often: each step takes far less than a millisecond. */
export type Steps<T> = Iterator<void, T>;

export interface LoopClock {
  /** In ms. */
  now(): number;
  /** Calls back after `ms` and after the pending events of the event loop. */
  pause(ms: number, then: () => void): void;
}

/** The longest time for which others wait for a calculation. */
export const SLICE_MS = 1;
/** The share of the time that calculations get while other requests come in. */
export const SHARE = 1 / 8;
/** Calculations that were not needed in the last moments leave so much: a small one is done at once. */
export const MAX_CREDIT_MS = 4;
/** A longer step has waited, such as for a suspended process: only so much of it is made up for. */
export const MAX_COUNTED_MS = 50;
/** Calculations give way for so long after a request: until it is answered and its webhooks are sent. */
export const YIELD_MS = 100;
export const MAX_WAITING_PER_MERCHANT = 100;
export const MAX_WAITING = 1_000;
const RETRY_AFTER_SECONDS = '2';

interface Job<T = unknown> {
  readonly id: number;
  readonly owner: WorkOwner;
  readonly steps: Steps<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/**
 * Runs long calculations of one process in slices of 1 ms, one at a time: merchants take turns, and the calculations of a
 * merchant do.
 *
 *        credit is left, and no job is queued        ends in its first slice
 *   run ──────────────────────────────────▶ slice ──────────────────────────▶ result, before `run` returns
 *    │ otherwise                              │ takes longer
 *    ▼                                        ▼
 *   queued ◀──────────────────────────────────┘◀──────────────┐
 *    │ one pause at a time: the event loop, and the time owed │ not done
 *    ▼                                                        │
 *   slice of the next job ────────────────────────────────────┘──▶ result or error, when it is done
 *
 * - With no other requests it takes all the time that there is, except for the events of the loop after each slice.
 * - While other requests come in, it keeps to `SHARE` of the time: after a slice of 1 ms it pauses for 8 ms.
 * - A job whose client is gone is dropped at its turn.
 * Why no worker threads (piscina): a definition and its shops would have to be copied, and a small machine has two cores.
 */
export class TimeSlicer {
  private readonly queue = new FairQueue<Job>();
  /** Queued jobs by merchant. */
  private readonly counts = new Map<number, number>();
  private count = 0;
  private isPausing = false;
  /** Tokens are ms of computing. */
  private readonly credit: TokenBucket;
  private yieldUntil = -Infinity;
  private lastId = 0;

  constructor(
    private readonly clock: LoopClock,
    /** Is called after each slice, also after one that throws. */
    private readonly onSpent: (owner: WorkOwner, ms: number) => void = () => undefined,
  ) {
    this.credit = new TokenBucket({ perSecond: SHARE * 1_000, capacity: MAX_CREDIT_MS, now: () => clock.now() });
  }

  /** Calculations that are not done. */
  get size(): number {
    return this.count;
  }

  /** Whether requests that are no calculations have come in lately. */
  get hasOtherRequests(): boolean {
    return this.clock.now() < this.yieldUntil;
  }

  /** A request has come in that is no calculation. */
  noteRequest(): void {
    this.yieldUntil = this.clock.now() + YIELD_MS;
  }

  /**
   * Runs `steps` to its end. Rejects with what `steps` throws. Problems: `too_many_requests` when too many are queued,
   * `client_closed_request` when its owner is gone.
   */
  async run<T>(owner: WorkOwner, steps: Steps<T>): Promise<T> {
    if (this.count > 0) {
      this.requireQueueSpace(owner);
    } else if (this.credit.available > 0) {
      const step = this.slice(owner, steps);
      if (step.done) return step.value;
    }
    return new Promise((resolve, reject) => {
      this.enter({ id: ++this.lastId, owner, steps, resolve, reject });
      this.pause();
    });
  }

  /** Counts `ms` of computing. While there are no others, the debt is at most one slice: they wait for no more than that. */
  take(ms: number): void {
    const most = this.hasOtherRequests ? MAX_COUNTED_MS : Math.max(0, this.credit.available + SLICE_MS);
    this.credit.take(Math.min(ms, most));
  }

  private requireQueueSpace({ merchantId }: WorkOwner): void {
    const isMerchants = (this.counts.get(merchantId) ?? 0) >= MAX_WAITING_PER_MERCHANT;
    if (!isMerchants && this.count < MAX_WAITING) return;
    const detail = isMerchants
      ? `${MAX_WAITING_PER_MERCHANT} calculations of the merchant are waiting, which is the most`
      : `${MAX_WAITING} calculations are waiting, which is the most`;
    throw new Problem('too_many_requests', { detail, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
  }

  private enter<T>(job: Job<T>): void {
    const { merchantId } = job.owner;
    this.counts.set(merchantId, (this.counts.get(merchantId) ?? 0) + 1);
    this.count++;
    this.queue.enqueue([merchantId, job.id], job);
  }

  private leave({ owner: { merchantId } }: Job): void {
    const left = this.counts.get(merchantId)! - 1;
    if (left === 0) this.counts.delete(merchantId);
    else this.counts.set(merchantId, left);
    this.count--;
  }

  private pause(): void {
    if (this.isPausing || this.count === 0) return;
    this.isPausing = true;
    this.clock.pause(this.pauseMs(), () => {
      this.isPausing = false;
      this.runNext();
      this.pause();
    });
  }

  /** Others may have come in since the pause began: then there is another one. */
  private runNext(): void {
    if (this.pauseMs() > 0) return;
    let job = this.queue.dequeue();
    for (; job?.owner.isGone; job = this.queue.dequeue()) {
      this.leave(job);
      job.reject(new Problem('client_closed_request'));
    }
    if (job) this.advance(job);
  }

  private advance(job: Job): void {
    try {
      const { done, value } = this.slice(job.owner, job.steps);
      if (!done) return this.queue.enqueue([job.owner.merchantId, job.id], job);
      job.resolve(value);
    } catch (error) {
      job.reject(error);
    }
    this.leave(job);
  }

  /** Answers its last step. Throws what `steps` throws. */
  private slice<T>(owner: WorkOwner, steps: Steps<T>): IteratorResult<void, T> {
    const startedAt = this.clock.now();
    try {
      let step = steps.next();
      while (!step.done && this.clock.now() < startedAt + SLICE_MS) step = steps.next();
      return step;
    } finally {
      const ms = this.clock.now() - startedAt;
      this.take(ms);
      this.onSpent(owner, ms);
    }
  }

  private pauseMs(): number {
    return this.hasOtherRequests ? Math.ceil(this.credit.waitMs) : 0;
  }
}
