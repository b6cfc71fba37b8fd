import type { DeliveryPlan, LanePlan, ScenarioPlan } from './scenario-plan.js';

/** Seeds of scenarios that broke an invariant before the fix. `npm test` runs them again. */
export const FOUND_SEEDS: readonly { seed: number; because: string }[] = [
  { seed: 4, because: 'posts waited for a connection while their timeout ran' },
  { seed: 16, because: 'posts timed out while their connection was made, and counted as attempts' },
  { seed: 360, because: 'the reconciler paused nine times as long as a delayed scan had taken' },
  { seed: 418_489_471, because: 'failed deliveries were recorded by one statement at a time, and leases ran out' },
  { seed: 418_749_469, because: 'slots of unresponsive endpoints cooled down while a healthy one had none' },
  {
    seed: 433_650_228,
    because: 'one statement recorded two attempts, under an old and a new lease, and both received the successor',
  },
  { seed: 600_001_563, because: 'the unresponsive lanes of a merchant always took its only slot' },
];

const laneOf = (id: number, fields: Partial<LanePlan> = {}): LanePlan => ({
  id,
  shopId: id,
  merchantId: id,
  origin: 'http://origin-1',
  receiver: { kind: 'slow', ms: 1_000 },
  ...fields,
});

const backlog = (lanes: LanePlan[], perLane: number): DeliveryPlan[] =>
  Array.from({ length: lanes.length * perLane }, (_, index) => ({
    id: index + 1,
    atMs: 0,
    laneId: lanes[index % lanes.length]!.id,
    paymentId: index + 1,
    bytes: 1_200,
    wakeUps: [{ afterMs: 5, worker: 0 }],
  }));

const laneNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const calm = (lanes: LanePlan[], perLane: number): ScenarioPlan => ({
  seed: 1,
  workers: 1,
  slots: 1_024,
  lanes,
  deliveries: backlog(lanes, perLane),
  disturbances: [],
});

/** 100 shops with 8 payments each, at one address that answers after one second. */
export const sharedSlowOrigin = (): ScenarioPlan =>
  calm(
    laneNumbers(100).map((id) => laneOf(id)),
    8,
  );

/** An address where one shop's path answers at once and another's never answers. */
export const oneDeadPath = (): ScenarioPlan =>
  calm(
    [
      laneOf(1, { receiver: { kind: 'dead', ms: 100 } }),
      laneOf(2, { receiver: { kind: 'quick', ms: 100 } }),
      laneOf(3, { receiver: { kind: 'quick', ms: 100 } }),
    ],
    40,
  );

/** 60 origins, all dead except two, for one worker. */
export const manyDeadOrigins = (): ScenarioPlan =>
  calm(
    laneNumbers(60).map((id) =>
      laneOf(id, {
        origin: `http://origin-${id}`,
        receiver: { kind: id % 30 === 0 ? 'quick' : 'dead', ms: 100 },
      }),
    ),
    5,
  );

/**
 * Small enough to crash a worker at every one of its calls: two lanes, of which the receiver of one resets half of its
 * connections.
 */
export const fewDeliveries = (): ScenarioPlan => ({
  ...calm(
    [laneOf(1, { receiver: { kind: 'quick', ms: 100 } }), laneOf(2, { receiver: { kind: 'resetting', ms: 100 } })],
    3,
  ),
  workers: 2,
});
