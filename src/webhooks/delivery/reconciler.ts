import { Inject, Injectable, Logger } from '@nestjs/common';
import { type SharedTask, WorkerTurns } from '../../platform/workers/worker-turns.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { DeliveryStore, type DueLane, MAX_ROWS, WAKE_UP_MS } from './delivery-store.js';

/** A little less than workers ask for the turn, so that one worker alone gets every turn. */
const INTERVAL_MS = 270;
const TURN = 'lane_reconciler_turn';
/** When a scan last ended well, for operators. */
const END = 'lane_reconciler_end';

/**
 * Finds lanes with something claimable: retries, lost wake-ups, leases of a dead worker, an emptied queue, and lanes whose
 * worker does not keep up.
 * - The one mechanism for all of these. There are no delayed jobs, and nothing of it depends on the queue.
 * - Of all workers one scans at a time. Should two do so, what one has claimed the other does not get.
 */
@Injectable()
export class Reconciler {
  readonly task: SharedTask = {
    turn: TURN,
    everyMs: INTERVAL_MS,
    isSparing: true,
    run: (stopping) => this.scan(stopping),
  };
  private readonly logger = new Logger(Reconciler.name);
  private isFailing = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly dispatcher: DeliveryDispatcher,
    @Inject(LaneNotifier) private readonly notifier: Pick<LaneNotifier, 'notify'>,
    @Inject(WorkerTurns) private readonly turns: Pick<WorkerTurns, 'recordEnd'>,
  ) {}

  /** Never rejects. */
  private async scan(stopping: AbortSignal): Promise<void> {
    try {
      const due = await this.store.dueLanes();
      if (stopping.aborted) return;
      this.share(due);
      await this.turns.recordEnd(END);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.error({ msg: 'cannot look for due deliveries, trying on', err: error });
      this.isFailing = true;
    }
  }

  private share(due: DueLane[]): void {
    const found = due.filter((lane) => !this.dispatcher.isWaiting(lane.lane_id));
    // the rest goes to the workers that take it from the queue
    const own = found.slice(0, Math.min(MAX_ROWS, this.dispatcher.freePlaces));
    this.dispatcher.wake(idsOf(own.filter((lane) => !lane.is_unanswered)));
    this.dispatcher.wake(idsOf(own.filter((lane) => lane.is_unanswered)), 'unresponsive');
    // a lane that a worker drains and that is behind may need the connections of the other workers, too
    const isBehind = (lane: DueLane): boolean => lane.is_held && !lane.is_unanswered && lane.overdue_ms > WAKE_UP_MS;
    this.notifier.notify(idsOf([...found.slice(own.length), ...due.filter(isBehind)]));
  }
}

const idsOf = (lanes: DueLane[]): number[] => lanes.map((lane) => lane.lane_id);
