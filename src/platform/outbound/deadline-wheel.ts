/** Something that ends, by itself or at its deadline. */
export interface Expirable {
  /** Kept by the wheel. */
  deadlineTick: number;
  /** Called once, at the deadline or up to a tick (and what the event loop is late) after it. */
  expire(): void;
}

const TICK_MS = 25;
/** A sweep that comes later than this finds a process that was held up. */
const STALL_MS = 250;

/**
 * Deadlines by the thousand on one timer: an AbortSignal or a timer per request costs more CPU than the request.
 * The timer runs, and holds the process, only while something waits.
 */
export class DeadlineWheel<Item extends Expirable> {
  private readonly ticks = new Map<number, Set<Item>>();
  private timer: NodeJS.Timeout | undefined;
  private size = 0;
  private sweptMs = 0;
  /** Whether the last sweep let everything live: two in a row do not. */
  private spared = false;

  add(item: Item, afterMs: number): void {
    item.deadlineTick = Math.ceil((performance.now() + afterMs) / TICK_MS);
    const due = this.ticks.get(item.deadlineTick);
    if (due === undefined) this.ticks.set(item.deadlineTick, new Set([item]));
    else due.add(item);
    this.size += 1;
    if (this.timer === undefined) this.start();
  }

  remove(item: Item): void {
    if (this.ticks.get(item.deadlineTick)?.delete(item)) this.size -= 1;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const due of this.ticks.values()) yield* due;
  }

  // Swept after the poll phase, so that answers that are already here are read before they are late.
  private start(): void {
    this.sweptMs = performance.now();
    this.timer = setInterval(() => setImmediate(() => this.sweep()), TICK_MS);
  }

  private sweep(): void {
    const nowMs = performance.now();
    // After a stall of ours receivers get a tick, in which what they sent meanwhile is read; it is not their fault.
    const stalled = nowMs - this.sweptMs > STALL_MS && !this.spared;
    this.spared = stalled;
    this.sweptMs = nowMs;
    if (!stalled) this.expireUntil(Math.floor(nowMs / TICK_MS));
    if (this.size === 0) this.stop();
  }

  private expireUntil(now: number): void {
    for (const [tick, due] of this.ticks) {
      if (tick > now) continue;
      this.ticks.delete(tick);
      this.size -= due.size;
      for (const item of due) item.expire();
    }
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.ticks.clear();
  }
}
