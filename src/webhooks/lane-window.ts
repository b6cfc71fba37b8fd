export const MIN_WINDOW = 16;
export const MAX_WINDOW = 64;

/**
 * How many deliveries of one lane may be in flight. An endpoint that answers, even with a 500, is given the full window;
 * one that does not (timeout, no connection) is halved down to a few, so that a dead endpoint holds few connections,
 * and won back answer by answer.
 */
export class LaneWindow {
  size = MAX_WINDOW;

  answered(): void {
    if (this.size < MAX_WINDOW) this.size += 1;
  }

  unanswered(): void {
    this.size = Math.max(MIN_WINDOW, this.size >> 1);
  }
}

/** The windows of the lanes that are below the full one; all others need no memory. */
export class LaneWindows {
  private readonly narrowed = new Map<number, LaneWindow>();

  of(laneId: number): LaneWindow {
    return this.narrowed.get(laneId) ?? new LaneWindow();
  }

  /** Remembers a narrowed window for the lane's next run. Bounded: the lane narrowed longest ago is forgotten. */
  keep(laneId: number, window: LaneWindow): void {
    this.narrowed.delete(laneId);
    if (window.size === MAX_WINDOW) return;
    this.narrowed.set(laneId, window);
    if (this.narrowed.size <= MAX_REMEMBERED) return;
    const [oldest] = this.narrowed.keys();
    this.narrowed.delete(oldest!);
  }
}

const MAX_REMEMBERED = 10_000;
