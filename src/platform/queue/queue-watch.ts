import type { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { withTimeout } from '../../shared/clock.js';

const PROBE_TIMEOUT_MS = 1_000;
const PROBE_INTERVAL_MS = 500;
/** Repeated errors of a queue that responds, such as refused writes, are logged at this interval. */
const LOG_INTERVAL_MS = 10_000;
/**
 * A refusal by Redis, by its code, the first word: memory or disk are full, or too few replicas are connected. Redis 6
 * puts the code behind the name of the script.
 */
const REFUSAL = /(?:^|: -)(?:OOM|MISCONF|NOREPLICAS) /;
/** A refusal counts for this time unless a job is accepted meanwhile: an idle worker writes every 30 s. */
const REFUSED_MS = 60_000;

/**
 * Listens to the errors of a queue and its workers, which without a listener would end the process. A lost queue is
 * logged once when an error or a check finds it, and once when it is back, so that log, readiness and metrics agree.
 * BullMQ and its drivers reconnect by themselves. A queue that responds but refuses writes is not up either: callers
 * that add a job report the result here.
 *
 * Why not BullMQ's own events: a lost connection causes dozens of errors, and no event says that the queue is back.
 */
export class QueueWatch {
  private readonly logger = new Logger('Queue');
  private timer: NodeJS.Timeout | undefined;
  private investigating = false;
  private lost = false;
  private closed = false;
  private loggedAt = -Infinity;
  private unlogged = 0;
  private refusedAt = -Infinity;

  constructor(private readonly queue: Queue) {
    this.listenTo(queue);
  }

  /** `source`: the queue, or one of its workers. */
  listenTo(source: EventEmitter): void {
    source.on('error', (error: Error) => {
      this.failed(error);
      void this.investigate(error);
    });
    source.on('active', () => this.succeeded());
  }

  /** Reports that a job was added or taken. */
  succeeded(): void {
    this.refusedAt = -Infinity;
  }

  /** Reports that a job could not be added or taken. */
  failed({ message }: Error): void {
    if (REFUSAL.test(message)) this.refusedAt = performance.now();
  }

  /** Resolves when the queue's backend responds, rejects when it does not within `timeoutMs`. */
  async ping(timeoutMs = PROBE_TIMEOUT_MS): Promise<void> {
    await withTimeout(timeoutMs, this.queue.isPaused(), `the queue does not respond within ${timeoutMs} ms`);
  }

  /**
   * Whether the queue responds and accepts jobs. Never rejects. A lost queue is up again when its return has been
   * logged.
   */
  async isUp(): Promise<boolean> {
    if (this.lost) return false;
    const error = await this.failure();
    if (error) this.lose(error);
    return !this.lost && performance.now() - this.refusedAt > REFUSED_MS;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** One check at a time: a lost connection causes dozens of errors. */
  private async investigate(error: Error): Promise<void> {
    if (this.investigating || this.lost || this.closed) return;
    this.investigating = true;
    if (await this.failure()) this.lose(error);
    else if (!this.closed) this.logError(error);
    this.investigating = false;
  }

  private logError(error: Error): void {
    if (performance.now() - this.loggedAt < LOG_INTERVAL_MS) return void (this.unlogged += 1);
    const more = this.unlogged > 0 && { unlogged: this.unlogged };
    this.logger.warn({ msg: 'queue error', queue: this.queue.name, ...more, err: error });
    this.loggedAt = performance.now();
    this.unlogged = 0;
  }

  private lose(error: Error): void {
    if (this.lost || this.closed) return;
    this.lost = true;
    this.logger.error({ msg: 'queue lost, waiting for it', queue: this.queue.name, err: error });
    this.awaitReturn();
  }

  private awaitReturn(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      void this.failure().then((error) => {
        if (error) return this.awaitReturn();
        this.lost = false;
        this.logger.log({ msg: 'queue is back', queue: this.queue.name });
      });
    }, PROBE_INTERVAL_MS);
    this.timer.unref();
  }

  private failure(): Promise<Error | undefined> {
    return this.ping().then(
      () => undefined,
      (error: Error) => error,
    );
  }
}
