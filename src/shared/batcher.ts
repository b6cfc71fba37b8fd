interface Call<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Inputs per run at most. */
  maxSize: number;
  /** Runs at once at most. */
  maxConcurrent: number;
  /** From the start of a run to the start of the next at least, unless `flushAt` inputs wait. Default: 0. */
  minIntervalMs?: number;
  /** So many inputs do not wait for the interval. Default: `maxSize`. */
  flushAt?: number;
  /**
   * Whether an error is the fault of some inputs and nothing was done. Then each input is run by itself, so that one of
   * them does not fail the others.
   */
  isolates?: (error: unknown) => boolean;
}

/** Inputs are isolated for so long: where most of them fail by waiting, the rest gets the first error. */
const MAX_ISOLATION_MS = 2_000;

/**
 * Gathers the calls of many callers into few runs, such as one statement for many rows (group commit).
 *
 *            add                 end of this turn of the event loop             run answers
 *   idle ──────────▶ scheduled ────────────────────────────────────▶ running ───────────────▶ idle
 *                     ▲      │ `maxConcurrent` runs, or `minIntervalMs`              │
 *                     │      ▼ since the last start is not over                      │
 *                     └── waiting ◀──── inputs that came meanwhile ──────────────────┘
 *
 * - While a run may start, an input waits for the end of this turn only. Under load a run carries all inputs that came
 *   while the runs before it were under way.
 * - `run` answers one output per input, in their order. Its error goes to every caller of that run, unless it `isolates`.
 * Why not dataloader: it has neither a bound of concurrent runs nor an interval, and it caches.
 */
export class Batcher<I, O> {
  private readonly waiting: Call<I, O>[] = [];
  private running = 0;
  private isScheduled = false;
  private timer: NodeJS.Timeout | undefined;
  private startedAt = -Infinity;

  constructor(
    private readonly run: (inputs: I[]) => Promise<O[]>,
    private readonly options: BatcherOptions,
  ) {}

  add(input: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      this.schedule();
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
    this.timer = undefined;
    void this.settle(calls).finally(() => {
      this.running -= 1;
      this.schedule();
    });
  }

  private async settle(calls: Call<I, O>[]): Promise<void> {
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
      if (performance.now() < until) await this.settle([call]);
      else call.reject(error);
    }
  }
}
