import { withTimeout } from './clock.js';

export interface JobOptions {
  name: string;
  /** Pause after each run. For a job that all workers share: the time between the starts of two runs. */
  everyMs: number | (() => number);
  /** Does the work that is due now. Must end soon after `stopping` is aborted. */
  run(stopping: AbortSignal): Promise<void>;
}

/** The log of a job: a Nest `Logger`. */
export interface JobLog {
  log(entry: object): void;
  warn(entry: object): void;
  error(entry: object): void;
}

/** How long `stop` waits for a run. A longer run continues, and fails when the database is closed. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * A periodic job. Either one process runs it by its own timer (`start`), or `SharedSchedule` runs it on an elected worker.
 *
 *          start        timer, or `run`          run ends: `everyMs` from here
 *   new ─────────▶ waiting ─────────▶ running ─────────────────────────────────▶ waiting
 *                     │ stop             │ stop: aborts `stopping` and waits for the run, 2 s at most
 *                     ▼                  ▼
 *                  stopped ◀──────── stopped
 *
 * - Two runs never overlap. A call of `run` during a run waits for that run.
 * - The first failure is logged, and then the first success: an outage of an hour makes two lines.
 * Why not @nestjs/schedule: its intervals overlap, do not wait at shutdown and log every failure.
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
    this.timer = setTimeout(() => void this.run().then(() => this.start(this.pauseMs)), afterMs);
  }

  /** Runs the job, or waits for the run that has already begun. Never rejects. */
  async run(): Promise<void> {
    if (!this.stopping.signal.aborted) this.current ??= this.attempt().finally(() => (this.current = undefined));
    await this.current;
  }

  /** Starts no further run, and waits for the current one. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    if (!this.current) return;
    const tooLate = (): void => this.logger.warn({ msg: 'stopped while a job is running', job: this.options.name });
    await withTimeout(STOP_TIMEOUT_MS, this.current, 'timeout').catch(tooLate);
  }

  private get pauseMs(): number {
    const { everyMs } = this.options;
    return typeof everyMs === 'number' ? everyMs : everyMs();
  }

  private async attempt(): Promise<void> {
    const job = this.options.name;
    try {
      await this.options.run(this.stopping.signal);
      if (this.isFailing) this.logger.log({ msg: 'job works again', job });
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.error({ msg: 'job failed, retrying', job, err: error });
      this.isFailing = true;
    }
  }
}
