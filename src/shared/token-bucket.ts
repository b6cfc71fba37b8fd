export interface TokenBucketOptions {
  /** Tokens per second that are added, until the bucket is full. */
  perSecond: number;
  /** Tokens in a full bucket: a burst after a quiet time takes no more. */
  capacity: number;
  /** A monotonic clock, in ms. Default: `performance.now`. */
  now?: () => number;
}

/**
 * A token bucket: bounds a rate, and lets a burst through after a quiet time.
 *
 *   full ──take──▶ filling ──take more than there is──▶ in debt
 *    ▲               │ ▲                                  │
 *    └── time passes ┘ └────────── time passes ───────────┘
 *
 * - It starts full. `take` never refuses: the caller asks for `available` first. A cost that is known only afterwards,
 *   such as the time of a computation, may leave a debt, and `waitMs` is the time until the debt is gone.
 * - It has neither timers nor a queue: tokens are counted when the bucket is asked.
 * - It is the bucket of one process. Limits that processes share are in `platform/rate-limit`.
 * Why not limiter or rate-limiter-flexible: neither allows a debt, and both read a clock that tests cannot set.
 */
export class TokenBucket {
  private tokens: number;
  private countedAt: number;
  private readonly now: () => number;

  constructor(private readonly options: TokenBucketOptions) {
    this.now = options.now ?? (() => performance.now());
    this.tokens = options.capacity;
    this.countedAt = this.now();
  }

  /** Tokens now, with fractions; negative: a debt. */
  get available(): number {
    const now = this.now();
    const added = ((now - this.countedAt) * this.options.perSecond) / 1_000;
    this.tokens = Math.min(this.options.capacity, this.tokens + added);
    this.countedAt = now;
    return this.tokens;
  }

  get isFull(): boolean {
    return this.available >= this.options.capacity;
  }

  /** Time until there is no debt; 0 without one. */
  get waitMs(): number {
    return Math.max(0, -this.available * 1_000) / this.options.perSecond;
  }

  take(tokens: number): void {
    this.tokens = this.available - tokens;
  }
}
