import { SeededRandom } from '../../src/shared/seeded-random.js';
import { OUTAGE_FROM_MS } from './receivers.js';
import type { DeliveryPlan, LanePlan, ScenarioPlan } from './scenario-plan.js';
import type { Verdict } from './simulation.js';

const MERCHANTS = 6;
/** The merchant with the standing endpoint. Its payments are more frequent. */
const BUSY = 1;
/** The endpoint, and its lane. */
export const ENDPOINT = MERCHANTS + 1;
const WORKERS = 2;
/** Few enough for one endpoint to take them all. */
const SLOTS = 8;
const AFTER_MS = 300_000;
const PAYMENT_EVERY_MS = { busy: 6_000, other: 18_000 };
const MAX_WAKE_UP_MS = 30;

/** Lanes of payments' own addresses. */
export const ADDRESSES: readonly number[] = Array.from({ length: MERCHANTS }, (_, index) => index + 1);

/** Six merchants with payments, and a standing endpoint that does not answer for `outageMs` if `hasOutage`. */
export function planOutage(seed: number, outageMs: number, hasOutage = true): ScenarioPlan {
  const kind = hasOutage ? 'recovering' : 'quick';
  const endpoint: LanePlan = {
    id: ENDPOINT,
    endpointId: ENDPOINT,
    shopId: -ENDPOINT,
    merchantId: BUSY,
    origin: `http://origin-${ENDPOINT}`,
    receiver: { kind, ms: OUTAGE_FROM_MS + outageMs },
  };
  return {
    seed,
    workers: WORKERS,
    slots: SLOTS,
    lanes: [...ADDRESSES.map(addressOf), endpoint],
    deliveries: planDeliveries(seed, OUTAGE_FROM_MS + outageMs + AFTER_MS),
    disturbances: [],
  };
}

const addressOf = (merchantId: number): LanePlan => ({
  id: merchantId,
  shopId: merchantId,
  merchantId,
  origin: `http://origin-${merchantId}`,
  receiver: { kind: 'quick', ms: 0 },
});

/** Two changes of each payment to its own address, and those of the busy merchant to its endpoint too. */
function planDeliveries(seed: number, untilMs: number): DeliveryPlan[] {
  const random = new SeededRandom(seed, 'outage');
  const changes: { atMs: number; merchantId: number; paymentId: number }[] = [];
  let payments = 0;
  for (const merchantId of ADDRESSES) {
    const everyMs = merchantId === BUSY ? PAYMENT_EVERY_MS.busy : PAYMENT_EVERY_MS.other;
    for (let at = 0; at < untilMs; at += random.between(0, 2 * everyMs)) {
      const paymentId = ++payments;
      changes.push({ atMs: at, merchantId, paymentId });
      changes.push({ atMs: at + random.between(200, 5_000), merchantId, paymentId });
    }
  }
  changes.sort((one, other) => one.atMs - other.atMs);
  const wakeUps = (): DeliveryPlan['wakeUps'] => [
    { afterMs: random.between(1, MAX_WAKE_UP_MS), worker: random.integer(0, WORKERS - 1) },
  ];
  return changes
    .flatMap(({ merchantId, ...change }) =>
      (merchantId === BUSY ? [merchantId, ENDPOINT] : [merchantId]).map((laneId) => ({ ...change, laneId })),
    )
    .map((change, index) => ({ id: index + 1, ...change, bytes: 1_200, wakeUps: wakeUps() }));
}

/** The 99th percentile of the time from due to first attempt in a lane, in ms. */
export function p99Of({ waitsMs }: Verdict, laneId: number): number {
  const sorted = waitsMs.get(laneId)!.toSorted((one, other) => one - other);
  return sorted[Math.ceil(0.99 * sorted.length) - 1]!;
}
