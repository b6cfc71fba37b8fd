import type { DeliveryPlan, LanePlan, ScenarioPlan } from './scenario-plan.js';

/** Seeds of scenarios that broke an invariant once. `npm test` runs them again. */
export const FOUND_SEEDS: readonly { seed: number; because: string }[] = [
  { seed: 4, because: 'posts waited for a connection while their time ran' },
  { seed: 16, because: 'posts that waited for a connection died while it was made, and counted as attempts' },
  { seed: 360, because: 'the reconciler rested nine times as long as a look had taken that was held up' },
  { seed: 418_489_471, because: 'what was not delivered was recorded by one statement at a time, and leases ran out' },
  { seed: 418_749_469, because: 'permits of hanging endpoints rested while a healthy one had none' },
  {
    seed: 433_650_228,
    because: 'of two attempts in one statement, under an old lease and a new, both got what follows',
  },
  { seed: 600_001_563, because: 'lanes of a merchant that did not answer took its only permit from others each time' },
];

const laneOf = (id: number, fields: Partial<LanePlan> = {}): LanePlan => ({
  id,
  shopId: id,
  merchantId: id,
  origin: 'http://origin-1',
  receiver: { kind: 'slow', ms: 1_000 },
  ...fields,
});

const backlog = (lanes: LanePlan[], ofEach: number): DeliveryPlan[] =>
  Array.from({ length: lanes.length * ofEach }, (_, index) => ({
    id: index + 1,
    atMs: 0,
    laneId: lanes[index % lanes.length]!.id,
    paymentId: index + 1,
    bytes: 1_200,
    wakeUps: [{ afterMs: 5, worker: 0 }],
  }));

const laneNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const calm = (lanes: LanePlan[], ofEach: number): ScenarioPlan => ({
  seed: 1,
  workers: 1,
  permits: 1_024,
  lanes,
  deliveries: backlog(lanes, ofEach),
  disturbances: [],
});

/** 100 shops with 8 payments each, at one address that answers in a second. */
export const sharedSlowOrigin = (): ScenarioPlan =>
  calm(
    laneNumbers(100).map((id) => laneOf(id)),
    8,
  );

/** An address where one shop's path answers at once and another's never. */
export const oneDeadPath = (): ScenarioPlan =>
  calm(
    [
      laneOf(1, { receiver: { kind: 'dead', ms: 100 } }),
      laneOf(2, { receiver: { kind: 'quick', ms: 100 } }),
      laneOf(3, { receiver: { kind: 'quick', ms: 100 } }),
    ],
    40,
  );

/** 60 origins of which all but two are dead, for one worker. */
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

/** Small enough to crash a worker at every one of its calls: two payments of two changes, one of them refused at first. */
export const fewDeliveries = (): ScenarioPlan => ({
  ...calm(
    [laneOf(1, { receiver: { kind: 'quick', ms: 100 } }), laneOf(2, { receiver: { kind: 'resetting', ms: 100 } })],
    3,
  ),
  workers: 2,
});
