export interface TokenBucketOptions {
  /** Tokens that are added per second, until the bucket is full. */
  perSecond: number;
  /** Tokens in a full bucket: the maximum burst after an idle time. */
  capacity: number;
  /** A monotonic clock, in ms. Default: `performance.now`. */
  now?: () => number;
}

/**
 * A token bucket: limits a rate, and allows a burst after an idle time.
 *
 *   full ──take──▶ filling ──take more than available─▶ in debt
 *    ▲               │ ▲                                  │
 *    └── time passes ┘ └────────── time passes ───────────┘
 *
 * - It starts full. `take` never refuses: the caller checks `available` first. A cost that is known only afterwards,
 *   such as the duration of a computation, may cause a debt. `waitMs` is the time until the debt is paid.
 * - It has neither timers nor a queue: each read computes the tokens.
 * - It belongs to one process. Limits that processes share are in `platform/rate-limit`.
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

  /** Available tokens, with fractions. A negative number is a debt. */
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

  /** Time until the debt is paid; 0 without a debt. */
  get waitMs(): number {
    return Math.max(0, -this.available * 1_000) / this.options.perSecond;
  }

  take(tokens: number): void {
    this.tokens = this.available - tokens;
  }
}
