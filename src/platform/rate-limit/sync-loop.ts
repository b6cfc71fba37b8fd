// The sync loop adds the permits that this process spent to the store, and reads those of all processes. Invariants:
// - One call to the store at a time. No caller waits for it longer than STORE_TIMEOUT_MS.
// - After a failure the process is in local mode: it calls the store once per RETRY_MS, and no caller waits until the
//   store has answered.
import { Logger } from '@nestjs/common';
import { withTimeout } from '../../shared/clock.js';
import type { SyncedBucket } from './synced-bucket.js';

/** Permits that one process has spent since its last write to the store, as time: a permit is 1000 / `perSecond` ms. */
export interface Spending {
  key: string;
  /** Negative when permits were given back. */
  ms: number;
}

/**
 * The shared counts of all processes. A bucket is stored as the time when it will be full, and the time of that write;
 * a full bucket is not stored. Both implementations pass `permit-store.spec.ts`.
 */
export abstract class PermitStore {
  /**
   * Adds to each bucket, by the clock of the store. Returns for each, in the same order, the time in ms until it is
   * full. Rejects within a few seconds when the store does not respond; it is then unknown whether it has added.
   */
  abstract spend(spendings: Spending[]): Promise<number[]>;

  abstract close(): Promise<void>;
}

/** Age of the other processes' counts, at most, unless a batch is used up sooner. */
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

  /**
   * `now`: a monotonic clock, in ms. `storeTimeoutMs`: the store counts as unavailable without a response in this time.
   */
  constructor(
    private readonly store: PermitStore,
    readonly now: () => number,
    private readonly storeTimeoutMs = STORE_TIMEOUT_MS,
  ) {}

  /**
   * Queues a bucket that was spent from. It is written within `INTERVAL_MS`, or at once when half a batch is used up.
   */
  note(bucket: SyncedBucket): void {
    this.dirty.add(bucket);
    if (this.isLocal || this.round || !bucket.needsSyncNow) this.schedule();
    else void this.begin();
  }

  /** Drops a bucket. Its last spendings are not written to the store. */
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
      if (!this.isLocal && bucket.needsSyncNow) return void this.begin();
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
    this.logger.warn({ msg: 'rate limits: the store is unavailable, this process counts by itself', err: error });
  }

  private leaveLocalMode(): void {
    if (!this.isLocal) return;
    this.isLocal = false;
    this.logger.log({ msg: 'rate limits: the store is back' });
  }
}
