import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import { LANE_RECONCILIATION } from '../outbox/backlog.queries.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { DeliveryStore, type DueLane, MAX_ROWS, WAKE_UP_MS } from './delivery-store.js';

/** A little less than the interval of heartbeats, so that a single worker scans at each heartbeat. */
const INTERVAL_MS = 270;

/**
 * Finds lanes with claimable deliveries: retries, lost wake-ups, leases of a dead worker, an emptied queue, and lanes
 * whose worker is too slow.
 * - It is the only mechanism for all of these cases. There are no delayed jobs, and it does not depend on the queue.
 * - One worker scans at a time. If two scan together, they still claim different deliveries.
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
    const notWaiting = due.filter((lane) => !this.dispatcher.isWaiting(lane.lane_id));
    // the queue distributes the other lanes to other workers
    const own = notWaiting.slice(0, Math.min(MAX_ROWS, this.dispatcher.freePlaces));
    this.dispatcher.wake(idsOf(own.filter((lane) => !lane.is_unanswered)));
    this.dispatcher.wake(idsOf(own.filter((lane) => lane.is_unanswered)), 'unresponsive');
    // an overdue lane that a worker is already draining may need the connections, or the rate, of other workers too
    const isDrained = (lane: DueLane): boolean => lane.is_held || this.dispatcher.isPaced(lane.lane_id);
    const isBehind = (lane: DueLane): boolean => isDrained(lane) && !lane.is_unanswered && lane.overdue_ms > WAKE_UP_MS;
    this.notifier.notify(idsOf([...notWaiting.slice(own.length), ...due.filter(isBehind)]));
  }
}

const idsOf = (lanes: DueLane[]): number[] => lanes.map((lane) => lane.lane_id);
