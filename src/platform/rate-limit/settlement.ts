import { withTimeout } from '../../shared/clock.js';
// Tells the store what was spent here and learns what was spent elsewhere. Invariants: one call to the store at a time;
// nobody waits for one longer than STORE_TIMEOUT_MS; a store that failed is left alone for RETRY_MS, and nobody waits for
// it at all until it has answered again.
import { Logger } from '@nestjs/common';
import type { Bucket } from './bucket.js';

/** What one process has let through since it last told the store, as time: one permit is 1000 / `perSecond` ms. */
export interface Spending {
  key: string;
  /** Negative when permits are given back. */
  ms: number;
}

/**
 * Where the processes put their counts together. A bucket is the time when it will be full again, and when that was written;
 * one that is full is not kept. Both implementations pass `permit-store.spec.ts`.
 */
export abstract class PermitStore {
  /**
   * Adds to each bucket, by the store's own clock, and tells in how many ms each will be full again, in the same order.
   * Rejects within a few seconds when the store does not answer; whether it has added then is open.
   */
  abstract spend(spendings: Spending[]): Promise<number[]>;

  abstract close(): Promise<void>;
}

/** How old the counts of the other processes may be, unless a batch is used up sooner. */
const INTERVAL_MS = 100;
const RETRY_MS = 1_000;
const STORE_TIMEOUT_MS = 500;
const MAX_BUCKETS_AT_ONCE = 500;

export class Settlement {
  private readonly logger = new Logger('RateLimits');
  private readonly dirty = new Set<Bucket>();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private storeIsAway = false;
  private isClosed = false;

  /** `now`: a monotonic clock, in ms. `storeTimeoutMs`: the store counts as away when it has not answered by then. */
  constructor(
    private readonly store: PermitStore,
    readonly now: () => number,
    private readonly storeTimeoutMs = STORE_TIMEOUT_MS,
  ) {}

  /** Whether this process counts alone for the time being. */
  get isAlone(): boolean {
    return this.storeIsAway;
  }

  /** The bucket was spent from: the store hears of it within `INTERVAL_MS`, at once when half a batch is used up. */
  note(bucket: Bucket): void {
    this.dirty.add(bucket);
    if (this.storeIsAway || this.round || !bucket.isUrgent) this.schedule();
    else void this.begin();
  }

  /** The store does not hear of what was spent from it last. */
  forget(bucket: Bucket): void {
    this.dirty.delete(bucket);
    bucket.release();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.timer || this.round || this.isClosed) return;
    this.timer = setTimeout(() => void this.begin(), this.storeIsAway ? RETRY_MS : INTERVAL_MS);
    this.timer.unref();
  }

  private begin(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.round ??= this.settle());
  }

  private async settle(): Promise<void> {
    const buckets = this.next();
    const now = this.now();
    const spendings = buckets.map((bucket) => ({ key: bucket.key, ms: bucket.send(now) }));
    try {
      const message = `no answer within ${this.storeTimeoutMs} ms`;
      const left = await withTimeout(this.storeTimeoutMs, this.store.spend(spendings), message);
      const answered = this.now();
      buckets.forEach((bucket, index) => bucket.settle(left[index]!, answered));
      this.becomeShared();
    } catch (error) {
      for (const bucket of buckets) this.lose(bucket);
      this.becomeAlone(error);
    }
    this.round = undefined;
    this.settleNext();
  }

  private settleNext(): void {
    for (const bucket of this.dirty) {
      if (!this.storeIsAway && bucket.isUrgent) return void this.begin();
    }
    if (this.dirty.size > 0) this.schedule();
  }

  private next(): Bucket[] {
    const buckets: Bucket[] = [];
    for (const bucket of this.dirty) {
      if (buckets.push(bucket) === MAX_BUCKETS_AT_ONCE) break;
    }
    for (const bucket of buckets) this.dirty.delete(bucket);
    return buckets;
  }

  private lose(bucket: Bucket): void {
    bucket.lose();
    if (bucket.debtMs(this.now()) > 0) this.dirty.add(bucket);
  }

  private becomeAlone(error: unknown): void {
    for (const bucket of this.dirty) bucket.release();
    if (this.storeIsAway || this.isClosed) return;
    this.storeIsAway = true;
    this.logger.warn({ msg: 'rate limits: their store is away, this process counts alone', err: error });
  }

  private becomeShared(): void {
    if (!this.storeIsAway) return;
    this.storeIsAway = false;
    this.logger.log({ msg: 'rate limits: their store is back' });
  }
}
