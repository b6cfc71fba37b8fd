import { Injectable, Logger } from '@nestjs/common';
import { DeliveryStore, type DueLane } from './delivery-store.js';
import { LaneRunner } from './lane-runner.js';
import { WebhookMetrics } from '../webhook-metrics.js';

const TICK_MS = 300;
/** A look that takes long is repeated seldom: at most a tenth of the time is spent on looking. */
const REST_PER_WORK = 9;

/**
 * Finds lanes that have something due and that nobody drains, and drains them here: retries, lost wake-ups, leases of a
 * dead worker, an emptied queue.
 * - The one mechanism for all of these; no delayed jobs, and nothing of it depends on the queue.
 * - Ticks of one process never overlap. Several processes may run it at once: what one has claimed the others do not get.
 */
@Injectable()
export class LaneReconciler {
  private readonly logger = new Logger(LaneReconciler.name);
  private timer: NodeJS.Timeout | undefined;
  private tick: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly runner: LaneRunner,
    private readonly metrics: WebhookMetrics,
  ) {}

  start(): void {
    this.schedule(0);
  }

  /** Resolves when the tick under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.tick;
  }

  private schedule(afterMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.tick = this.look();
    }, afterMs);
  }

  private async look(): Promise<void> {
    const started = Date.now();
    try {
      const due = await this.store.dueLanes();
      this.measure(due);
      if (!this.stopped) this.runner.wake(due.filter((lane) => lane.is_idle).map((lane) => lane.lane_id));
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'cannot look for due deliveries, trying on', err: error });
      this.failing = true;
    }
    this.schedule(Math.max(TICK_MS, (Date.now() - started) * REST_PER_WORK));
  }

  private measure(due: DueLane[]): void {
    this.metrics.lanesDue.set(due.length);
    this.metrics.oldestDueSeconds.set(due.reduce((oldest, lane) => Math.max(oldest, lane.overdue_ms), 0) / 1_000);
  }
}
