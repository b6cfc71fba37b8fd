import { TokenBucket } from '../../shared/token-bucket.js';

/** Redelivered and not tried yet: half of what a lane that answers slowly may have in flight. */
export const MAX_WAITING = 16;
/** The same when nobody has anything else, of a receiver that has tried all there was since the last step. */
export const MAX_WAITING_QUIET = 64;
/** Without a new delivery for so long, there is nobody to give way to. */
export const QUIET_MS = 10_000;
/** Of all merchants together, so many times what one may have. */
const MERCHANTS_TOGETHER = 2;
/** What was not used is kept for so long: a step that comes late makes up for no more than this. */
const BURST_MS = 250;
/** Between two steps, so many times as long as the one took: with others, redeliveries are a tenth of the work at most. */
const REST_PER_WORK = 9;
const REST_PER_WORK_QUIET = 1;

/** What a job has in the queue. */
export interface Ahead {
  /** Redelivered so far. */
  redelivered: number;
  /** Of these not tried yet. */
  waiting: number;
}

/**
 * How fast deliveries are put back into the queue.
 * - With others' new deliveries under way: so many a second of a merchant, and twice as many of all merchants.
 * - Without: as fast as the receivers answer.
 * - Always: few of a job wait in the queue, and the pauses grow with the time that steps take. That time is a worker's
 *   event loop and the database's, so whatever holds others up slows redeliveries down.
 * Of one process: another that takes over begins anew, with what `BURST_MS` bring.
 */
export class RedeliveryPace {
  private newest: number | undefined;
  private newestAt: number;
  private readonly all: TokenBucket;
  private readonly merchants = new Map<number, TokenBucket>();

  /** `perSecond`: of one merchant. */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.newestAt = now();
    this.all = this.bucket(perSecond * MERCHANTS_TOGETHER);
  }

  /** The last id that a new delivery was given. */
  note(newest: number): void {
    if (newest !== this.newest) this.newestAt = this.now();
    this.newest = newest;
    for (const [merchantId, bucket] of this.merchants) if (bucket.isFull) this.merchants.delete(merchantId);
  }

  /** Nobody has had a new delivery lately. */
  get isQuiet(): boolean {
    return this.now() - this.newestAt >= QUIET_MS;
  }

  /** Until the next step, as a multiple of what the last one took. */
  get pausePerWork(): number {
    return this.isQuiet ? REST_PER_WORK_QUIET : REST_PER_WORK;
  }

  /** How many more deliveries the merchant may have now, whatever waits. */
  allowed(merchantId: number): number {
    return this.isQuiet ? Infinity : Math.floor(Math.min(this.all.available, this.bucketOf(merchantId).available));
  }

  /** How many more of a job may wait. */
  room({ redelivered, waiting }: Ahead): number {
    const keepsUp = this.isQuiet && redelivered > 0 && waiting === 0;
    return (keepsUp ? MAX_WAITING_QUIET : MAX_WAITING) - waiting;
  }

  took(merchantId: number, count: number): void {
    if (this.isQuiet) return;
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
