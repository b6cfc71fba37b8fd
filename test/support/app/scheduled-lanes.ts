// Lanes of a DeliveryScheduler in the states that its specs start with.
import type { ScheduledLane } from '../../../src/webhooks/engine/capacity-pool.js';
import { FAST_MAX } from '../../../src/webhooks/engine/concurrency-limit.js';
import type { DeliveryScheduler } from '../../../src/webhooks/engine/delivery-scheduler.js';

/** Lane `id` of merchant `id / 100` and shop `id / 10`, by default with its own origin. */
export function laneOf(
  scheduler: DeliveryScheduler,
  id: number,
  health: ScheduledLane['health'] = 'untried',
  origin = `http://${id}`,
): ScheduledLane {
  const info = { id, shop_id: Math.floor(id / 10), merchant_id: Math.floor(id / 100), origin };
  return scheduler.lane(info, health);
}

/** A lane that has answered `answers` times, each within `durationMs`. */
export function healthyLane(
  scheduler: DeliveryScheduler,
  id: number,
  origin?: string,
  answers = FAST_MAX,
  durationMs = 5,
): ScheduledLane {
  const lane = laneOf(scheduler, id, 'untried', origin);
  for (let answer = 0; answer < answers; answer++) scheduler.answered(lane, durationMs);
  return lane;
}

/** The slots that each lane reserves, with or without a backlog. */
export function reserved(scheduler: DeliveryScheduler, lanes: ScheduledLane[], hasBacklog = true): number[] {
  for (const lane of lanes) {
    lane.hasBacklog = hasBacklog;
    scheduler.request(lane);
  }
  const reservations = scheduler.reserve();
  return lanes.map((lane) => reservations.get(lane)?.slots ?? 0);
}

export function timeOut(scheduler: DeliveryScheduler, lane: ScheduledLane): void {
  scheduler.unanswered(lane);
  scheduler.release(lane, 1, lane.unitBytes);
}

export const totalOf = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0);
