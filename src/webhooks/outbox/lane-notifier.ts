import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectQueue } from '@nestjs/bullmq';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import type { QueueWatch } from '../../platform/queue/queue-watch.js';
import { withTimeout } from '../../shared/clock.js';
import { WebhookMetrics } from './webhook-metrics.js';
import type { Queue } from 'bullmq';

export const LANE_QUEUE = 'webhook-lanes';
const WAKE = 'wake';

/** Lanes that may have due deliveries. The job has only ids, because the rows are authoritative. */
export interface WakeJob {
  laneIds: number[];
}

export type LaneQueue = Queue<WakeJob, void, typeof WAKE>;

/**
 * Returns one job for all lanes that are woken together. A lane may be in several jobs: a worker that already drains the
 * lane is notified again, and two workers share the lane. Finished jobs are removed at once, because BullMQ on PostgreSQL
 * deadlocks when it keeps some.
 */
export const wakeJob = (laneIds: number[]) => ({
  name: WAKE as typeof WAKE,
  data: { laneIds },
  opts: { removeOnComplete: true, removeOnFail: true },
});

const MAX_LANES_PER_JOB = 500;
const ADD_TIMEOUT_MS = 5_000;
/** With this many waiting jobs no worker is listening, and more jobs would wake no worker sooner. */
const MAX_WAITING_JOBS = 1_000;
const COUNT_EVERY_MS = 1_000;

/**
 * Notifies the workers through the queue of lanes that may have due deliveries.
 * - One job is sent at a time. Lanes that are notified meanwhile go into the next job, each once. So the memory depends on
 *   the number of lanes only, and the load of the queue does not depend on the load of the API.
 * - A notification that fails, or that is skipped because no worker listens, is counted and dropped: the reconciler finds
 *   the lane. It is logged once per outage.
 */
@Injectable()
export class LaneNotifier implements OnModuleInit {
  private readonly logger = new Logger(LaneNotifier.name);
  private readonly watch: QueueWatch;
  private readonly waiting = new Set<number>();
  private sending: Promise<void> | undefined;
  private failing = false;
  private isFull: boolean | undefined;
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

  /** Queues a notification. Never throws and never waits. */
  notify(laneIds: Iterable<number>): void {
    for (const laneId of laneIds) this.waiting.add(laneId);
    if (this.waiting.size > 0) this.sending ??= this.send();
  }

  /** Resolves when all notifications so far have been added to the queue or dropped. */
  async flush(): Promise<void> {
    await this.sending;
  }

  private async send(): Promise<void> {
    // the lanes of one commit are notified in one event-loop iteration, and go into one job
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
      await withTimeout(ADD_TIMEOUT_MS, this.add(laneIds), 'the queue did not accept the job');
      this.failing = false;
    } catch (error) {
      this.watch.failed(error as Error);
      this.metrics.wakeupsLost.inc(laneIds.length);
      if (!this.failing)
        this.logger.warn({
          msg: 'wake-ups lost; the reconciler will find their lanes',
          lanes: laneIds.length,
          err: error,
        });
      this.failing = true;
    }
  }

  private async add(laneIds: number[]): Promise<void> {
    const { name, data, opts } = wakeJob(laneIds);
    const counted = this.countPeriodically();
    if (this.isFull === undefined) await counted;
    if (this.isFull) return this.metrics.wakeupsLost.inc(laneIds.length);
    await this.queue.add(name, data, opts);
    this.watch.succeeded();
  }

  /** Counts waiting jobs. Only the first job waits for a count. Never rejects: adding a job then fails as well. */
  private async countPeriodically(): Promise<void> {
    if (performance.now() - this.countedAt < COUNT_EVERY_MS) return;
    this.countedAt = performance.now();
    const count = await this.queue.getWaitingCount().catch(() => undefined);
    if (count !== undefined) this.isFull = count >= MAX_WAITING_JOBS;
  }
}
