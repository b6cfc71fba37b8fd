import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectQueue } from '@nestjs/bullmq';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import type { QueueWatch } from '../../platform/queue/queue-watch.js';
import { withTimeout } from '../../shared/clock.js';
import { WebhookMetrics } from './webhook-metrics.js';
import type { Queue } from 'bullmq';

export const LANE_QUEUE = 'webhook-lanes';
const WAKE = 'wake';

/** These lanes may have something due. Ids only: the rows are the truth. */
export interface WakeJob {
  laneIds: number[];
}

export type LaneQueue = Queue<WakeJob, void, typeof WAKE>;

/**
 * One job for all lanes that are woken at the same moment. Jobs of the same lane may follow each other: the worker that
 * drains a lane hears of it, and two workers on one lane share it. Finished jobs are removed at once: in PostgreSQL BullMQ
 * deadlocks when it is to keep some.
 */
export const wakeJob = (laneIds: number[]) => ({
  name: WAKE as typeof WAKE,
  data: { laneIds },
  opts: { removeOnComplete: true, removeOnFail: true },
});

const MAX_LANES_PER_JOB = 500;
const ADD_TIMEOUT_MS = 5_000;
/** With so many jobs waiting no worker listens, and more of them would wake no worker sooner. */
const MAX_WAITING_JOBS = 1_000;
const COUNT_EVERY_MS = 1_000;

/**
 * Notifies the workers through the queue of lanes that may have something due.
 * - One job is under way at a time; lanes notified meanwhile go into the next job, each once. That bounds memory by the
 *   number of lanes, and the queue's load whatever the API's load is.
 * - A notification that fails, or that a queue without listeners does not get, is counted and dropped: the reconciler finds
 *   the lane. It is logged once per outage.
 */
@Injectable()
export class LaneNotifier implements OnModuleInit {
  private readonly logger = new Logger(LaneNotifier.name);
  private readonly watch: QueueWatch;
  private readonly waiting = new Set<number>();
  private sending: Promise<void> | undefined;
  private failing = false;
  private crowded: boolean | undefined;
  private countedAt = -Infinity;

  constructor(
    @InjectQueue(LANE_QUEUE) private readonly queue: LaneQueue,
    private readonly health: QueueHealth,
    private readonly metrics: WebhookMetrics,
  ) {
    this.watch = health.watch(queue);
  }

  async onModuleInit(): Promise<void> {
    await this.health.start(this.queue);
  }

  /** Never throws, never waits. */
  notify(laneIds: Iterable<number>): void {
    for (const laneId of laneIds) this.waiting.add(laneId);
    if (this.waiting.size > 0) this.sending ??= this.send();
  }

  /** Resolves when all that was notified so far has been added, or has been given up. */
  async flush(): Promise<void> {
    await this.sending;
  }

  private async send(): Promise<void> {
    // the lanes of one commit are notified in one turn of the event loop, and go into one job
    await Promise.resolve();
    while (this.waiting.size > 0) {
      const laneIds = [...this.waiting].slice(0, MAX_LANES_PER_JOB);
      for (const laneId of laneIds) this.waiting.delete(laneId);
      await this.sendJob(laneIds);
    }
    this.sending = undefined;
  }

  private async sendJob(laneIds: number[]): Promise<void> {
    try {
      await withTimeout(ADD_TIMEOUT_MS, this.add(laneIds), 'the queue does not take jobs');
      this.failing = false;
    } catch (error) {
      this.watch.failed(error as Error);
      this.metrics.wakeupsLost.inc(laneIds.length);
      if (!this.failing)
        this.logger.warn({ msg: 'wake-ups lost, the reconciler makes up for them', lanes: laneIds.length, err: error });
      this.failing = true;
    }
  }

  private async add(laneIds: number[]): Promise<void> {
    const { name, data, opts } = wakeJob(laneIds);
    const counted = this.countNowAndThen();
    if (this.crowded === undefined) await counted;
    if (this.crowded) return this.metrics.wakeupsLost.inc(laneIds.length);
    await this.queue.add(name, data, opts);
    this.watch.succeeded();
  }

  /** Only the first job waits for a count. Never rejects: adding a job fails, too, and says so. */
  private async countNowAndThen(): Promise<void> {
    if (performance.now() - this.countedAt < COUNT_EVERY_MS) return;
    this.countedAt = performance.now();
    const count = await this.queue.getWaitingCount().catch(() => undefined);
    if (count !== undefined) this.crowded = count >= MAX_WAITING_JOBS;
  }
}
