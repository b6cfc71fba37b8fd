import type { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { withTimeout } from '../../shared/clock.js';

const PROBE_TIMEOUT_MS = 1_000;
const PROBE_INTERVAL_MS = 500;
/** What a queue that answers goes on to refuse, such as writes, is told of this often. */
const TOLD_EVERY_MS = 10_000;
/** By its code, the first word: memory or disk are full, or too few replicas are there. Redis 6 has it behind what ran the script. */
const REFUSAL = /(?:^|: -)(?:OOM|MISCONF|NOREPLICAS) /;
/** A refusal counts for so long unless something is taken meanwhile: an idle worker writes every 30 s. */
const REFUSED_MS = 60_000;

/**
 * Listens to the errors of a queue and its workers, which without a listener would end the process. A queue that is lost
 * is logged once when that is noticed, by an error or by who asks, and once when it is back: log, readiness and metrics
 * say the same. BullMQ and its drivers reconnect by themselves.
 * One that answers and refuses writes is not up either; whoever adds a job tells how that went.
 * Why not BullMQ's own events: a lost connection makes dozens of errors and none says that the queue is back.
 */
export class QueueWatch {
  private readonly logger = new Logger('Queue');
  private timer: NodeJS.Timeout | undefined;
  private investigating = false;
  private lost = false;
  private closed = false;
  private toldAt = -Infinity;
  private untold = 0;
  private refusedAt = -Infinity;

  constructor(private readonly queue: Queue) {
    this.listenTo(queue);
  }

  /** Of the queue or of one of its workers. */
  listenTo(source: EventEmitter): void {
    source.on('error', (error: Error) => {
      this.failed(error);
      void this.investigate(error);
    });
    source.on('active', () => this.succeeded());
  }

  /** A job was added or taken. */
  succeeded(): void {
    this.refusedAt = -Infinity;
  }

  /** No job was added or taken. */
  failed({ message }: Error): void {
    if (REFUSAL.test(message)) this.refusedAt = performance.now();
  }

  /** Resolves when the queue's backend answers, rejects when it does not do so within `timeoutMs`. */
  async ping(timeoutMs = PROBE_TIMEOUT_MS): Promise<void> {
    await withTimeout(timeoutMs, this.queue.isPaused(), `the queue does not answer within ${timeoutMs} ms`);
  }

  /** Whether the queue answers and takes jobs. Never rejects; one that is lost is up again when that is logged. */
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

  /** One investigation at a time: a lost connection makes dozens of errors. */
  private async investigate(error: Error): Promise<void> {
    if (this.investigating || this.lost || this.closed) return;
    this.investigating = true;
    if (await this.failure()) this.lose(error);
    else if (!this.closed) this.tell(error);
    this.investigating = false;
  }

  private tell(error: Error): void {
    if (performance.now() - this.toldAt < TOLD_EVERY_MS) return void (this.untold += 1);
    const more = this.untold > 0 && { untold: this.untold };
    this.logger.warn({ msg: 'queue error', queue: this.queue.name, ...more, err: error });
    this.toldAt = performance.now();
    this.untold = 0;
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
