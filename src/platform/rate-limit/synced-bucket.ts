// The bucket of one key as this process sees it. Invariants: `fullAt` never promises more permits than the store's last
// value minus all that this process has spent since. The permits that this process has allowed and not yet written
// (part of `pendingMs`) are at most a batch.

/** Why not `shared/token-bucket.ts`: this bucket is reconciled with a store that other processes also spend from. */
export class SyncedBucket {
  /** Time when the bucket is full, by this process's clock; a time in the past: it is full. */
  private fullAt = 0;
  /** Permits spent minus permits given back that are not yet being written to the store. */
  private unsyncedMs = 0;
  /** Permits spent that are not yet being written; permits given back do not count. */
  private unsentMs = 0;
  /** Permits in the current write. */
  private sentMs = 0;
  /** The last write may have failed: the next one sends everything that the bucket still lacks. */
  private isLost = false;
  private waiting: (() => void)[] = [];
  private waitingForAnswer: (() => void)[] = [];

  constructor(
    readonly key: string,
    readonly batchMs: number,
  ) {}

  /** Time until the bucket is full. */
  drainMs(now: number): number {
    return this.fullAt > now ? this.fullAt - now : 0;
  }

  /** Permits spent since the store's last response. */
  get pendingMs(): number {
    return this.unsentMs + this.sentMs;
  }

  /** Whether the bucket should be written at once. */
  get needsSyncNow(): boolean {
    return this.waiting.length > 0 || Math.abs(this.unsyncedMs) * 2 >= this.batchMs;
  }

  /** `ms` is negative for permits given back. */
  spend(ms: number, now: number): void {
    this.fullAt = (this.fullAt > now ? this.fullAt : now) + ms;
    this.unsyncedMs += ms;
    if (ms > 0) this.unsentMs += ms;
  }

  /** Resolves when everything spent so far has been written, or the write has failed. */
  synced(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Returns the spending to write to the store. Call `sync` or `lose` afterwards. */
  send(now: number): number {
    const spending = this.isLost ? this.drainMs(now) : this.unsyncedMs;
    this.sentMs = this.unsentMs;
    this.unsyncedMs = this.unsentMs = 0;
    this.waitingForAnswer = this.waiting;
    this.waiting = [];
    return spending;
  }

  /**
   * `storedMs`: time until the bucket is full, from the store. It counts from now on, which errs on the strict side.
   */
  sync(storedMs: number, now: number): void {
    this.fullAt = now + storedMs + this.unsyncedMs;
    this.isLost = false;
    this.endRound();
  }

  lose(): void {
    this.isLost = true;
    this.unsyncedMs = this.unsentMs = 0;
    this.endRound();
  }

  /** Lets all waiting callers continue. */
  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private endRound(): void {
    this.sentMs = 0;
    for (const resolve of this.waitingForAnswer.splice(0)) resolve();
  }
}
