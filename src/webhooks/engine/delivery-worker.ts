import { setImmediate as nextIteration } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type IQueueBackend, Worker } from 'bullmq';
import { InjectQueueBackend, type QueueBackend } from '../../platform/queue/queue-backend.js';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { withTimeout } from '../../shared/clock.js';
import { LaneNotifier, LANE_QUEUE, type WakeJob } from '../outbox/lane-notifier.js';
import { SharedSchedule } from '../../platform/workers/shared-schedule.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';

const START_TIMEOUT_MS = 10_000;
/** Time limits for the steps of a stop. Together they stay below the 10 s that a process has. */
const DRAIN_TIMEOUT_MS = 6_500;
const QUEUE_TIMEOUT_MS = 1_500;

/**
 * Consumes wake-ups of lanes from the queue and passes them to the dispatcher. Why not `@Processor` of @nestjs/bullmq:
 * a worker must wait for an unavailable queue and a producer must not, so they need different connections.
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
    // before the first claim: the number of workers decides how much this worker may claim
    await this.schedule.join();
    this.worker = new Worker<WakeJob, void, string, IQueueBackend>(
      LANE_QUEUE,
      (job) => this.process(job.data),
      {
        connection: this.backend.consumer,
        // one is enough: a job ends as soon as its lanes are queued here, and one job names many lanes
        concurrency: 1,
        runRetryDelay: 500,
      },
      this.backend.factory,
    );
    this.health.watchWorker(this.worker);
    this.worker.on('failed', (job, error) =>
      this.logger.warn({ msg: 'wake-up failed; the reconciler will find its lanes', jobId: job?.id, err: error }),
    );
    if (this.backend.kind === 'postgres') {
      await withTimeout(START_TIMEOUT_MS, this.worker.waitUntilReady(), 'the queue in PostgreSQL did not answer');
    }
  }

  /**
   * Runs before anything else closes. The worker takes no more wake-ups, passes lanes that may have more due deliveries to
   * other workers, and sends and records the deliveries in flight.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const releaseTo = (laneIds: number[]) => this.notifier.notify(laneIds);
    await Promise.all([
      this.bounded(QUEUE_TIMEOUT_MS, this.closeWorker(), 'the queue did not close'),
      this.bounded(DRAIN_TIMEOUT_MS, this.dispatcher.stop(releaseTo), 'attempts are still in flight'),
    ]);
    await this.bounded(
      QUEUE_TIMEOUT_MS,
      this.notifier.flush(),
      'the queue did not accept the wake-ups for other workers',
    );
  }

  /** Closes the worker, by force if the queue does not answer: another worker then takes its jobs once they stall. */
  private async closeWorker(): Promise<void> {
    await this.worker?.pause(true);
    await this.worker?.close(!(await this.health.answers()));
  }

  private async bounded(timeoutMs: number, work: Promise<void>, message: string): Promise<void> {
    try {
      await withTimeout(timeoutMs, work, message);
    } catch (error) {
      this.logger.warn({ msg: 'closing at once; unrecorded deliveries are sent again after their lease', err: error });
    }
  }

  private async process({ laneIds }: WakeJob): Promise<void> {
    this.dispatcher.wake(laneIds);
    await nextIteration(); // start the claim first: ending this job and asking for the next takes as long as a send
    await this.dispatcher.hasCapacity();
  }
}
