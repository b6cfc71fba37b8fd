import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type IQueueBackend, Worker } from 'bullmq';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { InjectQueueBackend, type QueueBackend } from '../platform/queue/queue-backend.js';
import { QueueHealth } from '../platform/queue/queue-health.service.js';
import { within } from '../platform/queue/within.js';
import { LaneAlarm } from './lane-alarm.service.js';
import { LaneDrain } from './lane-drain.service.js';
import { LANE_QUEUE, type LaneJob } from './lane-queue.js';
import { LaneReconciler } from './lane-reconciler.service.js';

/** A worker that died is missed after this long, and its lanes move on within twice that. Shorter made PostgreSQL late in renewing. */
const LOCK_MS = 5_000;
const STALLED_CHECK_MS = 2_500;
/** BullMQ would fail a job that stalled more often, and the lane's wake-up with it. */
const ENDLESSLY = 1_000_000;
const START_TIMEOUT_MS = 10_000;
/** Together less than the 10 s that a process takes to stop. */
const DRAIN_TIMEOUT_MS = 6_500;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Takes lanes from the queue and drains them.
 * Not an `@Processor`: concurrency and connection come from the settings, and a worker must wait for a queue that is away
 * where a producer must not, so the two connect differently.
 */
@Injectable()
export class LaneWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LaneWorker.name);
  private worker: Worker<LaneJob, void, string, IQueueBackend> | undefined;

  constructor(
    @InjectQueueBackend() private readonly backend: QueueBackend,
    private readonly health: QueueHealth,
    private readonly drain: LaneDrain,
    private readonly alarm: LaneAlarm,
    private readonly reconciler: LaneReconciler,
    @InjectConfig() private readonly config: Pick<Config, 'workerConcurrency'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.worker = new Worker<LaneJob, void, string, IQueueBackend>(
      LANE_QUEUE,
      (job) => this.process(job.data.laneId),
      {
        connection: this.backend.consumer,
        concurrency: this.config.workerConcurrency,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: ENDLESSLY,
        runRetryDelay: 500,
      },
      this.backend.factory,
    );
    this.health.watchWorker(this.worker);
    this.worker.on('failed', (job, error) =>
      this.logger.warn({ msg: 'lane failed', laneId: job?.data.laneId, err: error }),
    );
    if (this.backend.kind === 'postgres') {
      await within(START_TIMEOUT_MS, this.worker.waitUntilReady(), 'the queue in PostgreSQL does not answer');
    }
    this.reconciler.start();
  }

  /** Before anything else closes: what is in flight is still to be posted and recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.reconciler.stop();
    await this.bounded(DRAIN_TIMEOUT_MS, this.drain.stop(), 'attempts still in flight');
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

  private async process(laneId: number): Promise<void> {
    try {
      if (await this.drain.drain(laneId)) this.alarm.wake([laneId]);
    } finally {
      this.reconciler.ended(laneId);
    }
  }
}
