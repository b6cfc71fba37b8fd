import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectQueue } from '@nestjs/bullmq';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import type { QueueWatch } from '../../platform/queue/queue-watch.js';
import { withTimeout, pause } from '../../shared/clock.js';
import { WebhookMetrics } from './webhook-metrics.js';
import type { Queue } from 'bullmq';

export const LANE_QUEUE = 'webhook-lanes';
const WAKE = 'wake';

/** What a job says: these lanes may have something due. Ids only; the rows are the truth. */
export interface WakeJob {
  laneIds: number[];
  /** A look found them, and not a commit. */
  isFound?: boolean;
}

export type LaneQueue = Queue<WakeJob, void, typeof WAKE>;

/**
 * One job for all lanes that are woken at the same moment. Jobs of the same lane may follow each other: a lane that is
 * being drained hears of it where it is drained, and two workers on one lane share it. Finished jobs are removed at
 * once: in PostgreSQL BullMQ deadlocks when it is to keep some.
 */
export const wakeJob = (laneIds: number[], isFound = false) => ({
  name: WAKE as typeof WAKE,
  data: isFound ? { laneIds, isFound } : { laneIds },
  opts: { removeOnComplete: true, removeOnFail: true },
});

const MAX_LANES_PER_JOB = 500;
const ADD_TIMEOUT_MS = 5_000;
/**
 * After a job of so many lanes the next waits for company: this long from start to start, and twice as long as the queue took
 * for the one before. A job costs more than what it says, in PostgreSQL under load most of all. What a queue that stands
 * still took says nothing of the cost.
 */
const COMPANY = 4;
const BETWEEN_JOBS_MS = 3;
const REST_OF_A_JOB = 2;
const MOST_REST_MS = 20;
/** With so many jobs waiting nobody listens, and more of them would wake nobody sooner. */
const MAX_WAITING_JOBS = 1_000;
const COUNT_EVERY_MS = 1_000;

/**
 * Tells the workers through the queue which lanes may have something due.
 * - One job at a time; lanes notified meanwhile are gathered for the next, each once. That bounds memory by the number of
 *   lanes and the queue's load whatever the API's is. A notification that finds no job under way goes out at once.
 * - One that fails, or that a queue without listeners does not get, is counted and forgotten: the reconciler finds the
 *   lane. Logged once per outage.
 */
@Injectable()
export class LaneNotifier implements OnModuleInit {
  private readonly logger = new Logger(LaneNotifier.name);
  private readonly watch: QueueWatch;
  private readonly waiting = new Map<number, boolean>();
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

  /** Never throws, never waits. `isFound`: a look found the lanes, and not a commit. */
  notify(laneIds: Iterable<number>, isFound = false): void {
    for (const laneId of laneIds) this.waiting.set(laneId, isFound && this.waiting.get(laneId) !== false);
    if (this.waiting.size > 0) this.sending ??= this.send();
  }

  /** Resolves when all that was notified so far has been added, or has been given up. */
  async flush(): Promise<void> {
    await this.sending;
  }

  private async send(): Promise<void> {
    // what one commit brought is one job, or two: whoever was in it goes on in this turn of the event loop
    await Promise.resolve();
    while (this.waiting.size > 0) {
      const startedAt = performance.now();
      const lanes = await this.sendNext();
      const tookMs = performance.now() - startedAt;
      const companyMs = Math.max(BETWEEN_JOBS_MS - tookMs, Math.min(REST_OF_A_JOB * tookMs, MOST_REST_MS));
      const restMs = lanes < COMPANY ? 0 : companyMs;
      if (this.waiting.size > 0 && restMs > 0) await pause(restMs);
    }
    this.sending = undefined;
  }

  /** Answers how many lanes the job names. */
  private async sendNext(): Promise<number> {
    const [isFound] = this.waiting.values();
    const lanes = [...this.waiting].filter(([, found]) => found === isFound).slice(0, MAX_LANES_PER_JOB);
    const laneIds = lanes.map(([laneId]) => laneId);
    for (const laneId of laneIds) this.waiting.delete(laneId);
    try {
      await withTimeout(ADD_TIMEOUT_MS, this.add(laneIds, isFound!), 'the queue does not take jobs');
      this.failing = false;
    } catch (error) {
      this.watch.failed(error as Error);
      this.metrics.wakeupsLost.inc(laneIds.length);
      if (!this.failing)
        this.logger.warn({ msg: 'wake-ups lost, the reconciler makes up for them', lanes: laneIds.length, err: error });
      this.failing = true;
    }
    return laneIds.length;
  }

  private async add(laneIds: number[], isFound: boolean): Promise<void> {
    const { name, data, opts } = wakeJob(laneIds, isFound);
    const counted = this.countNowAndThen();
    if (this.crowded === undefined) await counted;
    if (this.crowded) return this.metrics.wakeupsLost.inc(laneIds.length);
    await this.queue.add(name, data, opts);
    this.watch.succeeded();
  }

  /** Beside the jobs: none but the first waits for a count. Never rejects: adding a job fails, too, and says so. */
  private async countNowAndThen(): Promise<void> {
    if (performance.now() - this.countedAt < COUNT_EVERY_MS) return;
    this.countedAt = performance.now();
    const count = await this.queue.getWaitingCount().catch(() => undefined);
    if (count !== undefined) this.crowded = count >= MAX_WAITING_JOBS;
  }
}
