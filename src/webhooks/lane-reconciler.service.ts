import { Injectable, Logger } from '@nestjs/common';
import { InjectQueue } from '@nestjs/bullmq';
import { Database } from '../platform/database/database.js';
import { within } from '../platform/queue/within.js';
import { DUE_LANES, type DueLaneRow } from './delivery.queries.js';
import { LaneAlarm } from './lane-alarm.service.js';
import { deduplicationId, LANE_QUEUE, type LaneQueue } from './lane-queue.js';
import { WebhookMetrics } from './webhook-metrics.js';

const TICK_MS = 300;
/** A look that takes long is repeated seldom: at most a tenth of the time is spent on looking. */
const REST_PER_WORK = 9;
/** The wake-up that comes with a new delivery gets this long before it counts as lost. */
const OWN_WAKE_UP_MS = 1_000;
/** A lane that was woken and waits for its turn is left alone this long. */
const WAKE_AGAIN_MS = 2_000;
/** Woken for this long and still not moving: perhaps its job exists in name only. */
const STUCK_MS = 10_000;
const STUCK_PER_TICK = 20;
const QUEUE_TIMEOUT_MS = 5_000;
/** States in which a job will never run, while its deduplication key swallows every wake-up. */
const NEVER_RUNS = ['completed', 'failed', 'unknown'];

/**
 * Finds lanes that have something due and wakes them: retries, lost wake-ups, leases of a dead worker, an emptied queue.
 * - The one mechanism for all of these; no delayed jobs.
 * - Ticks of one process never overlap. Several processes may run it at once: waking twice is waking once.
 * - A lane that is being drained (it has leases) or was just woken is left alone.
 */
@Injectable()
export class LaneReconciler {
  private readonly logger = new Logger(LaneReconciler.name);
  /** Lanes woken from here that have not run since: when first, and when last. */
  private readonly woken = new Map<number, { first: number; last: number }>();
  private timer: NodeJS.Timeout | undefined;
  private tick: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly database: Database,
    private readonly alarm: LaneAlarm,
    @InjectQueue(LANE_QUEUE) private readonly queue: LaneQueue,
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

  /** A run of the lane has ended in this process: what is due from now on deserves a wake-up of its own. */
  ended(laneId: number): void {
    this.woken.delete(laneId);
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
      const due = await this.database.query<DueLaneRow>(DUE_LANES, [OWN_WAKE_UP_MS]);
      this.measure(due);
      this.wake(due.filter((lane) => lane.is_idle).map((lane) => lane.lane_id));
      await this.freeStuckLanes();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'cannot look for due deliveries, trying on', err: error });
      this.failing = true;
    }
    this.schedule(Math.max(TICK_MS, (Date.now() - started) * REST_PER_WORK));
  }

  private measure(due: DueLaneRow[]): void {
    this.metrics.lanesDue.set(due.length);
    this.metrics.oldestDueSeconds.set(due.reduce((oldest, lane) => Math.max(oldest, lane.overdue_ms), 0) / 1_000);
  }

  private wake(idle: number[]): void {
    const now = Date.now();
    const stillIdle = new Set(idle);
    for (const laneId of this.woken.keys()) if (!stillIdle.has(laneId)) this.woken.delete(laneId);
    const toWake = idle.filter((laneId) => now - (this.woken.get(laneId)?.last ?? 0) >= WAKE_AGAIN_MS);
    for (const laneId of toWake) this.woken.set(laneId, { first: this.woken.get(laneId)?.first ?? now, last: now });
    this.alarm.wake(toWake);
  }

  /**
   * A job that exists in no list keeps its deduplication key for ever; no way is known to get there but by hand or by a
   * bug. Removing the key of a live job would only allow a second run of the lane, which the leases make harmless.
   */
  private async freeStuckLanes(): Promise<void> {
    const before = Date.now() - STUCK_MS;
    const suspects = [...this.woken].filter(([, woken]) => woken.first <= before).slice(0, STUCK_PER_TICK);
    for (const [laneId] of suspects) {
      if (await within(QUEUE_TIMEOUT_MS, this.freeIfStuck(laneId), 'the queue does not answer'))
        this.woken.delete(laneId);
    }
  }

  private async freeIfStuck(laneId: number): Promise<boolean> {
    const jobId = await this.queue.getDeduplicationJobId(deduplicationId(laneId));
    if (!jobId || !NEVER_RUNS.includes(await this.queue.getJobState(jobId))) return false;
    await this.queue.removeDeduplicationKey(deduplicationId(laneId));
    this.logger.warn({ msg: 'freed a lane whose job existed in name only', laneId, jobId });
    return true;
  }
}
