import type { OutboundResult } from '../../src/platform/outbound/outbound-result.js';
import { SLOW_MAX } from '../../src/webhooks/delivery/concurrency-limit.js';
import type { AttemptRecord } from '../../src/webhooks/delivery/delivery-store.js';
import type { MemoryDelivery, MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import type { Incarnation } from './incarnation.js';
import { isReliable } from './receivers.js';
import { BOUNDS } from './simulated-worker.js';
import type { StoreWeather } from './store-weather.js';
import type { VirtualClock } from './virtual-clock.js';
import { type LanePlan, RETRY_DELAYS_MS, TIMEOUT_MS, type ScenarioPlan } from './scenario-plan.js';

/** What must hold in every scenario; docs/internals/testing.md says each in full. */
export type Invariant =
  | 'lost'
  | 'failed untried'
  | 'attempt without request'
  | 'attempt cut short'
  | 'early'
  | 'order'
  | 'unexplained duplicate'
  | 'burned attempt'
  | 'too many connections'
  | 'too many in flight'
  | 'too many bytes'
  | 'healthy lane delayed'
  | 'restless'
  | 'slow stop'
  | 'fault';

export interface Violation {
  invariant: Invariant;
  atMs: number;
  text: string;
}

/** A request that a receiver saw, or could have. */
export interface Wire {
  deliveryId: number;
  /** Attempts on record when it began, and one. */
  number: number;
  by: Incarnation;
  beganMs: number;
  endedMs: number | undefined;
  statusCode: number | null;
}

const GONE = 410;
/** What the sender's deadlines may be early by: a tick of theirs. */
const TICK_MS = 25;

/**
 * From commit to first request, for a delivery of a quick receiver in a scenario without crashes and outages: its wake-up may be
 * lost (1,000 ms until it counts as that), two looks are at most two ticks of 300 ms apart, whoever takes them, and a look,
 * a claim and a record before it take a few ms of the store each.
 */
const HEALTHY_DELAY_MS = 1_000 + 2 * 300 + 50;
/** What stands before it in its own lane, one after the other: `quick` takes 20 ms at most, a claim and a record some more. */
const DELAY_PER_OWN_MS = 30;
/** What a lane gets that nobody knows yet. */
const FIRST_PERMITS = 2;
/** Of a process, what such lanes of one merchant may hold together; and how many connections of an origin. */
const UNPROVEN_SHARE = 1 / 4;
const UNPROVEN_CONNECTIONS = 16;

/** Calls of its ports that a worker may make: for what it sends, and to look around. */
const CALLS_PER_REQUEST = 30;
const CALLS_PER_SECOND = 30;
const MORE_CALLS = 500;

/** Watches a scenario and says what it must not do. */
export class Oracle {
  /** The first one. */
  violation: Violation | undefined;
  requests = 0;
  private readonly wiresOf = new Map<number, Wire[]>();
  private readonly firstRecordedMs = new Map<number, number>();
  /** When the next attempt may begin, by what was recorded. */
  private readonly dueMs = new Map<number, number>();
  private readonly inFlight = new Map<string, number>();
  private readonly lanes: Map<number, LanePlan>;
  private readonly isCalm: boolean;

  constructor(
    private readonly plan: ScenarioPlan,
    private readonly store: MemoryDeliveryStore,
    private readonly weather: StoreWeather,
    private readonly clock: VirtualClock,
  ) {
    this.lanes = new Map(plan.lanes.map((lane) => [lane.id, lane]));
    this.isCalm = plan.disturbances.length === 0;
  }

  violate(invariant: Invariant, text: string): void {
    this.violation ??= { invariant, atMs: this.clock.nowMs, text };
  }

  /** A request leaves. */
  begin(by: Incarnation, deliveryId: number): Wire {
    const delivery = this.store.deliveries.get(deliveryId)!;
    const earlier = this.wiresOf.get(deliveryId) ?? [];
    this.checkTime(delivery, by);
    this.checkOrder(delivery, by);
    this.checkRepetition(delivery, earlier);
    if (earlier.length === 0) this.checkDelay(delivery);
    const wire: Wire = {
      deliveryId,
      number: delivery.attempts + 1,
      by,
      beganMs: this.clock.nowMs,
      endedMs: undefined,
      statusCode: null,
    };
    this.requests += 1;
    this.wiresOf.set(deliveryId, [...earlier, wire]);
    this.count(delivery, by, 1);
    return wire;
  }

  /** Its sender is done with it. */
  end(wire: Wire, result: OutboundResult): void {
    wire.endedMs = this.clock.nowMs;
    wire.statusCode = result.statusCode;
    this.count(this.store.deliveries.get(wire.deliveryId)!, wire.by, -1);
    if (result.error === null || !result.error.includes('timeout')) return;
    const tookMs = wire.endedMs - wire.beganMs;
    if (tookMs < TIMEOUT_MS - TICK_MS) this.violate('attempt cut short', `${nameOf(wire)} had ${ms(tookMs)} to answer`);
  }

  /** The store has taken a result. */
  recorded(by: Incarnation, attempt: AttemptRecord): void {
    if (attempt.attempts === 0) this.firstRecordedMs.set(attempt.id, this.clock.nowMs);
    this.dueMs.set(attempt.id, this.clock.nowMs + attempt.waitMs);
    const isSent = this.wiresOf.get(attempt.id)?.some((wire) => wire.by === by && wire.number === attempt.attempts + 1);
    if (isSent) return;
    const what = attempt.error ?? attempt.statusCode ?? 'nothing';
    this.violate('attempt without request', `attempt ${attempt.attempts + 1} of delivery ${attempt.id}: ${what}`);
  }

  /** All is quiet, or time is up. `calls`: of all workers' ports. */
  checkEnd(calls: number): void {
    const seconds = (this.clock.nowMs / 1_000) * this.plan.workers;
    const most = MORE_CALLS + CALLS_PER_REQUEST * this.requests + CALLS_PER_SECOND * seconds;
    if (calls > most) this.violate('restless', `${calls} calls of store and sender for ${this.requests} requests`);
    for (const delivery of this.store.deliveries.values()) this.checkOutcome(delivery);
  }

  private checkOutcome(delivery: MemoryDelivery): void {
    const { id, status, attempts, laneId } = delivery;
    const tried = new Set(this.wiresOf.get(id)?.map(({ number }) => number)).size;
    if (status === 'pending') return this.violate('lost', `delivery ${id} is pending after ${attempts} attempts`);
    const wasGone = delivery.history.at(-1)?.statusCode === GONE;
    if (status === 'failed' && !wasGone && tried <= RETRY_DELAYS_MS.length)
      this.violate('failed untried', `delivery ${id} failed with ${tried} requests`);
    if (this.isCalm && isReliable(this.lanes.get(laneId)!.receiver) && (attempts > 1 || status === 'failed'))
      this.violate('burned attempt', `delivery ${id} took ${attempts} attempts at a receiver that always answers 200`);
    const count = this.wiresOf.get(id)?.length ?? 0;
    const counts = `delivery ${id}: ${count} requests, ${attempts} attempts`;
    if (tried < attempts) this.violate('attempt without request', counts);
    if (this.isCalm && count > attempts) this.violate('unexplained duplicate', counts);
    return undefined;
  }

  private checkTime({ id, status }: MemoryDelivery, by: Incarnation): void {
    if (status !== 'pending')
      return this.violate('unexplained duplicate', `${by.name} sends delivery ${id}, which is ${status}`);
    const earlyMs = (this.dueMs.get(id) ?? 0) - this.clock.nowMs;
    if (earlyMs > 0) this.violate('early', `delivery ${id}: ${ms(earlyMs)} early`);
    return undefined;
  }

  /** Whoever had the answer to the first attempt of the change before need not wait for its record. */
  private checkOrder(delivery: MemoryDelivery, by: Incarnation): void {
    const hadAnswer = ({ id }: MemoryDelivery): boolean =>
      this.wiresOf.get(id)?.some((wire) => wire.by === by && wire.statusCode !== null) === true;
    if (!this.store.isInTurn(delivery, hadAnswer)) this.violate('order', `delivery ${delivery.id} overtakes`);
  }

  private checkRepetition({ id, attempts }: MemoryDelivery, earlier: Wire[]): void {
    for (const wire of earlier) {
      if (wire.number !== attempts + 1) continue;
      if (wire.by.isDisturbedSince(wire.beganMs) || this.weather.wasBadSince(wire.beganMs)) continue;
      this.violate(
        'unexplained duplicate',
        `delivery ${id}, attempt ${wire.number}, was sent by ${wire.by.name} before`,
      );
    }
  }

  private checkDelay({ id, laneId, paymentId }: MemoryDelivery): void {
    const lane = this.lanes.get(laneId)!;
    if (!this.isCalm || lane.receiver.kind !== 'quick') return;
    const { deliveries } = this.plan;
    const mine = deliveries.find((delivery) => delivery.id === id)!;
    const before = deliveries.filter((other) => other.paymentId === paymentId && other.id < id);
    const firstEndedMs = ({ id: other }: { id: number }): number =>
      this.firstRecordedMs.get(other) ?? this.wiresOf.get(other)?.[0]?.endedMs ?? 0;
    const sinceMs = Math.max(mine.atMs, ...before.map(firstEndedMs));
    const delayMs = this.clock.nowMs - sinceMs;
    const boundMs = this.healthyBoundMs(lane);
    if (delayMs > boundMs)
      this.violate('healthy lane delayed', `delivery ${id} of lane ${laneId}: ${ms(delayMs)} > ${ms(boundMs)}`);
  }

  /** Lanes that do not answer cost the others attempts' times only as far as they fill, untried, what is theirs to fill. */
  private healthyBoundMs(lane: LanePlan): number {
    const { deliveries, lanes, permits } = this.plan;
    const own = deliveries.filter((other) => other.laneId === lane.id).length;
    const slow = lanes.filter(({ receiver }) => receiver.kind !== 'quick');
    const here = slow.filter(({ origin }) => origin === lane.origin).length;
    const rounds = Math.ceil((FIRST_PERMITS * slow.length) / Math.max(1, permits * UNPROVEN_SHARE)) - 1;
    const roundsHere = Math.ceil((FIRST_PERMITS * here) / UNPROVEN_CONNECTIONS);
    // slow lanes that answer may come to have all of a few permits: then each of its own waits for a turn of all lanes
    const taken = slow.map(({ id }) => Math.min(SLOW_MAX, deliveries.filter(({ laneId }) => laneId === id).length));
    const longest = Math.max(...slow.map(longestMs));
    const areEnough = taken.reduce((sum, count) => sum + count, 0) < permits;
    const perOwn = areEnough ? DELAY_PER_OWN_MS : DELAY_PER_OWN_MS + (lanes.length / permits) * longest;
    return HEALTHY_DELAY_MS + own * perOwn + Math.max(0, rounds + roundsHere) * TIMEOUT_MS;
  }

  private count({ laneId, body }: MemoryDelivery, by: Incarnation, change: 1 | -1): void {
    const { origin } = this.lanes.get(laneId)!;
    const connections = this.add(`${by.name} to ${origin}`, change);
    if (connections > BOUNDS.connectionsPerOrigin)
      this.violate('too many connections', `${connections}, ${by.name} to ${origin}`);
    if (this.add(by.name, change) > this.plan.permits) this.violate('too many in flight', by.name);
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
const nameOf = ({ deliveryId, number }: Wire): string => `attempt ${number} of delivery ${deliveryId}`;
