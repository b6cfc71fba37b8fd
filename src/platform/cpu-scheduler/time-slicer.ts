import { FairQueue } from '../../shared/fair-queue.js';
import { Problem } from '../../shared/problem.js';
import { TokenBucket } from '../../shared/token-bucket.js';
import type { WorkOwner } from './work-owner.js';

/** A calculation that yields often: each step takes far less than a millisecond. */
export type Steps<T> = Iterator<void, T>;

export interface LoopClock {
  /** A monotonic clock, in ms. */
  now(): number;
  /** Calls `then` after `ms` and after the pending events of the event loop. */
  pause(ms: number, then: () => void): void;
}

/** Longest time for which other requests wait for a calculation. */
export const SLICE_MS = 1;
/** Share of the time for calculations while other requests arrive. */
export const SHARE = 1 / 8;
/** Largest credit, collected while there are no calculations: a small calculation runs at once. */
export const MAX_CREDIT_MS = 4;
/** At most this much of a step is counted: a longer one has waited, for example for a suspended process. */
export const MAX_COUNTED_MS = 50;
/** Calculations yield for this time after a request: until it is answered and its webhooks are sent. */
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
 * Runs long calculations of one process in slices of 1 ms, one at a time. Merchants are served round robin, and so are
 * the calculations of one merchant.
 *
 *        credit is left, and no job is queued        ends in its first slice
 *   run ──────────────────────────────────▶ slice ──────────────────────────▶ result, before `run` returns
 *    │ otherwise                              │ takes longer
 *    ▼                                        ▼
 *   queued ◀──────────────────────────────────┘◀──────────────┐
 *    │ one pause at a time: the event loop, and the debt      │ not done
 *    ▼                                                        │
 *   slice of the next job ────────────────────────────────────┘──▶ result or error, when it is done
 *
 * - Without other requests it uses all of the time, except for the events of the loop after each slice.
 * - While other requests arrive, it uses `SHARE` of the time: after a slice of 1 ms it pauses for 8 ms.
 * - A job whose client has disconnected is dropped when it would run next.
 *
 * Why no worker threads (piscina): a definition and its shops would have to be copied, and a small machine has two
 * cores.
 */
export class TimeSlicer {
  private readonly queue = new FairQueue<Job>();
  /** Queued jobs by merchant. */
  private readonly counts = new Map<number, number>();
  private count = 0;
  private isPausing = false;
  /** Tokens are ms of computing time. */
  private readonly credit: TokenBucket;
  private yieldUntil = -Infinity;
  private lastId = 0;

  constructor(
    private readonly clock: LoopClock,
    /** Called after each slice, also after one that throws. */
    private readonly onSpent: (owner: WorkOwner, ms: number) => void = () => undefined,
  ) {
    this.credit = new TokenBucket({ perSecond: SHARE * 1_000, capacity: MAX_CREDIT_MS, now: () => clock.now() });
  }

  /** Number of unfinished calculations. */
  get size(): number {
    return this.count;
  }

  /** Whether requests other than calculations have arrived recently. */
  get hasOtherRequests(): boolean {
    return this.clock.now() < this.yieldUntil;
  }

  /** Records that a request other than a calculation has arrived. */
  noteRequest(): void {
    this.yieldUntil = this.clock.now() + YIELD_MS;
  }

  /**
   * Runs `steps` to its end. Rejects with what `steps` throws. Problems: `too_many_requests` when too many calculations
   * are queued, `client_closed_request` when the owner has disconnected.
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

  /**
   * Counts `ms` of computing time. Without other requests the debt is at most one slice, so that a new request waits no
   * longer than that.
   */
  take(ms: number): void {
    const limit = this.hasOtherRequests ? MAX_COUNTED_MS : Math.max(0, this.credit.available + SLICE_MS);
    this.credit.take(Math.min(ms, limit));
  }

  private requireQueueSpace({ merchantId }: WorkOwner): void {
    const isMerchants = (this.counts.get(merchantId) ?? 0) >= MAX_WAITING_PER_MERCHANT;
    if (!isMerchants && this.count < MAX_WAITING) return;
    const detail = isMerchants
      ? `${MAX_WAITING_PER_MERCHANT} calculations of the merchant are waiting, which is the limit`
      : `${MAX_WAITING} calculations are waiting, which is the limit`;
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

  /** If other requests have arrived since the pause began, there is another pause. */
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

  /** Returns the last step. Throws what `steps` throws. */
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
