import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type IQueueBackend, Worker } from 'bullmq';
import { InjectQueueBackend, type QueueBackend } from '../../platform/queue/queue-backend.js';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { withTimeout } from '../../shared/clock.js';
import { LaneNotifier, LANE_QUEUE, type WakeJob } from '../outbox/lane-notifier.js';
import { WorkerTurns } from '../../platform/workers/worker-turns.js';
import { LaneRunner } from './lane-runner.js';

/** Jobs taken at once while the queue is not empty. Each ends as soon as its lanes are in line, so these are few. */
const CONCURRENCY = 10;
/**
 * So many jobs without finding the queue empty are worth more than one at a time. Not the first: a worker that may take
 * several asks for another before it hands over the one that it has, which costs a round trip.
 */
const IN_A_ROW = 3;
/** A worker that died is missed after this long. Shorter made PostgreSQL late in renewing. */
const LOCK_MS = 5_000;
/** Every worker looks for jobs of dead ones. Their lanes were found by the reconciler long before: this tidies up. */
const STALLED_CHECK_MS = 30_000;
/** PostgreSQL tells of jobs (NOTIFY). A worker that hears nothing for so long asks. In Redis, where it waits in a call, 5. */
const ASK_POSTGRES_AFTER_S = 60;
/** BullMQ would fail a job that stalled more often. */
const ENDLESSLY = 1_000_000;
const START_TIMEOUT_MS = 10_000;
/** Together less than the 10 s that a process takes to stop. */
const DRAIN_TIMEOUT_MS = 6_500;
const CLOSE_TIMEOUT_MS = 2_000;
const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Takes from the queue which lanes were woken, and hands them to the runner.
 * Not an `@Processor`: the connection comes from the settings, and a worker must wait for a queue that is away where a
 * producer must not, so the two connect differently.
 */
@Injectable()
export class LaneWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LaneWorker.name);
  private worker: Worker<WakeJob, void, string, IQueueBackend> | undefined;
  private inARow = 0;

  constructor(
    @InjectQueueBackend() private readonly backend: QueueBackend,
    private readonly health: QueueHealth,
    private readonly runner: LaneRunner,
    private readonly turns: WorkerTurns,
    private readonly notifier: LaneNotifier,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // before anything is claimed: how much it may claim depends on how many others there are
    await this.turns.join();
    this.worker = new Worker<WakeJob, void, string, IQueueBackend>(
      LANE_QUEUE,
      (job) => this.process(job.data),
      {
        connection: this.backend.consumer,
        concurrency: 1,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: ENDLESSLY,
        runRetryDelay: 500,
        ...(this.backend.kind === 'postgres' && { drainDelay: ASK_POSTGRES_AFTER_S }),
      },
      this.backend.factory,
    );
    this.health.watchWorker(this.worker);
    this.runner.whenShort((laneIds) => this.notifier.notify(laneIds, true));
    this.worker.on('drained', () => this.takeAtOnce(0));
    this.worker.on('failed', (job, error) =>
      this.logger.warn({ msg: 'wake-up failed, the reconciler makes up for it', jobId: job?.id, err: error }),
    );
    if (this.backend.kind === 'postgres') {
      await withTimeout(START_TIMEOUT_MS, this.worker.waitUntilReady(), 'the queue in PostgreSQL does not answer');
    }
  }

  /**
   * Before anything else closes: no wake-ups are taken from now on, what may have more due goes to the other workers, and
   * what is in flight is posted and recorded. All at once, and each bounded.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const handOver = (laneIds: number[]) => this.notifier.notify(laneIds);
    await Promise.all([
      this.bounded(CLOSE_TIMEOUT_MS, this.closeWorker(), 'the queue does not let go'),
      this.bounded(DRAIN_TIMEOUT_MS, this.runner.stop(handOver), 'attempts still in flight'),
    ]);
    await this.bounded(FLUSH_TIMEOUT_MS, this.notifier.flush(), 'the queue does not take what is handed over');
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

  private takeAtOnce(inARow: number): void {
    this.inARow = inARow;
    if (this.worker) this.worker.concurrency = inARow < IN_A_ROW ? 1 : CONCURRENCY;
  }

  private async process({ laneIds, isFound }: WakeJob): Promise<void> {
    this.takeAtOnce(this.inARow + 1);
    this.runner.wake(laneIds, isFound ? 'found' : 'new');
    await nextTurn(); // the claim goes first: to end the job, and to ask for the next one, takes as long as to send it
    await this.runner.hasRoom();
  }
}
