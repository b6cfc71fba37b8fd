// One key's bucket as this process sees it. Invariants: `fullAt` promises no more permits than the store had when it last
// answered, less all that this process has spent since; what this process has let through without the store's knowledge
// (part of `pendingMs`) is at most a batch.

export class SharedBucket {
  /** When the bucket is full again, by this process's clock; anything in the past: it is full. */
  private fullAt = 0;
  /** Spent, less given back, and not yet on its way to the store. */
  private unsyncedMs = 0;
  /** Spent, and not yet on its way; what is given back does not count. */
  private unsentMs = 0;
  /** Spent and on its way. */
  private sentMs = 0;
  /** The store may not know of what it was sent last: it is told all that is owed instead. */
  private isLost = false;
  private waiting: (() => void)[] = [];
  private waitingForAnswer: (() => void)[] = [];

  constructor(
    readonly key: string,
    readonly batchMs: number,
  ) {}

  /** Time until it is full again. */
  drainMs(now: number): number {
    return this.fullAt > now ? this.fullAt - now : 0;
  }

  /** What has been spent since the store's last answer was made. */
  get pendingMs(): number {
    return this.unsentMs + this.sentMs;
  }

  /** Whether the store should hear of it at once. */
  get isUrgent(): boolean {
    return this.waiting.length > 0 || Math.abs(this.unsyncedMs) * 2 >= this.batchMs;
  }

  /** `ms` may be negative: permits given back. */
  spend(ms: number, now: number): void {
    this.fullAt = (this.fullAt > now ? this.fullAt : now) + ms;
    this.unsyncedMs += ms;
    if (ms > 0) this.unsentMs += ms;
  }

  /** Resolves when the store has answered to all that is spent by now, or has failed to. */
  synced(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Spending to write to the store; to be followed by `sync` or `lose`. */
  send(now: number): number {
    const owed = this.isLost ? this.drainMs(now) : this.unsyncedMs;
    this.sentMs = this.unsentMs;
    this.unsyncedMs = this.unsentMs = 0;
    this.waitingForAnswer = this.waiting;
    this.waiting = [];
    return owed;
  }

  /** `storedMs`: until the bucket is full, as the store said. Taken as if it had said so just now: that errs on the strict side. */
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

  /** No caller waits for the store any longer. */
  release(): void {
    for (const go of this.waiting.splice(0)) go();
  }

  private endRound(): void {
    this.sentMs = 0;
    for (const go of this.waitingForAnswer.splice(0)) go();
  }
}
