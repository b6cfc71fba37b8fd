import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { LANE_RECONCILIATION } from '../outbox/backlog.queries.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { DeliveryStore, type DueLane, MAX_ROWS, WAKE_UP_MS } from './delivery-store.js';

/** A little less than lies between heartbeats: a worker that is the only one scans with each of them. */
const INTERVAL_MS = 270;

/**
 * Finds lanes with something claimable: retries, lost wake-ups, leases of a dead worker, an emptied queue, and lanes whose
 * worker does not keep up.
 * - The one mechanism for all of these. There are no delayed jobs, and nothing of it depends on the queue.
 * - Of all workers one scans at a time. Should two do so, what one has claimed the other does not get.
 */
@Injectable()
export class Reconciler {
  readonly job: ScheduledJob = {
    name: LANE_RECONCILIATION,
    everyMs: INTERVAL_MS,
    limitDutyCycle: true,
    run: (stopping) => this.scan(stopping),
  };

  constructor(
    private readonly store: DeliveryStore,
    private readonly dispatcher: DeliveryDispatcher,
    @Inject(LaneNotifier) private readonly notifier: Pick<LaneNotifier, 'notify'>,
  ) {}

  private async scan(stopping: AbortSignal): Promise<void> {
    const due = await this.store.dueLanes();
    if (!stopping.aborted) this.share(due);
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
