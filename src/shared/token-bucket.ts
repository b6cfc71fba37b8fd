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

/** Time whose calls may begin together. Asking for each would cost more than the calls. */
const BURST_S = 1 / 10;

/**
 * The calls that a maximum rate allows now, in this process, in bursts. Without a maximum: all. The rate may
 * change; what was sent before counts for the new rate too.
 */
export class BurstRate {
  private perSecond = Infinity;
  private bucket: TokenBucket | undefined;

  /** `perSecond`: with fractions; `Infinity`: no maximum. */
  setRate(perSecond: number): void {
    if (perSecond === this.perSecond) return;
    const left = this.bucket?.available ?? Infinity;
    const capacity = capacityOf(perSecond);
    this.perSecond = perSecond;
    this.bucket = perSecond === Infinity ? undefined : new TokenBucket({ perSecond, capacity });
    this.bucket?.take(Math.max(0, capacity - left));
  }

  /** Calls that may begin now. 0 until half a burst has collected, so that asking is worth its price. */
  get available(): number {
    const { bucket } = this;
    if (bucket === undefined) return Infinity;
    return bucket.available < this.threshold ? 0 : Math.floor(bucket.available);
  }

  /** Time in ms until calls may begin again. 0: now. */
  get waitMs(): number {
    if (this.bucket === undefined) return 0;
    return Math.max(0, Math.ceil(((this.threshold - this.bucket.available) * 1_000) / this.perSecond));
  }

  /** Negative: reserved calls that did not begin. */
  take(calls: number): void {
    this.bucket?.take(calls);
  }

  private get threshold(): number {
    return Math.max(1, capacityOf(this.perSecond) / 2);
  }
}

const capacityOf = (perSecond: number): number => Math.max(1, perSecond * BURST_S);
