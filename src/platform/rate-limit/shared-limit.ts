import { Bucket } from './bucket.js';
import type { Settlement } from './settlement.js';
import { RecentMap } from '../../shared/recent-map.js';

export interface Limit {
  /** What is limited, a word for keys and metrics. */
  name: string;
  /** Permits that come back in a second. */
  perSecond: number;
  /** Permits that a bucket holds at most. */
  burst: number;
}

export interface Verdict {
  allowed: boolean;
  /** Permits left, rounded down. */
  remaining: number;
  /** Until all permits are there again. */
  resetMs: number;
  /** Until a refused request would be let through, if nothing else came; 0 for one that was. */
  retryAfterMs: number;
}

/** Buckets that one process remembers for one limit at least; what is forgotten counts as the store last heard of it. */
const REMEMBERED_BUCKETS = 10_000;
/** Of a burst: what one process may let through before it has heard from the store again. */
const BATCH_SHARE = 0.1;

/**
 * One limit over all processes, with a bucket for each key, counted in memory. The store is told every 100 ms, and as soon
 * as half a batch is used up, which is a tenth of the burst. In t seconds N processes together let through at most
 * `burst` + t · `perSecond` + N batches, however long t is: what was too much is owed. A call waits for the store only
 * when its process has used up its batch; it is then let through on what the store says. Without the store each process keeps to the limit on its own.
 */
export class SharedLimit {
  private readonly buckets: RecentMap<string, Bucket>;
  private readonly msPerPermit: number;
  private readonly capacityMs: number;
  private readonly batchMs: number;

  constructor(
    readonly limit: Readonly<Limit>,
    private readonly settlement: Settlement,
    private readonly onRefusal: (name: string) => void = () => undefined,
  ) {
    this.msPerPermit = 1_000 / limit.perSecond;
    this.capacityMs = limit.burst * this.msPerPermit;
    this.batchMs = Math.max(limit.burst * BATCH_SHARE, 1) * this.msPerPermit;
    this.buckets = new RecentMap(REMEMBERED_BUCKETS, (bucket) => settlement.forget(bucket));
  }

  /** By the clock that `take` goes by. */
  now(): number {
    return this.settlement.now();
  }

  /** Takes `permits` from the bucket of `key` when they are there. A promise takes a second at most. */
  take(key: string, permits = 1, now = this.now()): Verdict | Promise<Verdict> {
    const bucket = this.bucketOf(key);
    const ms = permits * this.msPerPermit;
    const debtMs = bucket.debtMs(now);
    const excessMs = this.excessMs(debtMs, ms);
    if (excessMs > 0) return this.refusal(debtMs, excessMs);
    if (this.mustAsk(bucket, ms)) return this.ask(bucket, ms);
    this.spend(bucket, ms, now);
    return this.verdict(debtMs + ms, 0);
  }

  /** Whether `permits` could be taken now. Takes none. */
  look(key: string, permits = 1): Verdict {
    const now = this.settlement.now();
    const debtMs = this.bucketOf(key).debtMs(now);
    return this.verdict(debtMs, this.excessMs(debtMs, permits * this.msPerPermit));
  }

  /** Takes `permits` whether they are there or not; gives them back when negative. */
  charge(key: string, permits: number): void {
    this.spend(this.bucketOf(key), permits * this.msPerPermit, this.settlement.now());
  }

  private bucketOf(key: string): Bucket {
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      bucket = new Bucket(`${this.limit.name}:${key}`, this.batchMs);
      this.buckets.set(key, bucket);
    }
    return bucket;
  }

  /** The batch is used up. A first use never has to ask, however many it takes. */
  private mustAsk({ pendingMs }: Bucket, ms: number): boolean {
    return pendingMs > 0 && pendingMs + ms > this.batchMs && !this.settlement.isAlone;
  }

  /** Spends first, and gives it back when that was too much: one answer of the store decides for all who wait for it. */
  private async ask(bucket: Bucket, ms: number): Promise<Verdict> {
    const settled = bucket.settled();
    this.spend(bucket, ms, this.settlement.now());
    await settled;
    const now = this.settlement.now();
    const debtMs = bucket.debtMs(now);
    const excessMs = this.excessMs(debtMs, 0);
    if (excessMs === 0) return this.verdict(debtMs, 0);
    this.spend(bucket, -ms, now);
    return this.refusal(debtMs - ms, excessMs);
  }

  private refusal(debtMs: number, excessMs: number): Verdict {
    this.onRefusal(this.limit.name);
    return this.verdict(debtMs, excessMs);
  }

  private spend(bucket: Bucket, ms: number, now: number): void {
    bucket.spend(ms, now);
    this.settlement.note(bucket);
  }

  private excessMs(debtMs: number, ms: number): number {
    // tolerates what floating point makes of ten times a tenth
    const excess = debtMs + ms - this.capacityMs;
    return excess > this.msPerPermit * 1e-6 ? excess : 0;
  }

  private verdict(debtMs: number, excessMs: number): Verdict {
    return {
      allowed: excessMs === 0,
      remaining: Math.max(0, Math.floor((this.capacityMs - debtMs) / this.msPerPermit + 1e-6)),
      resetMs: debtMs,
      retryAfterMs: excessMs,
    };
  }
}
