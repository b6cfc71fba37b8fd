import { Inject, Injectable, Logger } from '@nestjs/common';
import { Election } from '../../platform/database/election.js';
import { PeriodicTask } from '../../shared/periodic-task.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import { DeliveryStore, type DueLane } from './delivery-store.js';
import { LaneRunner } from './lane-runner.js';

/** A little longer than a turn is taken for, so that one worker alone gets every turn. */
const TICK_MS = 300;
const TURN_MS = 270;
const TURN = 'lane_reconciler_turn';
/** When a look last ended well, for operators. */
const END = 'lane_reconciler_end';
/** A look that takes long is repeated seldom: at most a tenth of the time is spent on looking. */
const REST_PER_WORK = 9;
/** However long a look took: a process that stood still during one is not to stand still nine times as long. */
const MAX_REST_MS = 3_000;
/** Lanes of one look that are drained here; the rest goes to whoever takes it from the queue. */
const MAX_OWN = 1_000;

/**
 * Finds lanes that have something due and that nobody drains: retries, lost wake-ups, leases of a dead worker, an emptied
 * queue.
 * - The one mechanism for all of these; no delayed jobs, and nothing of it depends on the queue.
 * - Of all workers one looks at a time. Should two do so, what one has claimed the other does not get.
 */
@Injectable()
export class LaneReconciler {
  private readonly logger = new Logger(LaneReconciler.name);
  private readonly task = new PeriodicTask(() => this.tick());
  private stopped = false;
  private failing = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly runner: LaneRunner,
    @Inject(LaneNotifier) private readonly notifier: Pick<LaneNotifier, 'notify'>,
    @Inject(Election) private readonly election: Pick<Election, 'takeTurn' | 'recordEnd'>,
  ) {}

  start(): void {
    this.task.start();
  }

  /** Resolves when the look under way has ended. */
  stop(): Promise<void> {
    this.stopped = true;
    return this.task.stop();
  }

  /** Answers how long to rest. */
  private async tick(): Promise<number> {
    const startedAt = performance.now();
    try {
      if (await this.election.takeTurn(TURN, TURN_MS)) {
        this.share(await this.store.dueLanes());
        await this.election.recordEnd(END);
      }
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'cannot look for due deliveries, trying on', err: error });
      this.failing = true;
    }
    return Math.min(MAX_REST_MS, Math.max(TICK_MS, (performance.now() - startedAt) * REST_PER_WORK));
  }

  private share(due: DueLane[]): void {
    if (this.stopped) return;
    const idle = due.filter((lane) => lane.is_idle);
    const own = idle.slice(0, Math.min(MAX_OWN, this.runner.room));
    this.runner.wake(idsOf(own.filter((lane) => !lane.is_unanswered)), 'found');
    this.runner.wake(idsOf(own.filter((lane) => lane.is_unanswered)), 'unanswered');
    this.notifier.notify(idsOf(idle.slice(own.length)), true);
  }
}

const idsOf = (lanes: DueLane[]): number[] => lanes.map((lane) => lane.lane_id);
