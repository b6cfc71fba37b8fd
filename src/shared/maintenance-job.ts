import { withTimeout } from './clock.js';

export interface JobOptions {
  name: string;
  /** To rest after each run; of a job that all workers share: from one run to the next. */
  everyMs: number | (() => number);
  /** Does what is due now, and ends soon once `stopping` is aborted. */
  run(stopping: AbortSignal): Promise<void>;
}

/** Where a job logs: a `Logger` of Nest. */
export interface JobLog {
  log(entry: object): void;
  warn(entry: object): void;
  error(entry: object): void;
}

/** A run that does not end goes on after the stop, and fails when the database is closed. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * Periodic work: never two runs at once, a failure is logged once until a run succeeds again. It is run by its own timer
 * (`start`: in this process, whatever other processes do), or by `SharedSchedule` (by one of all workers).
 */
export class MaintenanceJob {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private isFailing = false;

  constructor(
    readonly options: JobOptions,
    private readonly logger: JobLog,
  ) {}

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  start(afterMs = 0): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => void this.run().then(() => this.start(this.restMs)), afterMs);
  }

  /** Never rejects. Resolves when the run ends, which may have begun before. */
  async run(): Promise<void> {
    if (!this.stopping.signal.aborted) this.current ??= this.attempt().finally(() => (this.current = undefined));
    await this.current;
  }

  /** Begins no run any more, and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    if (!this.current) return;
    const tooLate = (): void => this.logger.warn({ msg: 'stops although a job is under way', job: this.options.name });
    await withTimeout(STOP_TIMEOUT_MS, this.current, 'timeout').catch(tooLate);
  }

  private get restMs(): number {
    const { everyMs } = this.options;
    return typeof everyMs === 'number' ? everyMs : everyMs();
  }

  private async attempt(): Promise<void> {
    const job = this.options.name;
    try {
      await this.options.run(this.stopping.signal);
      if (this.isFailing) this.logger.log({ msg: 'a job works again', job });
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.error({ msg: 'a job fails, trying on', job, err: error });
      this.isFailing = true;
    }
  }
}
