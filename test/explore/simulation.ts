import type { MemoryDelivery } from '../support/app/memory-delivery-store.js';
import type { Violation } from './oracle.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import { SimulatedQueue } from './simulated-queue.js';
import { WorkerProcess } from './worker-process.js';
import { Scenario, type ScenarioOptions } from './scenario.js';
import { type DeliveryPlan, type Disturbance, TIMEOUT_MS, type ScenarioPlan } from './scenario-plan.js';

export interface Verdict {
  /** The first violation, which ends the scenario. */
  violation: Violation | undefined;
  /** In virtual time. */
  tookMs: number;
  requests: number;
  /** Port calls of each worker. */
  calls: number[];
  /** By lane: time from due to first attempt of each delivery, in ms. */
  waitsMs: Map<number, number[]>;
  deliveries: MemoryDelivery[];
  trace: string[];
}

/**
 * The scenario is stuck if nothing is sent or recorded for this long although a delivery is pending. No retry delay is
 * longer.
 */
const STUCK_MS = 60_000;
/** Time after the last delivery has ended, to detect requests and records that come too late. */
const AFTERMATH_MS = 8_000;
/**
 * An unresponsive receiver's delivery takes four attempts and the pauses between them; a lane has at least one in
 * flight.
 */
const MOST_PER_DELIVERY_MS = 4 * TIMEOUT_MS + 15_000;

/** Runs a scenario and returns its verdict. The same plan gives the same verdict. One at a time in a thread. */
export async function simulate(plan: ScenarioPlan, options: ScenarioOptions = {}): Promise<Verdict> {
  const scenario = new Scenario(plan, options);
  const { clock, oracle } = scenario;
  const random = new SeededRandom(plan.seed, 'engine');
  const uninstall = clock.install(() => random.between(0, 1));
  const workers: WorkerProcess[] = [];
  const queue = new SimulatedQueue(scenario, (index, laneIds) => workers[index]!.wake(laneIds));
  const notify = queue.notify.bind(queue);
  for (let index = 0; index < plan.workers; index++) workers.push(new WorkerProcess(index, scenario, notify));
  try {
    schedule(scenario, workers);
    scenario.redeliveries?.start(notify);
    await clock.run(isOver(scenario));
    oracle.checkEnd(workers.reduce((sum, { calls }) => sum + calls.count, 0));
  } catch (error) {
    oracle.violate('fault', (error as Error).stack ?? String(error));
  } finally {
    for (const worker of workers) worker.end();
    uninstall();
  }
  return {
    violation: oracle.violation,
    tookMs: clock.nowMs,
    requests: oracle.requests,
    calls: workers.map(({ calls }) => calls.count),
    waitsMs: oracle.waitsMs,
    deliveries: [...scenario.store.deliveries.values()],
    trace: scenario.trace,
  };
}

function schedule({ plan, clock, store, lanes }: Scenario, workers: WorkerProcess[]): void {
  const commit = ({ id, laneId, paymentId, bytes, wakeUps }: DeliveryPlan): void => {
    const { origin, endpointId = 0 } = lanes.get(laneId)!;
    store.append({ id, laneId, paymentId, endpointId, endpoint: `${origin}/${laneId}`, body: bodyOf(bytes) });
    for (const { afterMs, worker } of wakeUps) clock.after(afterMs, undefined, () => workers[worker]!.wake([laneId]));
  };
  for (const delivery of plan.deliveries) clock.at(delivery.atMs, undefined, () => commit(delivery));
  for (const disturbance of plan.disturbances) {
    if (!('worker' in disturbance) || !('ms' in disturbance.at)) continue;
    clock.at(disturbance.at.ms, undefined, () => workers[disturbance.worker]!.disturb(disturbance));
  }
}

function isOver(scenario: Scenario): () => boolean {
  const { plan, clock, oracle, store } = scenario;
  const plannedMs = Math.max(...plan.deliveries.map(({ atMs }) => atMs), ...plan.disturbances.map(endOf));
  const latestMs = plannedMs + STUCK_MS + plan.deliveries.length * MOST_PER_DELIVERY_MS;
  return () => {
    if (oracle.violation !== undefined) return true;
    if (clock.nowMs <= plannedMs) return false;
    const quietMs = clock.nowMs - Math.max(scenario.progressMs, plannedMs);
    if (store.pending === 0 && !scenario.redeliveries?.isBusy) return quietMs > AFTERMATH_MS;
    return quietMs > STUCK_MS || clock.nowMs > latestMs;
  };
}

function endOf(disturbance: Disturbance): number {
  const startedMs = 'ms' in disturbance.at ? disturbance.at.ms : 0;
  return startedMs + ('forMs' in disturbance ? disturbance.forMs : disturbance.downMs);
}

const bodies = new Map<number, string>();

function bodyOf(bytes: number): string {
  const body = bodies.get(bytes) ?? 'x'.repeat(bytes);
  bodies.set(bytes, body);
  return body;
}
