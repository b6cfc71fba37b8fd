import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectQueue } from '@nestjs/bullmq';
import { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { within } from '../../platform/queue/within.js';
import { LANE_QUEUE, type LaneQueue, wakeJob } from './lane-queue.js';
import { WebhookMetrics } from '../webhook-metrics.js';

const MAX_LANES_PER_JOB = 500;
const ADD_TIMEOUT_MS = 5_000;
/** Under load, lanes are gathered for so long: jobs cost more than what they say. */
const BETWEEN_JOBS_MS = 3;
/** With so many jobs waiting nobody listens, and more of them would wake nobody sooner. */
const MAX_WAITING_JOBS = 1_000;
const COUNT_EVERY_MS = 1_000;

/**
 * Wakes lanes through the queue.
 * - One job at a time, some ms apart; lanes woken meanwhile are gathered for the next, each once. That bounds memory by
 *   the number of lanes and the queue's load whatever the API's is, and an idle system pays no delay.
 * - A wake-up that fails, or that a queue without listeners does not get, is counted and forgotten: the reconciler finds
 *   the lane. Logged once per outage.
 */
@Injectable()
export class LaneNotifier implements OnModuleInit {
  private readonly logger = new Logger(LaneNotifier.name);
  private readonly waiting = new Set<number>();
  private ringing = false;
  private failing = false;
  private crowded = false;
  private countedAt = -Infinity;

  constructor(
    @InjectQueue(LANE_QUEUE) private readonly queue: LaneQueue,
    private readonly health: QueueHealth,
    private readonly metrics: WebhookMetrics,
  ) {
    health.watch(queue);
  }

  async onModuleInit(): Promise<void> {
    await this.health.start(this.queue);
  }

  /** Never throws, never waits. */
  wake(laneIds: Iterable<number>): void {
    for (const laneId of laneIds) this.waiting.add(laneId);
    if (this.ringing || this.waiting.size === 0) return;
    this.ringing = true;
    setImmediate(() => void this.ring());
  }

  private async ring(): Promise<void> {
    while (this.waiting.size > 0) {
      const lanes = [...this.waiting].slice(0, MAX_LANES_PER_JOB);
      for (const lane of lanes) this.waiting.delete(lane);
      await this.tell(lanes);
      await delay(BETWEEN_JOBS_MS);
    }
    this.ringing = false;
  }

  private async tell(lanes: number[]): Promise<void> {
    try {
      await within(ADD_TIMEOUT_MS, this.add(lanes), 'the queue does not take jobs');
      this.failing = false;
    } catch (error) {
      this.metrics.wakeupsLost.inc(lanes.length);
      if (!this.failing)
        this.logger.warn({ msg: 'wake-ups lost, the reconciler makes up for them', lanes: lanes.length, err: error });
      this.failing = true;
    }
  }

  private async add(lanes: number[]): Promise<void> {
    const { name, data, opts } = wakeJob(lanes);
    if (await this.hasListeners()) await this.queue.add(name, data, opts);
    else this.metrics.wakeupsLost.inc(lanes.length);
  }

  private async hasListeners(): Promise<boolean> {
    if (performance.now() - this.countedAt >= COUNT_EVERY_MS) {
      this.countedAt = performance.now();
      this.crowded = (await this.queue.getWaitingCount()) >= MAX_WAITING_JOBS;
    }
    return !this.crowded;
  }
}
