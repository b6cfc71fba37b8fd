/**
 * Runs `work` again and again, never twice at once. `work` answers how many ms to rest before the next time, and takes
 * care of its own errors.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private run: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly work: () => Promise<number>) {}

  /** The first time is after `afterMs`. */
  start(afterMs = 0): void {
    this.schedule(afterMs);
  }

  /** Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.run;
  }

  private schedule(restMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.run = this.work().then((nextRestMs) => this.schedule(nextRestMs));
    }, restMs);
  }
}
