// The sync loop adds what this process spent to the store, and reads what all processes spent. Invariants: one call to the
// store at a time; no caller waits for it longer than STORE_TIMEOUT_MS; after a failure the process is in local mode: the
// store is asked once per RETRY_MS, and no caller waits for it until it has answered.
import { Logger } from '@nestjs/common';
import { withTimeout } from '../../shared/clock.js';
import type { SyncedBucket } from './synced-bucket.js';

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

export class SyncLoop {
  private readonly logger = new Logger('RateLimits');
  private readonly dirty = new Set<SyncedBucket>();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  /** Local mode: the store is unavailable, and each process counts by itself. */
  isLocal = false;
  private isClosed = false;

  /** `now`: a monotonic clock, in ms. `storeTimeoutMs`: the store counts as unavailable when it has not answered by then. */
  constructor(
    private readonly store: PermitStore,
    readonly now: () => number,
    private readonly storeTimeoutMs = STORE_TIMEOUT_MS,
  ) {}

  /** The bucket was spent from: the store hears of it within `INTERVAL_MS`, at once when half a batch is used up. */
  note(bucket: SyncedBucket): void {
    this.dirty.add(bucket);
    if (this.isLocal || this.round || !bucket.isUrgent) this.schedule();
    else void this.begin();
  }

  /** The store does not hear of what was spent from it last. */
  forget(bucket: SyncedBucket): void {
    this.dirty.delete(bucket);
    bucket.release();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.timer || this.round || this.isClosed) return;
    this.timer = setTimeout(() => void this.begin(), this.isLocal ? RETRY_MS : INTERVAL_MS);
    this.timer.unref();
  }

  private begin(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.round ??= this.sync());
  }

  private async sync(): Promise<void> {
    const buckets = this.next();
    const now = this.now();
    const spendings = buckets.map((bucket) => ({ key: bucket.key, ms: bucket.send(now) }));
    try {
      const message = `no answer within ${this.storeTimeoutMs} ms`;
      const left = await withTimeout(this.storeTimeoutMs, this.store.spend(spendings), message);
      const answered = this.now();
      buckets.forEach((bucket, index) => bucket.sync(left[index]!, answered));
      this.leaveLocalMode();
    } catch (error) {
      for (const bucket of buckets) this.lose(bucket);
      this.enterLocalMode(error);
    }
    this.round = undefined;
    this.syncNext();
  }

  private syncNext(): void {
    for (const bucket of this.dirty) {
      if (!this.isLocal && bucket.isUrgent) return void this.begin();
    }
    if (this.dirty.size > 0) this.schedule();
  }

  private next(): SyncedBucket[] {
    const buckets: SyncedBucket[] = [];
    for (const bucket of this.dirty) {
      if (buckets.push(bucket) === MAX_BUCKETS_AT_ONCE) break;
    }
    for (const bucket of buckets) this.dirty.delete(bucket);
    return buckets;
  }

  private lose(bucket: SyncedBucket): void {
    bucket.lose();
    if (bucket.drainMs(this.now()) > 0) this.dirty.add(bucket);
  }

  private enterLocalMode(error: unknown): void {
    for (const bucket of this.dirty) bucket.release();
    if (this.isLocal || this.isClosed) return;
    this.isLocal = true;
    this.logger.warn({ msg: 'rate limits: their store is away, this process counts alone', err: error });
  }

  private leaveLocalMode(): void {
    if (!this.isLocal) return;
    this.isLocal = false;
    this.logger.log({ msg: 'rate limits: their store is back' });
  }
}
