interface Call<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Inputs per run at most. */
  maxSize: number;
  /** Runs under way at most; what comes meanwhile is gathered for the next. */
  maxRuns: number;
}

/**
 * Gathers the calls of many callers into few runs. With nobody waiting a call runs at the end of the event loop's turn,
 * so an idle system pays no delay; under load a run carries all that came while the runs before it were under way.
 * `run` answers one output per input, in their order; its error goes to every caller of that run.
 */
export class Batcher<I, O> {
  private readonly waiting: Call<I, O>[] = [];
  private runs = 0;
  private scheduled = false;

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
    if (this.scheduled || this.runs >= this.options.maxRuns || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.start();
      this.schedule();
    });
  }

  private start(): void {
    const calls = this.waiting.splice(0, this.options.maxSize);
    this.runs += 1;
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
      for (const call of calls) call.reject(error);
    }
  }
}
