import { TokenBucket } from '../../shared/token-bucket.js';

/** Maximum redelivered deliveries without an attempt: half of the in-flight limit of a slow lane. */
export const MAX_WAITING = 16;
/** The same maximum while there are no new deliveries, if all redelivered ones have been tried since the last step. */
export const MAX_WAITING_IDLE = 64;
/** Time without a new delivery after which redeliveries need not yield. */
export const IDLE_AFTER_MS = 10_000;
/** Limit of all merchants together, as a multiple of the limit of one. */
const MERCHANTS_TOGETHER = 2;
/** Unused capacity is kept for this time, so a late step makes up for no more than this. */
const BURST_MS = 250;
/** Pause after a step as a multiple of its duration: with new deliveries, redeliveries take at most a tenth of the time. */
const PAUSE_PER_WORK = 9;
const PAUSE_PER_WORK_IDLE = 1;

/** Deliveries that a job has put into the queue. */
export interface Ahead {
  /** Redelivered deliveries so far. */
  redelivered: number;
  /** Redelivered deliveries without an attempt. */
  waiting: number;
}

/**
 * Decides how fast deliveries are put back into the queue.
 * - While there are new deliveries: `perSecond` deliveries of each merchant, and twice as many of all merchants.
 * - Otherwise: as fast as the receivers answer.
 * - Always: only a few deliveries of a job wait in the queue, and the pauses grow with the duration of the steps. Load on
 *   the event loop or on the database makes steps longer, so it slows redeliveries down.
 * Each process has its own: another process that takes over starts with the capacity of `BURST_MS`.
 */
export class RedeliveryPace {
  private newest: number | undefined;
  private newestAt: number;
  private readonly all: TokenBucket;
  private readonly merchants = new Map<number, TokenBucket>();

  /** `perSecond`: limit of one merchant. */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.newestAt = now();
    this.all = this.bucket(perSecond * MERCHANTS_TOGETHER);
  }

  /** Records the id of the newest delivery. */
  observe(newest: number): void {
    if (newest !== this.newest) this.newestAt = this.now();
    this.newest = newest;
    for (const [merchantId, bucket] of this.merchants) if (bucket.isFull) this.merchants.delete(merchantId);
  }

  /** Whether there was no new delivery recently. */
  get isIdle(): boolean {
    return this.now() - this.newestAt >= IDLE_AFTER_MS;
  }

  /** Pause before the next step, as a multiple of the duration of the last one. */
  get pausePerWork(): number {
    return this.isIdle ? PAUSE_PER_WORK_IDLE : PAUSE_PER_WORK;
  }

  /** Returns how many more deliveries the merchant may have now, regardless of waiting ones. */
  allowed(merchantId: number): number {
    return this.isIdle ? Infinity : Math.floor(Math.min(this.all.available, this.bucketOf(merchantId).available));
  }

  /** Returns how many more deliveries of a job may wait. */
  capacity({ redelivered, waiting }: Ahead): number {
    const keepsUp = this.isIdle && redelivered > 0 && waiting === 0;
    return (keepsUp ? MAX_WAITING_IDLE : MAX_WAITING) - waiting;
  }

  take(merchantId: number, count: number): void {
    if (this.isIdle) return;
    this.all.take(count);
    this.bucketOf(merchantId).take(count);
  }

  private bucketOf(merchantId: number): TokenBucket {
    let bucket = this.merchants.get(merchantId);
    if (!bucket) this.merchants.set(merchantId, (bucket = this.bucket(this.perSecond)));
    return bucket;
  }

  private bucket(perSecond: number): TokenBucket {
    return new TokenBucket({ perSecond, capacity: Math.max(1, (perSecond * BURST_MS) / 1_000), now: this.now });
  }
}
