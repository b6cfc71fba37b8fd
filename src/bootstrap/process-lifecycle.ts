// The life of a process: loading (early-signals.ts) → starting → running → stopping. A signal during the start stops
// the process when the start has finished or failed. A second signal, or an unhandled error, ends it at once.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { releaseSignals } from './early-signals.js';

const GRACE_MS = 10_000;
const ABORT_MS = 1_000;
const RELEASE_MS = 5_000;
/** A terminal signals npm and this process, and npm passes the signal on: the same signal arrives twice. */
const SAME_SIGNAL_MS = 100;
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof SIGNAL_NUMBERS;

/** A part of the process that finishes its work in flight; `abort` ends what does not finish. */
export interface Work {
  close(): Promise<unknown>;
  abort(): void;
}

type Close = () => Promise<unknown>;

export class ProcessLifecycle {
  private readonly work: Work[] = [];
  private readonly resources: Close[] = [];
  private started: Promise<unknown> = Promise.resolve();
  private stoppingSince: number | undefined;

  constructor(private readonly logger: Logger) {
    for (const signal of Object.keys(SIGNAL_NUMBERS) as StopSignal[]) process.on(signal, () => this.onSignal(signal));
    releaseSignals();
    process.on('uncaughtException', (error, origin) => {
      logger.fatal({ err: error, origin }, 'ends because of an unhandled error');
      process.exit(1);
    });
  }

  /** Runs the start. When it fails, closes everything that was opened, and throws its error. */
  async start(begin: () => Promise<void>): Promise<void> {
    this.started = begin();
    try {
      await this.started;
    } catch (error) {
      if (this.stoppingSince === undefined) await this.close();
      throw error;
    }
  }

  /** Adds work that is closed first; all work is closed concurrently, within 10 s. */
  closeFirst(work: Work): void {
    this.work.push(work);
  }

  /** Adds a resource that the work needs until its end. */
  closeLast(close: Close): void {
    this.resources.push(close);
  }

  private onSignal(signal: StopSignal): void {
    if (this.stoppingSince === undefined) {
      this.stoppingSince = Date.now();
      void this.stop(signal);
    } else if (Date.now() - this.stoppingSince > SAME_SIGNAL_MS) {
      process.exit(128 + SIGNAL_NUMBERS[signal]);
    }
  }

  private async stop(signal: StopSignal): Promise<void> {
    this.logger.info({ signal }, 'stopping');
    await Promise.race([this.started.catch(() => undefined), delay(GRACE_MS)]);
    const clean = await this.close();
    this.logger.info('stopped');
    process.exit(clean ? 0 : 1);
  }

  /**
   * Closes everything; returns whether there was no error. A time-out is not an error: nothing is lost, the work is
   * done again later.
   */
  private async close(): Promise<boolean> {
    const finished = await within(
      GRACE_MS,
      this.work.map((work) => work.close()),
      () => this.abort(),
    );
    const released = await within(
      RELEASE_MS,
      this.resources.map((close) => close()),
    );
    const failures = [...finished, ...released].filter((result) => result.status === 'rejected');
    for (const { reason } of failures) this.logger.error({ err: reason as unknown }, 'could not close');
    return failures.length === 0;
  }

  private abort(): void {
    this.logger.warn({ graceMs: GRACE_MS }, 'stops while work is still in flight');
    for (const work of this.work) work.abort();
  }
}

/** The results of `promises` within `ms`. After that `onTimeout` is called, and the promises get a moment to end. */
async function within(
  ms: number,
  promises: Promise<unknown>[],
  onTimeout?: () => void,
): Promise<PromiseSettledResult<unknown>[]> {
  const settled = Promise.allSettled(promises);
  const inTime = await Promise.race([settled, delay(ms)]);
  if (inTime || !onTimeout) return inTime ?? [];
  onTimeout();
  return (await Promise.race([settled, delay(ABORT_MS)])) ?? [];
}
