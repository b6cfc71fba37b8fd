// Lanes of DeliveryPermits in the states that its specs begin with.
import { FAST_MAX } from '../../../src/webhooks/engine/permits/concurrency-limit.js';
import type { DeliveryPermits } from '../../../src/webhooks/engine/permits/delivery-permits.js';
import type { Arrival, PermitLane } from '../../../src/webhooks/engine/permits/permit-lane.js';

/** Lane `id` of merchant `id / 100` and shop `id / 10`, each with an origin of its own unless one is given. */
export function laneOf(
  permits: DeliveryPermits,
  id: number,
  arrival: Arrival = 'new',
  origin = `http://${id}`,
): PermitLane {
  const info = { id, shop_id: Math.floor(id / 10), merchant_id: Math.floor(id / 100), origin };
  return permits.lane(info, arrival);
}

/** A lane that has answered `answers` times within `durationMs`. */
export function answering(
  permits: DeliveryPermits,
  id: number,
  origin?: string,
  answers = FAST_MAX,
  durationMs = 5,
): PermitLane {
  const lane = laneOf(permits, id, 'new', origin);
  for (let answer = 0; answer < answers; answer++) permits.answered(lane, durationMs);
  return lane;
}

/** One whose last claim brought as much as it might, and that holds nothing. */
export function backlogged(permits: DeliveryPermits, id: number, origin?: string, durationMs = 5): PermitLane {
  const lane = answering(permits, id, origin, FAST_MAX, durationMs);
  permits.ask(lane, 1);
  const grant = permits.deal().get(lane)!;
  permits.settle(lane, grant, [lane.bodyBytes]);
  permits.release(lane, 1, lane.bodyBytes);
  return lane;
}

/** Permits that each lane got. */
export function dealt(permits: DeliveryPermits, lanes: PermitLane[], wanted = 1_000): number[] {
  for (const lane of lanes) permits.ask(lane, wanted);
  const grants = permits.deal();
  return lanes.map((lane) => grants.get(lane)?.count ?? 0);
}

export function timeOut(permits: DeliveryPermits, lane: PermitLane): void {
  permits.unanswered(lane);
  permits.release(lane, 1, lane.bodyBytes);
}
