/** Limit of an untried lane. Each answer adds one, so the limit doubles with every round trip. */
const INITIAL = 2;
/** Limit of an unresponsive endpoint: it occupies few slots, and its retries stay close to their schedule. */
export const MIN_LIMIT = 8;
/** Limit while the endpoint answers slowly. */
export const SLOW_MAX = 32;
/** Limit while the endpoint answers within `FAST_MS`. Larger claims need fewer statements. */
export const FAST_MAX = 256;
/** Maximum duration of a fast answer. */
export const FAST_MS = 100;

/**
 * Limit of attempts in flight, with additive increase and multiplicative decrease.
 * Why not a library: docs/internals/delivery.md promises the two maxima and the minimum, and they take four lines.
 */
export class ConcurrencyLimit {
  constructor(
    public size = INITIAL,
    private readonly min = MIN_LIMIT,
  ) {}

  /** Raises the limit. Any status is an answer, even a 500. */
  onAnswer(durationMs: number): void {
    this.size = Math.min(this.size + 1, durationMs <= FAST_MS ? FAST_MAX : SLOW_MAX);
  }

  /** Lowers the limit after an attempt without an answer: a time-out, no connection, a reset. */
  onTimeout(): void {
    this.size = Math.max(this.min, this.size >> 1);
  }

  get isLeast(): boolean {
    return this.size <= this.min;
  }
}
