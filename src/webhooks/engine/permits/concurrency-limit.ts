/** Of a lane that nothing is known of: each answer makes room for one more, so that it doubles with every round trip. */
const START = 2;
/** What does not answer gets this, whatever it had: enough to keep retries near their schedule, few enough to hold little. */
export const MIN = 8;
/** While the endpoint answers slowly. */
export const SLOW_MAX = 32;
/** While it answers within `FAST_MS`: larger claims, fewer statements. */
export const FAST_MAX = 256;
/** An answer within so many ms is quick. */
export const FAST_MS = 100;

/** How many attempts may be in flight: additive increase, multiplicative decrease. */
export class ConcurrencyLimit {
  constructor(
    public size = START,
    private readonly min = MIN,
  ) {}

  /** Any status counts as an answer, also a 500. */
  onAnswer(durationMs: number): void {
    this.size = Math.min(this.size + 1, durationMs <= FAST_MS ? FAST_MAX : SLOW_MAX);
  }

  /** No answer: a timeout, no connection, a reset. */
  onTimeout(): void {
    this.size = Math.max(this.min, this.size >> 1);
  }

  /** It was answered within `FAST_MS` for long enough to have more than a slow endpoint may. */
  get isFast(): boolean {
    return this.size > SLOW_MAX;
  }

  get isLeast(): boolean {
    return this.size <= this.min;
  }
}
