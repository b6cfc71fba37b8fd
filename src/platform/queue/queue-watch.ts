import type { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { withTimeout } from '../../shared/clock.js';

const PROBE_TIMEOUT_MS = 1_000;
const PROBE_INTERVAL_MS = 500;

/**
 * Listens to the errors of a queue and its workers, which without a listener would end the process. A lost connection
 * is logged once when it is lost and once when it is back; BullMQ and its drivers reconnect by themselves.
 */
export class QueueWatch {
  private readonly logger = new Logger('Queue');
  private timer: NodeJS.Timeout | undefined;
  private investigating = false;
  private closed = false;

  constructor(private readonly queue: Queue) {
    this.listenTo(queue);
  }

  /** Of the queue or of one of its workers. */
  listenTo(source: EventEmitter): void {
    source.on('error', (error: Error) => void this.investigate(error));
  }

  /** Resolves when the queue's backend answers, rejects when it does not do so within `timeoutMs`. */
  async ping(timeoutMs = PROBE_TIMEOUT_MS): Promise<void> {
    await withTimeout(timeoutMs, this.queue.isPaused(), `the queue does not answer within ${timeoutMs} ms`);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** One investigation at a time: a lost connection makes dozens of errors. */
  private async investigate(error: Error): Promise<void> {
    if (this.investigating || this.closed) return;
    this.investigating = true;
    if (await this.answers()) {
      this.logger.warn({ msg: 'queue error', queue: this.queue.name, err: error });
      this.investigating = false;
      return;
    }
    this.logger.error({ msg: 'queue lost, waiting for it', queue: this.queue.name, err: error });
    this.awaitReturn();
  }

  private awaitReturn(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      void this.answers().then((answers) => {
        if (!answers) return this.awaitReturn();
        this.investigating = false;
        this.logger.log({ msg: 'queue is back', queue: this.queue.name });
      });
    }, PROBE_INTERVAL_MS);
    this.timer.unref();
  }

  private answers(): Promise<boolean> {
    return this.ping().then(
      () => true,
      () => false,
    );
  }
}
