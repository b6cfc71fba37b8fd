import { RECEIVER_KINDS, type ReceiverKind, type ReceiverPlan } from './receivers.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import { arrivals } from './arrivals.js';

/** A lane: a shop's address or a standing endpoint, on an origin that it may share with others. */
export interface LanePlan {
  id: number;
  /** The standing endpoint; absent: payments' own addresses. */
  endpointId?: number;
  shopId: number;
  merchantId: number;
  origin: string;
  receiver: ReceiverPlan;
}

/** A change of status, committed at `atMs`. */
export interface DeliveryPlan {
  id: number;
  atMs: number;
  laneId: number;
  paymentId: number;
  bytes: number;
  /** When its wake-ups from the queue arrive. Empty if they are lost. */
  wakeUps: { afterMs: number; worker: number }[];
}

/**
 * When a disturbance of a worker begins: at a time, or at its n-th call of a port, with or without that call's effect.
 */
type Moment = { ms: number } | { call: number; hasEffect: boolean };

export type Disturbance =
  | { kind: 'crash'; worker: number; at: Moment; downMs: number }
  | { kind: 'freeze'; worker: number; at: Moment; forMs: number }
  | { kind: 'stop'; worker: number; at: { ms: number }; downMs: number }
  | { kind: 'outage'; at: { ms: number }; forMs: number }
  | { kind: 'slow-store'; at: { ms: number }; forMs: number; byMs: number };

/**
 * Everything of a scenario that is decided before it begins. The remaining random choices depend on `seed` and ids, not
 * on the order of events.
 */
export interface ScenarioPlan {
  seed: number;
  workers: number;
  /** Attempts that a worker may have in flight. */
  slots: number;
  lanes: LanePlan[];
  deliveries: DeliveryPlan[];
  disturbances: Disturbance[];
}

/** The three delays before the second, third and fourth attempt. */
export const RETRY_DELAYS_MS = [4_000, 5_000, 6_000];
export const TIMEOUT_MS = 3_000;

export function planScenario(seed: number): ScenarioPlan {
  const random = new SeededRandom(seed, 'plan');
  const workers = random.integer(1, 4);
  const lanes = planLanes(random);
  return {
    seed,
    workers,
    slots: random.pick([4, 16, 64, 1_024, 1_024]),
    lanes,
    deliveries: planDeliveries(random, lanes, workers),
    disturbances: random.chance(0.4) ? [] : planDisturbances(random, workers),
  };
}

function planLanes(random: SeededRandom): LanePlan[] {
  const count = random.pick([1, 2, 3, 5, 8, 16, 30]);
  const origins = random.chance(0.3) ? 1 : random.integer(1, count);
  const favourite = random.pick(RECEIVER_KINDS);
  return Array.from({ length: count }, (_, index) => {
    const shopId = index + 1;
    const kind: ReceiverKind = random.chance(0.5) ? favourite : random.pick(['quick', ...RECEIVER_KINDS]);
    return {
      id: index + 1,
      shopId,
      merchantId: 1 + (shopId % random.integer(1, 3)),
      origin: `http://origin-${random.integer(1, origins)}`,
      receiver: { kind, ms: Math.round(random.between(100, 2_900)) },
    };
  });
}

function planDeliveries(random: SeededRandom, lanes: LanePlan[], workers: number): DeliveryPlan[] {
  const count = random.pick([20, 60, 120, 200]);
  const spreadMs = random.pick([0, 0, 1_000, 10_000]);
  const payments = random.chance(0.5) ? count : Math.ceil(count / 3);
  const busiest = random.chance(0.3) ? random.pick(lanes).id : undefined;
  const bytes = random.chance(0.1) ? 250_000 : 1_200;
  const times = Array.from({ length: count }, () => random.between(0, spreadMs)).sort((one, other) => one - other);
  return times.map((atMs, index) => {
    const paymentId = random.integer(1, payments);
    const laneId = busiest ?? lanes[paymentId % lanes.length]!.id;
    // the webhook address can change between two changes of a payment
    const isMoved = random.chance(0.05);
    const wakeUps = planWakeUps(random, workers);
    return { id: index + 1, atMs, laneId: isMoved ? random.pick(lanes).id : laneId, paymentId, bytes, wakeUps };
  });
}

const planWakeUps = (random: SeededRandom, workers: number): DeliveryPlan['wakeUps'] =>
  arrivals(random).map((afterMs) => ({ afterMs, worker: random.integer(0, workers - 1) }));

function planDisturbances(random: SeededRandom, workers: number): Disturbance[] {
  return Array.from({ length: random.integer(1, 5) }, () => planDisturbance(random, workers));
}

function planDisturbance(random: SeededRandom, workers: number): Disturbance {
  const worker = random.integer(0, workers - 1);
  const at = { ms: random.chance(0.5) ? random.between(0, 500) : random.between(0, 20_000) };
  const moment: Moment = random.chance(0.3) ? at : { call: random.integer(1, 400), hasEffect: random.chance(0.5) };
  const downMs = random.between(0, 5_000);
  switch (random.pick(['crash', 'crash', 'freeze', 'freeze', 'stop', 'outage', 'slow-store'] as const)) {
    case 'crash':
      return { kind: 'crash', worker, at: moment, downMs };
    case 'freeze':
      return { kind: 'freeze', worker, at: moment, forMs: random.between(100, 12_000) };
    case 'stop':
      return { kind: 'stop', worker, at, downMs };
    case 'outage':
      return { kind: 'outage', at, forMs: random.between(50, 8_000) };
    case 'slow-store':
      return { kind: 'slow-store', at, forMs: random.between(500, 8_000), byMs: random.between(200, 6_000) };
  }
}
