/** The limit of a lane that was never tried. Each answer adds one, so it doubles with every round trip. */
const INITIAL = 2;
/** The limit of an endpoint that does not answer: its retries keep near their schedule, and it holds little. */
export const MIN_LIMIT = 8;
/** The limit while the endpoint answers slowly. */
export const SLOW_MAX = 32;
/** The limit while the endpoint answers within `FAST_MS`: larger claims, fewer statements. */
export const FAST_MAX = 256;
/** An answer within so many ms is fast. */
export const FAST_MS = 100;

/**
 * How many attempts may be in flight: additive increase, multiplicative decrease.
 * Why not a library: the two maxima and the minimum are promises of this service (docs/internals/delivery.md), and are four lines.
 */
export class ConcurrencyLimit {
  constructor(
    public size = INITIAL,
    private readonly min = MIN_LIMIT,
  ) {}

  /** Any status is an answer, also a 500. */
  onAnswer(durationMs: number): void {
    this.size = Math.min(this.size + 1, durationMs <= FAST_MS ? FAST_MAX : SLOW_MAX);
  }

  /** No answer: a time-out, no connection, a reset. */
  onTimeout(): void {
    this.size = Math.max(this.min, this.size >> 1);
  }

  get isLeast(): boolean {
    return this.size <= this.min;
  }
}
