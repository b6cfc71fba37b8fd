interface Call<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Maximum inputs per run. */
  maxSize: number;
  /** Maximum concurrent runs. */
  maxConcurrent: number;
  /** Minimum time between the starts of two runs, unless `flushAt` inputs wait. Default: 0. */
  minIntervalMs?: number;
  /** With this many waiting inputs a run starts before the interval is over. Default: `maxSize`. */
  flushAt?: number;
  /**
   * Returns whether some inputs caused the error and the run changed nothing. If so, each input is run separately, so
   * that a bad input does not fail the others.
   */
  isolates?: (error: unknown) => boolean;
}

/** Time limit for running inputs separately. If most of them time out, the remaining ones get the first error. */
const MAX_ISOLATION_MS = 2_000;

/**
 * Combines the calls of many callers into few runs, such as one statement for many rows (group commit).
 *
 *            add                 end of this event-loop iteration               run returns
 *   idle ──────────▶ scheduled ────────────────────────────────────▶ running ───────────────▶ idle
 *                     ▲      │ `maxConcurrent` runs, or `minIntervalMs`              │
 *                     │      ▼ since the last start is not over                      │
 *                     └── waiting ◀──── inputs added meanwhile ──────────────────────┘
 *
 * - If a run may start, an input waits only for the end of this event-loop iteration. Under load a run takes all inputs
 *   that were added during the previous runs.
 * - `run` returns one output per input, in the same order. If it fails, every caller of that run gets the error, unless
 *   `isolates` applies.
 * Why not dataloader: it limits neither concurrent runs nor their interval, and it caches.
 */
export class Batcher<I, O> {
  private readonly waiting: Call<I, O>[] = [];
  private running = 0;
  private isScheduled = false;
  private timer: NodeJS.Timeout | undefined;
  /** Ends the wait of inputs that may wait. */
  private companyTimer: NodeJS.Timeout | undefined;
  private startedAt = -Infinity;

  constructor(
    private readonly run: (inputs: I[]) => Promise<O[]>,
    private readonly options: BatcherOptions,
  ) {}

  /** `mayWait`: starts no run for `minIntervalMs`, but joins one that starts for another input. */
  add(input: I, mayWait = false): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (!mayWait) this.schedule();
      else this.companyTimer ??= setTimeout(() => this.schedule(), this.options.minIntervalMs ?? 0);
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.running >= this.options.maxConcurrent || this.waiting.length === 0) return;
    const waitMs = this.waitMs();
    if (waitMs > 0) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.schedule();
      }, waitMs);
      return;
    }
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.start();
      this.schedule();
    });
  }

  private waitMs(): number {
    const { minIntervalMs = 0, flushAt = this.options.maxSize } = this.options;
    if (this.waiting.length >= flushAt) return 0;
    return Math.ceil(this.startedAt + minIntervalMs - performance.now());
  }

  private start(): void {
    const calls = this.waiting.splice(0, this.options.maxSize);
    this.running += 1;
    this.startedAt = performance.now();
    clearTimeout(this.timer);
    clearTimeout(this.companyTimer);
    this.timer = this.companyTimer = undefined;
    void this.runCalls(calls).finally(() => {
      this.running -= 1;
      this.schedule();
    });
  }

  private async runCalls(calls: Call<I, O>[]): Promise<void> {
    try {
      const outputs = await this.run(calls.map((call) => call.input));
      calls.forEach((call, index) => call.resolve(outputs[index]!));
    } catch (error) {
      if (calls.length > 1 && this.options.isolates?.(error)) await this.isolate(calls, error);
      else for (const call of calls) call.reject(error);
    }
  }

  private async isolate(calls: Call<I, O>[], error: unknown): Promise<void> {
    const until = performance.now() + MAX_ISOLATION_MS;
    for (const call of calls) {
      if (performance.now() < until) await this.runCalls([call]);
      else call.reject(error);
    }
  }
}
