/**
 * What a lane of unknown speed starts with, and what one that does not answer falls back to: enough to keep its retries on
 * their schedule, few enough to hold little; and a process that starts into a backlog opens its connections gradually.
 */
export const LEAST_WINDOW = 8;
/** For an endpoint that answers slowly: as many as `OutboundHttp` has connections to one origin. */
const ENOUGH = 32;
/** For one so quick that a delivery waits for a connection for milliseconds only: larger claims, fewer statements. */
const MOST = 256;
const QUICK_MS = 100;

/**
 * How many deliveries of one lane may be in flight. It grows answer by answer, further while the endpoint is quick, and
 * halves with every attempt that gets no answer (timeout, no connection): a dead endpoint is probed gently, and won back
 * answer by answer.
 */
export class LaneWindow {
  size = LEAST_WINDOW;

  /** Any status counts as an answer, also a 500. */
  answered(durationMs: number): void {
    const most = durationMs <= QUICK_MS ? MOST : ENOUGH;
    this.size = Math.min(this.size + 1, most);
  }

  unanswered(): void {
    this.size = Math.max(LEAST_WINDOW, this.size >> 1);
  }

  get isLeast(): boolean {
    return this.size === LEAST_WINDOW;
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
    if (window.isLeast) return;
    this.windows.set(laneId, window);
    if (this.windows.size <= MAX_REMEMBERED) return;
    const [oldest] = this.windows.keys();
    this.windows.delete(oldest!);
  }
}
