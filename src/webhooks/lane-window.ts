/** As many as `OutboundHttp` has connections to one origin: what a lane of unknown speed starts with. */
const START = 32;
/** For an endpoint that does not answer: enough to keep its retries on their schedule, few enough to hold little. */
const LEAST = 8;
/** For an endpoint so quick that deliveries wait for a connection for milliseconds only: larger claims, fewer statements. */
const MOST = 128;
const QUICK_MS = 100;

/**
 * How many deliveries of one lane may be in flight. It grows answer by answer while the endpoint is quick, falls back to
 * the start when it is slow, and halves with every attempt that gets no answer (timeout, no connection): a dead endpoint
 * is probed gently, and won back answer by answer.
 */
export class LaneWindow {
  size = START;

  /** Any status counts as an answer, also a 500. */
  answered(durationMs: number): void {
    const bound = durationMs <= QUICK_MS ? MOST : START;
    this.size = Math.min(this.size + 1, bound);
  }

  unanswered(): void {
    this.size = Math.max(LEAST, this.size >> 1);
  }

  get isAtStart(): boolean {
    return this.size === START;
  }
}

const MAX_REMEMBERED = 10_000;

/** The windows of lanes between their runs. Bounded: the lane that ran longest ago is forgotten and starts anew. */
export class LaneWindows {
  private readonly windows = new Map<number, LaneWindow>();

  of(laneId: number): LaneWindow {
    return this.windows.get(laneId) ?? new LaneWindow();
  }

  keep(laneId: number, window: LaneWindow): void {
    this.windows.delete(laneId);
    if (window.isAtStart) return;
    this.windows.set(laneId, window);
    if (this.windows.size <= MAX_REMEMBERED) return;
    const [oldest] = this.windows.keys();
    this.windows.delete(oldest!);
  }
}
