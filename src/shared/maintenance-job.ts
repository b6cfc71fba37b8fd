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
 * Periodic work that one process does by its own timer (`start`), or that `SharedSchedule` runs on an elected worker.
 *
 *          start        timer, or `run`          run ends: `everyMs` from here
 *   new ─────────▶ resting ─────────▶ running ─────────────────────────────────▶ resting
 *                     │ stop             │ stop: `stopping` is aborted, and the run is waited for, 2 s at most
 *                     ▼                  ▼
 *                  stopped ◀──────── stopped
 *
 * - Two runs never overlap. A call of `run` while one is under way waits for that one.
 * - A failure is logged once, and then that the job works again: an outage of an hour makes two lines.
 * Why not @nestjs/schedule: its intervals overlap, do not wait at shutdown and log each failure.
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
