/** The part of the callbacks that wait which runs in one turn, if that is more than `perTurn`. */
const SHARE = 1 / 100;

/**
 * Runs callbacks in their order, a few in each turn of the event loop: answers that arrive, and other timers, come in
 * between. With a thousand callbacks a turn runs ten, so all have run after some 300 turns.
 * Why not p-limit or p-queue: they bound how many run at once, and not how much of a turn they take.
 */
export class Pacer {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  constructor(private readonly perTurn: number) {}

  /** `callback` must not throw. It never runs before this turn is over. */
  run(callback: () => void): void {
    this.waiting.push(callback);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const count = Math.max(this.perTurn, Math.ceil(this.waiting.length * SHARE));
      for (const callback of this.waiting.splice(0, count)) callback();
      this.schedule();
    });
  }
}
