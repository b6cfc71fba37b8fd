import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type IQueueBackend, Worker } from 'bullmq';
import { InjectQueueBackend, type QueueBackend } from '../../platform/queue/queue-backend.js';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { withTimeout } from '../../shared/clock.js';
import { LaneNotifier, LANE_QUEUE, type WakeJob } from '../outbox/lane-notifier.js';
import { SharedSchedule } from '../../platform/workers/shared-schedule.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';

const START_TIMEOUT_MS = 10_000;
/** Each step of a stop is bounded; together they take less than the 10 s that a process has. */
const DRAIN_TIMEOUT_MS = 6_500;
const QUEUE_TIMEOUT_MS = 1_500;

/**
 * Consumes the wake-ups of lanes from the queue and passes them to the dispatcher.
 * Why not `@Processor` of @nestjs/bullmq: a worker must wait for a queue that is unavailable and a producer must not, so the
 * two connect differently.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  private worker: Worker<WakeJob, void, string, IQueueBackend> | undefined;

  constructor(
    @InjectQueueBackend() private readonly backend: QueueBackend,
    private readonly health: QueueHealth,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly schedule: SharedSchedule,
    private readonly notifier: LaneNotifier,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // before anything is claimed: how much this worker may claim depends on the number of workers
    await this.schedule.join();
    this.worker = new Worker<WakeJob, void, string, IQueueBackend>(
      LANE_QUEUE,
      (job) => this.process(job.data),
      {
        connection: this.backend.consumer,
        // one at a time: a job ends as soon as its lanes are queued here, and the notifier gathers lanes in one job
        concurrency: 1,
        runRetryDelay: 500,
      },
      this.backend.factory,
    );
    this.health.watchWorker(this.worker);
    this.worker.on('failed', (job, error) =>
      this.logger.warn({ msg: 'wake-up failed, the reconciler makes up for it', jobId: job?.id, err: error }),
    );
    if (this.backend.kind === 'postgres') {
      await withTimeout(START_TIMEOUT_MS, this.worker.waitUntilReady(), 'the queue in PostgreSQL does not answer');
    }
  }

  /**
   * Before anything else closes: this worker takes no wake-ups from now on, other workers get the lanes that may have more
   * due, and what is in flight is sent and recorded.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const releaseTo = (laneIds: number[]) => this.notifier.notify(laneIds);
    await Promise.all([
      this.bounded(QUEUE_TIMEOUT_MS, this.closeWorker(), 'the queue does not close'),
      this.bounded(DRAIN_TIMEOUT_MS, this.dispatcher.stop(releaseTo), 'attempts still in flight'),
    ]);
    await this.bounded(QUEUE_TIMEOUT_MS, this.notifier.flush(), 'the queue does not take what is handed over');
  }

  /** A lost queue cannot be closed in good order; its jobs are taken over once they stall. */
  private async closeWorker(): Promise<void> {
    await this.worker?.pause(true);
    await this.worker?.close(!(await this.health.answers()));
  }

  private async bounded(timeoutMs: number, work: Promise<void>, message: string): Promise<void> {
    try {
      await withTimeout(timeoutMs, work, message);
    } catch (error) {
      this.logger.warn({ msg: 'closes at once; leases bring back what is not recorded', err: error });
    }
  }

  private async process({ laneIds }: WakeJob): Promise<void> {
    this.dispatcher.wake(laneIds);
    await nextTurn(); // the claim goes first: to end the job and to ask for the next one takes as long as to send it
    await this.dispatcher.hasCapacity();
  }
}
