import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type IQueueBackend, Worker } from 'bullmq';
import { InjectQueueBackend, type QueueBackend } from '../../platform/queue/queue-backend.js';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { within } from '../../platform/queue/within.js';
import { LANE_QUEUE, type WakeJob } from '../outbox/lane-queue.js';
import { LaneReconciler } from './lane-reconciler.js';
import { LaneRunner } from './lane-runner.js';

/** Jobs taken at once. Each ends as soon as its lanes are in line, so these are few. */
const CONCURRENCY = 10;
/** A worker that died is missed after this long, and its jobs move on within twice that. Shorter made PostgreSQL late in renewing. */
const LOCK_MS = 5_000;
const STALLED_CHECK_MS = 2_500;
/** BullMQ would fail a job that stalled more often. */
const ENDLESSLY = 1_000_000;
const START_TIMEOUT_MS = 10_000;
/** Together less than the 10 s that a process takes to stop. */
const DRAIN_TIMEOUT_MS = 6_500;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Takes from the queue which lanes were woken, and hands them to the runner.
 * Not an `@Processor`: the connection comes from the settings, and a worker must wait for a queue that is away where a
 * producer must not, so the two connect differently.
 */
@Injectable()
export class LaneWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LaneWorker.name);
  private worker: Worker<WakeJob, void, string, IQueueBackend> | undefined;

  constructor(
    @InjectQueueBackend() private readonly backend: QueueBackend,
    private readonly health: QueueHealth,
    private readonly runner: LaneRunner,
    private readonly reconciler: LaneReconciler,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.worker = new Worker<WakeJob, void, string, IQueueBackend>(
      LANE_QUEUE,
      (job) => this.process(job.data),
      {
        connection: this.backend.consumer,
        concurrency: CONCURRENCY,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: ENDLESSLY,
        runRetryDelay: 500,
      },
      this.backend.factory,
    );
    this.health.watchWorker(this.worker);
    this.worker.on('failed', (job, error) =>
      this.logger.warn({ msg: 'wake-up failed, the reconciler makes up for it', jobId: job?.id, err: error }),
    );
    if (this.backend.kind === 'postgres') {
      await within(START_TIMEOUT_MS, this.worker.waitUntilReady(), 'the queue in PostgreSQL does not answer');
    }
    this.reconciler.start();
  }

  /** Before anything else closes: what is in flight is still to be posted and recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.reconciler.stop();
    await this.bounded(DRAIN_TIMEOUT_MS, this.runner.stop(), 'attempts still in flight');
    // a lost queue cannot be closed in good order; its jobs are taken over once they stall
    const force = !(await this.health.answers());
    await this.bounded(CLOSE_TIMEOUT_MS, this.worker?.close(force), 'the queue does not let go');
  }

  private async bounded(timeoutMs: number, work: Promise<void> | undefined, message: string): Promise<void> {
    try {
      await within(timeoutMs, work ?? Promise.resolve(), message);
    } catch (error) {
      this.logger.warn({ msg: 'closes at once; leases bring back what is not recorded', err: error });
    }
  }

  private async process({ laneIds }: WakeJob): Promise<void> {
    this.runner.wake(laneIds);
    await this.runner.hasRoom();
  }
}
