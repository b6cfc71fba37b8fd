/** Something that ends, by itself or at its deadline. */
export interface Expirable {
  /** Kept by the wheel. */
  deadlineTick: number;
  /** Called once, at the deadline or up to a tick (and what the event loop is late) after it. */
  expire(): void;
}

const TICK_MS = 25;

/**
 * Deadlines by the thousand on one timer: an AbortSignal or a timer per request costs more CPU than the request.
 * The timer runs, and holds the process, only while something waits.
 */
export class DeadlineWheel<Item extends Expirable> {
  private readonly ticks = new Map<number, Set<Item>>();
  private timer: NodeJS.Timeout | undefined;
  private size = 0;

  add(item: Item, afterMs: number): void {
    item.deadlineTick = Math.ceil((performance.now() + afterMs) / TICK_MS);
    const due = this.ticks.get(item.deadlineTick);
    if (due === undefined) this.ticks.set(item.deadlineTick, new Set([item]));
    else due.add(item);
    this.size += 1;
    // Swept after the poll phase: when the event loop was late, answers that are already here are read before they are late.
    this.timer ??= setInterval(() => setImmediate(() => this.sweep()), TICK_MS);
  }

  remove(item: Item): void {
    if (this.ticks.get(item.deadlineTick)?.delete(item)) this.size -= 1;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const due of this.ticks.values()) yield* due;
  }

  private sweep(): void {
    const now = Math.floor(performance.now() / TICK_MS);
    for (const [tick, due] of this.ticks) {
      if (tick > now) continue;
      this.ticks.delete(tick);
      this.size -= due.size;
      for (const item of due) item.expire();
    }
    if (this.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.ticks.clear();
  }
}
