// Long calculations, in slices, one at a time. Invariants: at most one pause is under way, and only while somebody is in
// line; whoever is in line is counted in `waiting`; `creditMs` is what may be computed before the next pause, and below 0
// while that is being made up for.
import { Problem } from '../../shared/problem.js';
import { FairQueue as MerchantQueue } from '../../shared/fair-queue.js';
import type { WorkOwner } from './work-owner.js';

/** A calculation that yields often: each step takes far less than a millisecond. */
export type Steps<T> = Iterator<void, T>;

export interface LoopClock {
  /** In ms. */
  now(): number;
  /** How much of it the event loop has had nothing to do, in ms. */
  idle(): number;
  /** Calls back after `ms` and after what the event loop has to do already. */
  pause(ms: number, then: () => void): void;
}

/** How long others wait at most for a calculation. */
export const SLICE_MS = 1;
/** Of the time that the event loop is idle, while other requests are being served: the busier it is, the less. */
export const SHARE = 1 / 8;
/** Of all time, so that a loop which is never idle gets on with them, too. */
export const LEAST_SHARE = 1 / 64;
/** What was not used in quiet moments: a small calculation is done at once, also while others are being served. */
export const MAX_CREDIT_MS = 4;
const MIN_CREDIT_MS = -50;
/** A request makes others than calculations come first for so long: until it is answered and its webhooks are sent. */
export const OTHERS_MS = 100;
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
 * One line for all calculations of a process: merchants take turns, and of a merchant its calculations. With nothing else
 * to do it takes all the time that there is, but for a look at the event loop after each slice. While other requests come
 * in it keeps to its share of what they leave.
 */
export class FairQueue {
  private readonly line = new MerchantQueue<Job>();
  private readonly waiting = new Map<number, number>();
  private length = 0;
  private isPausing = false;
  private creditMs = MAX_CREDIT_MS;
  private creditAt: number;
  /** When it was last asked for; in quiet times it is not. */
  private idleAt: number;
  /** In slices since `creditAt`. */
  private workedMs = 0;
  private othersUntil = -Infinity;
  private lastId = 0;

  constructor(
    private readonly clock: LoopClock,
    /** Told of each slice, whatever became of it. */
    private readonly onSpent: (owner: WorkOwner, ms: number) => void = () => undefined,
  ) {
    this.creditAt = clock.now();
    this.idleAt = clock.idle();
  }

  /** How many calculations are under way. */
  get size(): number {
    return this.length;
  }

  /** Whether requests have come in lately that are no calculations. */
  get hasOthers(): boolean {
    return this.clock.now() < this.othersUntil;
  }

  /** A request has come in that is no calculation. */
  noteOthers(): void {
    this.othersUntil = this.clock.now() + OTHERS_MS;
  }

  /**
   * Runs `steps` to its end; what is small is done before this returns, unless others are in line. Rejects with what
   * `steps` throws. Problems: `too_many_requests` when too much is waiting, `client_closed_request` when its owner is gone.
   */
  async run<T>(owner: WorkOwner, steps: Steps<T>): Promise<T> {
    if (this.length > 0) {
      this.requireRoom(owner);
    } else {
      const now = this.refill();
      const step = this.creditMs > 0 ? this.slice(owner, steps, now) : undefined;
      if (step?.done) return step.value;
    }
    return new Promise((resolve, reject) => {
      this.enter({ id: ++this.lastId, owner, steps, resolve, reject });
      this.pause();
    });
  }

  /** Counts what was computed outside of a slice. */
  take(ms: number): void {
    this.creditMs = Math.max(this.creditMs - ms, MIN_CREDIT_MS);
  }

  private requireRoom({ merchantId }: WorkOwner): void {
    const isMerchants = (this.waiting.get(merchantId) ?? 0) >= MAX_WAITING_PER_MERCHANT;
    if (!isMerchants && this.length < MAX_WAITING) return;
    const detail = isMerchants
      ? `${MAX_WAITING_PER_MERCHANT} calculations of the merchant are waiting, which is the most`
      : `${MAX_WAITING} calculations are waiting, which is the most`;
    throw new Problem('too_many_requests', { detail, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
  }

  private enter<T>(job: Job<T>): void {
    const { merchantId } = job.owner;
    this.waiting.set(merchantId, (this.waiting.get(merchantId) ?? 0) + 1);
    this.length++;
    this.line.enqueue([merchantId, job.id], job);
  }

  private leave({ owner: { merchantId } }: Job): void {
    const left = this.waiting.get(merchantId)! - 1;
    if (left === 0) this.waiting.delete(merchantId);
    else this.waiting.set(merchantId, left);
    this.length--;
  }

  private pause(): void {
    if (this.isPausing || this.length === 0) return;
    this.isPausing = true;
    this.clock.pause(this.owedMs(), () => {
      this.isPausing = false;
      this.takeTurn();
      this.pause();
    });
  }

  /** Others may have come in since the pause began: then it goes on. */
  private takeTurn(): void {
    if (this.owedMs() > 0) return;
    let job = this.line.dequeue();
    for (; job?.owner.isGone; job = this.line.dequeue()) {
      this.leave(job);
      job.reject(new Problem('client_closed_request'));
    }
    if (job) this.advance(job);
  }

  private advance(job: Job): void {
    try {
      const { done, value } = this.slice(job.owner, job.steps, this.clock.now());
      if (!done) return this.line.enqueue([job.owner.merchantId, job.id], job);
      job.resolve(value);
    } catch (error) {
      job.reject(error);
    }
    this.leave(job);
  }

  /** The last step of it. Throws what `steps` throws. */
  private slice<T>(owner: WorkOwner, steps: Steps<T>, startedAt: number): IteratorResult<void, T> {
    try {
      let step = steps.next();
      while (!step.done && this.clock.now() < startedAt + SLICE_MS) step = steps.next();
      return step;
    } finally {
      this.spend(owner, this.clock.now() - startedAt);
    }
  }

  private spend(owner: WorkOwner, ms: number): void {
    this.workedMs += ms;
    this.take(ms);
    this.onSpent(owner, ms);
  }

  /** Without others all time is earned but what slices took: those that begin in one turn of the event loop stay few. Answers the time. */
  private refill(): number {
    const now = this.clock.now();
    const earned = now < this.othersUntil ? this.shareSince(now) : now - this.creditAt - this.workedMs;
    this.creditMs = Math.min(MAX_CREDIT_MS, this.creditMs + earned);
    this.creditAt = now;
    this.workedMs = 0;
    return now;
  }

  private shareSince(now: number): number {
    const idle = this.clock.idle();
    const share = (idle - this.idleAt) * SHARE + (now - this.creditAt) * LEAST_SHARE;
    this.idleAt = idle;
    return share;
  }

  /** How long to pause before the next slice; longer when the event loop turns out not to be idle meanwhile. */
  private owedMs(): number {
    this.refill();
    if (this.creditMs >= 0 || !this.hasOthers) return 0;
    return Math.max(1, -this.creditMs / (SHARE + LEAST_SHARE));
  }
}
