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
const CLOSE_TIMEOUT_MS = 8_000;

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
      await within(CLOSE_TIMEOUT_MS, this.worker.waitUntilReady(), 'the queue in PostgreSQL does not answer');
    }
    this.reconciler.start();
  }

  /** Before anything else closes: what is in flight is still to be posted and recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    this.drain.stop();
    await this.reconciler.stop();
    try {
      await within(CLOSE_TIMEOUT_MS, this.worker?.close() ?? Promise.resolve(), 'lanes still busy');
    } catch (error) {
      this.logger.warn({ msg: 'worker closed with lanes still busy; their leases bring the rest back', err: error });
      await this.worker?.disconnect().catch(() => undefined);
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
