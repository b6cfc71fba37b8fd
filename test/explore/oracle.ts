import type { OutboundResult } from '../../src/platform/outbound/outbound-result.js';
import { SLOW_MAX } from '../../src/webhooks/engine/concurrency-limit.js';
import type { AttemptRecord } from '../../src/webhooks/engine/delivery-store.js';
import type { MemoryDelivery, MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import type { ProcessInstance } from './process-instance.js';
import { isReliable } from './receivers.js';
import { BOUNDS } from './simulated-worker.js';
import type { StoreFaults } from './store-faults.js';
import type { VirtualClock } from './virtual-clock.js';
import { type DeliveryPlan, type LanePlan, RETRY_DELAYS_MS, TIMEOUT_MS, type ScenarioPlan } from './scenario-plan.js';

/** The invariants of every scenario. */
export type Invariant =
  // each delivery ends
  | 'lost'
  // `failed` only after four requests, or a 410
  | 'failed too early'
  // the worker that recorded an attempt has sent it
  | 'attempt without request'
  // a timeout is recorded only if the receiver had its 3 s
  | 'attempt cut short'
  // no request before the recorded delay is over
  | 'early'
  // no change is sent before each earlier one of its payment at the endpoint was tried
  | 'order'
  // an attempt is sent twice only after a crash, a freeze or a fault of the store
  | 'unexplained duplicate'
  // without disturbances, a receiver that always answers 200 gets each delivery once
  | 'unneeded attempt'
  // per worker: connections to an origin, requests and bytes
  | 'too many connections'
  | 'too many in flight'
  | 'too many bytes'
  // without disturbances, a delivery to a fast receiver is sent within a limit, regardless of other lanes
  | 'healthy lane delayed'
  // workers do not poll the store without need
  | 'too many calls'
  // a worker stops within 6.5 s if the store works
  | 'slow stop'
  // an exception, or an unhandled rejection
  | 'fault';

export interface Violation {
  invariant: Invariant;
  atMs: number;
  text: string;
}

/** A request that a receiver received, or could have received. */
export interface SentRequest {
  deliveryId: number;
  /** The attempts recorded when it began, plus one. */
  number: number;
  by: ProcessInstance;
  beganMs: number;
  endedMs: number | undefined;
  statusCode: number | null;
}

const GONE = 410;
/** The sender's deadlines may be early by one tick of its timer. */
const TICK_MS = 25;

/**
 * From commit to first request, for a delivery of a quick receiver in a scenario without crashes and outages. Its
 * wake-up may be lost, which is assumed after 1,000 ms. Two scans are at most two ticks of 300 ms apart, regardless of
 * the worker that runs them. A scan, a claim and a record before it take a few ms of the store each.
 */
const HEALTHY_DELAY_MS = 1_000 + 2 * 300 + 50;
/** Per earlier delivery of its own lane: `quick` answers within 20 ms, and a claim and a record take some more. */
const DELAY_PER_OWN_MS = 30;
/** Slots of a lane that no worker has tried yet. */
const FIRST_SLOTS = 2;
/**
 * The share of a process's slots, and the connections to one origin, that untried lanes of one merchant may use
 * together.
 */
const UNPROVEN_SHARE = 1 / 4;
const UNPROVEN_CONNECTIONS = 16;

/** Port calls that a worker may make: per request, and per second for scans. */
const CALLS_PER_REQUEST = 30;
const CALLS_PER_SECOND = 30;
const MORE_CALLS = 500;

/** Watches a scenario and records its first violation of an invariant. */
export class Oracle {
  violation: Violation | undefined;
  requests = 0;
  /** By lane: time from due to first attempt of each delivery, in ms. */
  readonly waitsMs: Map<number, number[]>;
  private readonly requestsOf = new Map<number, SentRequest[]>();
  private readonly firstRecordedMs = new Map<number, number>();
  /** When the next attempt may begin, by the recorded results. */
  private readonly dueMs = new Map<number, number>();
  private readonly inFlight = new Map<string, number>();
  private readonly lanes: Map<number, LanePlan>;
  private readonly isUndisturbed: boolean;

  constructor(
    private readonly plan: ScenarioPlan,
    private readonly store: MemoryDeliveryStore,
    private readonly storeFaults: StoreFaults,
    private readonly clock: VirtualClock,
  ) {
    this.lanes = new Map(plan.lanes.map((lane) => [lane.id, lane]));
    this.waitsMs = new Map(plan.lanes.map(({ id }) => [id, []]));
    this.isUndisturbed = plan.disturbances.length === 0;
  }

  violate(invariant: Invariant, text: string): void {
    this.violation ??= { invariant, atMs: this.clock.nowMs, text };
  }

  /** A request is sent. */
  begin(by: ProcessInstance, deliveryId: number): SentRequest {
    const delivery = this.store.deliveries.get(deliveryId)!;
    const earlier = this.requestsOf.get(deliveryId) ?? [];
    this.checkTime(delivery, by);
    this.checkOrder(delivery, by);
    this.checkRepetition(delivery, earlier);
    if (earlier.length === 0) {
      this.waitsMs.get(delivery.laneId)!.push(this.clock.nowMs - delivery.dueAtMs!);
      this.checkDelay(delivery);
    }
    const wire: SentRequest = {
      deliveryId,
      number: delivery.attempts + 1,
      by,
      beganMs: this.clock.nowMs,
      endedMs: undefined,
      statusCode: null,
    };
    this.requests += 1;
    this.requestsOf.set(deliveryId, [...earlier, wire]);
    this.count(delivery, by, 1);
    return wire;
  }

  /** The sender has its result. */
  end(wire: SentRequest, result: OutboundResult): void {
    wire.endedMs = this.clock.nowMs;
    wire.statusCode = result.statusCode;
    this.count(this.store.deliveries.get(wire.deliveryId)!, wire.by, -1);
    if (result.error === null || !result.error.includes('timeout')) return;
    const tookMs = wire.endedMs - wire.beganMs;
    if (tookMs < TIMEOUT_MS - TICK_MS) this.violate('attempt cut short', `${nameOf(wire)} had ${ms(tookMs)} to answer`);
  }

  /** The store has recorded a result. */
  recorded(by: ProcessInstance, attempt: AttemptRecord): void {
    if (attempt.attempts === 0) this.firstRecordedMs.set(attempt.id, this.clock.nowMs);
    this.dueMs.set(attempt.id, this.clock.nowMs + attempt.waitMs);
    const isSent = this.requestsOf
      .get(attempt.id)
      ?.some((wire) => wire.by === by && wire.number === attempt.attempts + 1);
    if (isSent) return;
    const what = attempt.error ?? attempt.statusCode ?? 'nothing';
    this.violate('attempt without request', `attempt ${attempt.attempts + 1} of delivery ${attempt.id}: ${what}`);
  }

  /** The scenario is over. `calls`: port calls of all workers. */
  checkEnd(calls: number): void {
    const seconds = (this.clock.nowMs / 1_000) * this.plan.workers;
    const most = MORE_CALLS + CALLS_PER_REQUEST * this.requests + CALLS_PER_SECOND * seconds;
    if (calls > most)
      this.violate('too many calls', `${calls} calls of store and sender for ${this.requests} requests`);
    for (const delivery of this.store.deliveries.values()) this.checkOutcome(delivery);
  }

  private checkOutcome(delivery: MemoryDelivery): void {
    const { id, status, attempts, laneId } = delivery;
    const tried = new Set(this.requestsOf.get(id)?.map(({ number }) => number)).size;
    if (status === 'pending') return this.violate('lost', `delivery ${id} is pending after ${attempts} attempts`);
    const wasGone = delivery.history.at(-1)?.statusCode === GONE;
    if (status === 'failed' && !wasGone && tried <= RETRY_DELAYS_MS.length)
      this.violate('failed too early', `delivery ${id} failed with ${tried} requests`);
    if (this.isUndisturbed && isReliable(this.lanes.get(laneId)!.receiver) && (attempts > 1 || status === 'failed'))
      this.violate(
        'unneeded attempt',
        `delivery ${id} took ${attempts} attempts at a receiver that always answers 200`,
      );
    const count = this.requestsOf.get(id)?.length ?? 0;
    const counts = `delivery ${id}: ${count} requests, ${attempts} attempts`;
    if (tried < attempts) this.violate('attempt without request', counts);
    if (this.isUndisturbed && count > attempts) this.violate('unexplained duplicate', counts);
    return undefined;
  }

  private checkTime({ id, status }: MemoryDelivery, by: ProcessInstance): void {
    if (status !== 'pending')
      return this.violate('unexplained duplicate', `${by.name} sends delivery ${id}, which is ${status}`);
    const earlyMs = (this.dueMs.get(id) ?? 0) - this.clock.nowMs;
    if (earlyMs > 0) this.violate('early', `delivery ${id}: ${ms(earlyMs)} early`);
    return undefined;
  }

  /** A worker that received the answer to the first attempt of the previous change need not wait for its record. */
  private checkOrder(delivery: MemoryDelivery, by: ProcessInstance): void {
    const hadAnswer = ({ id }: MemoryDelivery): boolean =>
      this.requestsOf.get(id)?.some((wire) => wire.by === by && wire.statusCode !== null) === true;
    if (!this.store.isUnblocked(delivery, hadAnswer)) this.violate('order', `delivery ${delivery.id} overtakes`);
  }

  private checkRepetition({ id, attempts }: MemoryDelivery, earlier: SentRequest[]): void {
    for (const wire of earlier) {
      if (wire.number !== attempts + 1) continue;
      if (wire.by.isDisturbedSince(wire.beganMs) || this.storeFaults.wasDegradedSince(wire.beganMs)) continue;
      this.violate(
        'unexplained duplicate',
        `delivery ${id}, attempt ${wire.number}, was sent by ${wire.by.name} before`,
      );
    }
  }

  private checkDelay({ id, laneId, paymentId, endpointId }: MemoryDelivery): void {
    const lane = this.lanes.get(laneId)!;
    if (!this.isUndisturbed || lane.receiver.kind !== 'quick') return;
    const { deliveries } = this.plan;
    const mine = deliveries.find((delivery) => delivery.id === id)!;
    const isBefore = (other: DeliveryPlan): boolean =>
      other.paymentId === paymentId && other.id < id && (this.lanes.get(other.laneId)!.endpointId ?? 0) === endpointId;
    const before = deliveries.filter(isBefore);
    const firstEndedMs = ({ id: other }: { id: number }): number =>
      this.firstRecordedMs.get(other) ?? this.requestsOf.get(other)?.[0]?.endedMs ?? 0;
    const sinceMs = Math.max(mine.atMs, ...before.map(firstEndedMs));
    const delayMs = this.clock.nowMs - sinceMs;
    const boundMs = this.healthyBoundMs(lane);
    if (delayMs > boundMs)
      this.violate('healthy lane delayed', `delivery ${id} of lane ${laneId}: ${ms(delayMs)} > ${ms(boundMs)}`);
  }

  /** Unresponsive lanes delay the others only while the slots and connections that untried lanes may use are full. */
  private healthyBoundMs(lane: LanePlan): number {
    const { deliveries, lanes, slots } = this.plan;
    const own = deliveries.filter((other) => other.laneId === lane.id).length;
    const slow = lanes.filter(({ receiver }) => receiver.kind !== 'quick');
    const here = slow.filter(({ origin }) => origin === lane.origin).length;
    const rounds = Math.ceil((FIRST_SLOTS * slow.length) / Math.max(1, slots * UNPROVEN_SHARE)) - 1;
    const roundsHere = Math.ceil((FIRST_SLOTS * here) / UNPROVEN_CONNECTIONS);
    // slow lanes that answer may use all of a few slots: then each delivery of this lane waits for one round of all
    // lanes
    const taken = slow.map(({ id }) => Math.min(SLOW_MAX, deliveries.filter(({ laneId }) => laneId === id).length));
    const longest = Math.max(...slow.map(longestMs));
    const areEnough = taken.reduce((sum, count) => sum + count, 0) < slots;
    const delayPerDelivery = areEnough ? DELAY_PER_OWN_MS : DELAY_PER_OWN_MS + (lanes.length / slots) * longest;
    return HEALTHY_DELAY_MS + own * delayPerDelivery + Math.max(0, rounds + roundsHere) * TIMEOUT_MS;
  }

  private count({ laneId, body }: MemoryDelivery, by: ProcessInstance, change: 1 | -1): void {
    const { origin } = this.lanes.get(laneId)!;
    const connections = this.add(`${by.name} to ${origin}`, change);
    if (connections > BOUNDS.connectionsPerOrigin)
      this.violate('too many connections', `${connections}, ${by.name} to ${origin}`);
    if (this.add(by.name, change) > this.plan.slots) this.violate('too many in flight', by.name);
    if (this.add(`bytes of ${by.name}`, change * body.length) > BOUNDS.bytes) this.violate('too many bytes', by.name);
  }

  private add(key: string, change: number): number {
    const sum = (this.inFlight.get(key) ?? 0) + change;
    this.inFlight.set(key, sum);
    return sum;
  }
}

const ms = (value: number): string => `${Math.round(value)} ms`;
const longestMs = ({ receiver }: LanePlan): number => (receiver.kind === 'slow' ? 1.1 * receiver.ms : TIMEOUT_MS);
const nameOf = ({ deliveryId, number }: SentRequest): string => `attempt ${number} of delivery ${deliveryId}`;
