// The life of a process: loading (early-signals.ts) → starting → running → stopping. A signal while starting stops the
// process as soon as the start has settled; a second signal, or an error that nobody handled, ends it at once.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { releaseSignals } from './early-signals.js';

const GRACE_MS = 10_000;
const ABORT_MS = 1_000;
const RELEASE_MS = 5_000;
/** A terminal signals npm and us, and npm passes it on: the same signal, twice. */
const SAME_SIGNAL_MS = 100;
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof SIGNAL_NUMBERS;

/** Something that finishes what is in flight; `abort` makes an end of what does not finish. */
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
      logger.fatal({ err: error, origin }, 'ends on an error that nobody handled');
      process.exit(1);
    });
  }

  /** Runs the start; when it fails, closes what had been opened and throws its error. */
  async start(begin: () => Promise<void>): Promise<void> {
    this.started = begin();
    try {
      await this.started;
    } catch (error) {
      if (this.stoppingSince === undefined) await this.close();
      throw error;
    }
  }

  /** All work is closed together, within 10 s. */
  closeFirst(work: Work): void {
    this.work.push(work);
  }

  /** Something that the work needs until its end. */
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

  /** Whether everything closed without an error. Running out of time is none: nothing is lost, it is done again. */
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
    this.logger.warn({ graceMs: GRACE_MS }, 'stops although work is still in flight');
    for (const work of this.work) work.abort();
  }
}

/** How they settled within `ms`; when they did not, `onTimeout` is called and gets a moment to make an end. */
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
