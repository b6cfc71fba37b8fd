import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectQueue } from '@nestjs/bullmq';
import { QueueHealth } from '../platform/queue/queue-health.service.js';
import { within } from '../platform/queue/within.js';
import { LANE_QUEUE, laneJob, type LaneQueue } from './lane-queue.js';
import { WebhookMetrics } from './webhook-metrics.js';

const MAX_LANES_PER_ADD = 500;
const ADD_TIMEOUT_MS = 5_000;

/**
 * Wakes lanes through the queue.
 * - One `addBulk` at a time; lanes woken meanwhile are gathered for the next, each once. That bounds memory by the number
 *   of lanes, whatever the queue does, and an idle system pays no delay.
 * - A wake-up that fails is counted and forgotten: the reconciler finds the lane. Logged once per outage.
 */
@Injectable()
export class LaneAlarm implements OnModuleInit {
  private readonly logger = new Logger(LaneAlarm.name);
  private readonly waiting = new Set<number>();
  private ringing = false;
  private failing = false;

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
      const lanes = [...this.waiting].slice(0, MAX_LANES_PER_ADD);
      for (const lane of lanes) this.waiting.delete(lane);
      await this.add(lanes);
    }
    this.ringing = false;
  }

  private async add(lanes: number[]): Promise<void> {
    try {
      await within(ADD_TIMEOUT_MS, this.queue.addBulk(lanes.map(laneJob)), 'the queue does not take jobs');
      this.failing = false;
    } catch (error) {
      this.metrics.wakeupsLost.inc(lanes.length);
      if (!this.failing)
        this.logger.warn({ msg: 'wake-ups lost, the reconciler makes up for them', lanes: lanes.length, err: error });
      this.failing = true;
    }
  }
}
