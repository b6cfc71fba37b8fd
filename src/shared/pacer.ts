/** Part of the waiting callbacks that runs in one event-loop iteration, if that is more than `perIteration`. */
const SHARE = 1 / 100;

/**
 * Runs callbacks in their order, a few per event-loop iteration, so that responses and timers are handled in between.
 * With 1,000 callbacks an iteration runs ten, so all have run after about 300 iterations.
 * Why not p-limit or p-queue: they limit how many run concurrently, not how much of an iteration they take.
 */
export class Pacer {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  constructor(private readonly perIteration: number) {}

  /** `callback` must not throw. It never runs in the current iteration. */
  run(callback: () => void): void {
    this.waiting.push(callback);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const count = Math.max(this.perIteration, Math.ceil(this.waiting.length * SHARE));
      for (const callback of this.waiting.splice(0, count)) callback();
      this.schedule();
    });
  }
}
