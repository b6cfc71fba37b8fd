import { Inject, Injectable, Logger } from '@nestjs/common';
import { type SharedTask, WorkerTurns } from '../../platform/workers/worker-turns.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import { DeliveryStore, type DueLane } from './delivery-store.js';
import { LaneRunner } from './lane-runner.js';

/** A little less than workers beat together, so that one worker alone gets every turn. */
const TURN_MS = 270;
const TURN = 'lane_reconciler_turn';
/** When a look last ended well, for operators. */
const END = 'lane_reconciler_end';
/** Lanes of one look that are drained here; the rest goes to whoever takes it from the queue. */
const MAX_OWN = 1_000;
/** A look that finds so many lanes, all of them in line here by then, was for nothing, and is repeated after this. */
const MANY_LANES = 200;
const REST_MS = 1_000;

/**
 * Finds lanes that have something due and that nobody drains: retries, lost wake-ups, leases of a dead worker, an emptied
 * queue.
 * - The one mechanism for all of these; no delayed jobs, and nothing of it depends on the queue.
 * - Of all workers one looks at a time. Should two do so, what one has claimed the other does not get.
 */
@Injectable()
export class LaneReconciler {
  readonly task: SharedTask = {
    turn: TURN,
    everyMs: TURN_MS,
    isSparing: true,
    run: (stopping) => this.look(stopping),
  };
  private readonly logger = new Logger(LaneReconciler.name);
  private failing = false;
  /** Until then, what has become due since the last look is looked at and no more. */
  private restUntil = -Infinity;

  constructor(
    private readonly store: DeliveryStore,
    private readonly runner: LaneRunner,
    @Inject(LaneNotifier) private readonly notifier: Pick<LaneNotifier, 'notify'>,
    @Inject(WorkerTurns) private readonly turns: Pick<WorkerTurns, 'recordEnd'>,
  ) {}

  /** Never rejects. */
  private async look(stopping: AbortSignal): Promise<void> {
    try {
      const isResting = performance.now() < this.restUntil;
      const due = await this.store.dueLanes(isResting ? 'recent' : 'all');
      if (stopping.aborted) return;
      const found = this.share(due);
      if (!isResting && found === 0 && due.length >= MANY_LANES) this.restUntil = performance.now() + REST_MS;
      await this.turns.recordEnd(END);
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'cannot look for due deliveries, trying on', err: error });
      this.failing = true;
    }
  }

  /** Answers how many of them were not in line here. */
  private share(due: DueLane[]): number {
    const idle = due.filter((lane) => lane.is_idle && !this.runner.isInLine(lane.lane_id));
    const own = idle.slice(0, Math.min(MAX_OWN, this.runner.room));
    this.runner.wake(idsOf(own.filter((lane) => !lane.is_unanswered)), 'found');
    this.runner.wake(idsOf(own.filter((lane) => lane.is_unanswered)), 'unanswered');
    this.notifier.notify(idsOf(idle.slice(own.length)), true);
    return idle.length;
  }
}

const idsOf = (lanes: DueLane[]): number[] => lanes.map((lane) => lane.lane_id);
