interface Call<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<I> {
  /** Inputs per run at most. */
  maxSize: number;
  /** Runs under way at most; what comes meanwhile is gathered for the next. */
  maxRuns: number;
  /** From the start of a run that was full to that of the next at least, in ms, unless `enough` waits. Default: none. */
  spacingMs?: number;
  /** From the start of any other run, likewise, unless somebody hurries. Default: none. */
  quietSpacingMs?: number;
  /** The weight from which a run counts as full for `spacingMs`. Default: `enough`. */
  full?: number;
  /** The weight that makes a run full, and is worth one at once. Default: `maxSize`. */
  enough?: number;
  /** What an input counts for towards `enough`. Default: 1. */
  weightOf?: (input: I) => number;
  /**
   * Whether a run's error is the fault of some of its inputs and leaves nothing done: then each is run again by itself,
   * so that one of them does not fail the others.
   */
  isolates?: (error: unknown) => boolean;
}

/** How long the inputs of a run may be isolated: where most of them fail by waiting, the rest gets the first error. */
const MAX_ISOLATION_MS = 2_000;

/**
 * Gathers the calls of many callers into few runs. A run takes what is there: while one may start, a call waits for no
 * more than the end of the event loop's turn; under load a run carries all that came while the runs before it were under
 * way. Only after a full run does the next one wait for company, `spacingMs` at most; where nobody waits for the answers, it
 * may do so after any run, `quietSpacingMs` at most.
 * `run` answers one output per input, in their order; its error goes to every caller of that run, unless it `isolates`.
 */
export class Batcher<I, O> {
  private readonly waiting: Call<I, O>[] = [];
  /** Of all that wait. */
  private weight = 0;
  private runs = 0;
  private scheduled = false;
  private pause: NodeJS.Timeout | undefined;
  private lastStart = -Infinity;
  private lastWasFull = false;
  private isHurried = false;

  constructor(
    private readonly run: (inputs: I[]) => Promise<O[]>,
    private readonly options: BatcherOptions<I>,
  ) {}

  add(input: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      this.weight += this.weightOf(input);
      this.schedule();
    });
  }

  /** Somebody waits for what waits here: no more company for it, but after a full run. */
  hurry(): void {
    if (this.waiting.length === 0) return;
    this.isHurried = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.runs >= this.options.maxRuns || this.waiting.length === 0) return;
    const pauseMs = this.pauseMs();
    if (pauseMs > 0) {
      this.pause ??= setTimeout(() => {
        this.pause = undefined;
        this.schedule();
      }, pauseMs);
      return;
    }
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.start();
      this.schedule();
    });
  }

  private weightOf(input: I): number {
    return this.options.weightOf?.(input) ?? 1;
  }

  /** How long to wait for more inputs. */
  private pauseMs(): number {
    const { spacingMs = 0, quietSpacingMs = 0 } = this.options;
    const betweenMs = this.lastWasFull ? spacingMs : this.isHurried ? 0 : quietSpacingMs;
    if (betweenMs === 0 || this.weight >= this.enough) return 0;
    return Math.ceil(this.lastStart + betweenMs - performance.now());
  }

  private get enough(): number {
    return this.options.enough ?? this.options.maxSize;
  }

  private start(): void {
    const weight = this.weight;
    const calls = this.waiting.splice(0, this.options.maxSize);
    for (const { input } of calls) this.weight -= this.weightOf(input);
    this.isHurried = false;
    this.lastWasFull = weight - this.weight >= (this.options.full ?? this.enough);
    this.runs += 1;
    this.lastStart = performance.now();
    clearTimeout(this.pause);
    this.pause = undefined;
    void this.settle(calls).finally(() => {
      this.runs -= 1;
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
