import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Pacer } from '../../shared/pacer.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { boundedCache } from '../../shared/bounded-cache.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { ScheduledLane } from './capacity-pool.js';
import { DeliveryClaims, type Unit } from './delivery-claims.js';
import { DeliveryScheduler, type Reservation } from './delivery-scheduler.js';
import { DeliveryStore, MAX_BODY_BYTES, MAX_REMEMBERED } from './delivery-store.js';
import { type SentDelivery, UnitSender } from './unit-sender.js';
import { WebhookSender } from '../endpoint/webhook-sender.js';

/** Delay before released slots are reserved again. It combines several slots, so that a claim is worth its statement. */
const DISPATCH_DELAY_MS = 5;
/** Requests that start in one event-loop iteration. Signing and writing 16 takes a millisecond. */
export const SENDS_PER_ITERATION = 16;

/** A lane with due deliveries or attempts in flight in this process. */
interface ActiveLane {
  readonly lane: ScheduledLane;
  /** Deliveries may be due that no claim has read. */
  isDue: boolean;
  isClaiming: boolean;
  claimEndedAt: number;
  /** Claimed deliveries that are neither recorded nor released. */
  unfinished: number;
  /** Set while the lane is paced. */
  paceTimer: NodeJS.Timeout | undefined;
}

/**
 * Sends due deliveries, lane by lane. The states of a lane in this process:
 *
 *            wake          slots free          deliveries          answer or time-out
 *   idle ──────────▶ due ─────────────▶ claiming ──────────▶ sending ─────────────────▶ recording ──▶ idle
 *                     ▲                    │ none: idle          │ next change of the payment    │
 *                     │                    │ full: due           └───────▶ sending               │
 *                     │                    │                                                    │
 *                     ├────────────────────┴──── a later change waited for this record ◀─────────┘
 *   maximum rate used ▼ ▲ next attempt may begin
 *                    paced
 *
 * - A lane has one claim at a time, and claims only with slots that the scheduler reserved for it.
 * - A claim returns units. A unit is a sequence of due changes of one payment. After a fast answer the next change is sent
 *   in the same slot, without waiting for the record of the previous one. Otherwise the remaining changes are released.
 * - A commit wakes its lane. So after a claim that was not full only two things make a lane due again: a recorded first
 *   attempt with a waiting successor, and the reconciler.
 * - An error here is a fault of this service. It is logged, and the deliveries are sent again after their lease.
 *
 * It uses only global timers and no other clock, so a test can run it in virtual time (`test/explore`).
 */
@Injectable()
export class DeliveryDispatcher {
  private readonly logger = new Logger(DeliveryDispatcher.name);
  private readonly slots: number;
  private readonly scheduler: DeliveryScheduler;
  private readonly units: UnitSender;
  private readonly known = boundedCache<number, ScheduledLane>(MAX_REMEMBERED);
  private readonly active = new Map<number, ActiveLane>();
  private readonly pacer = new Pacer(SENDS_PER_ITERATION);
  private dispatchTimer: NodeJS.Timeout | undefined;
  private releaseTo: ((laneIds: number[]) => void) | undefined;
  private readonly whenCapacity: (() => void)[] = [];
  private readonly whenIdle: (() => void)[] = [];
  private lastFailure: unknown;

  constructor(
    private readonly store: DeliveryStore,
    private readonly claims: DeliveryClaims,
    @Inject(WebhookSender) sender: Pick<WebhookSender, 'send'>,
    private readonly recorder: AttemptRecorder,
    private readonly metrics: WebhookMetrics,
    @InjectConfig() config: Pick<Config, 'workerConcurrency' | 'webhookTimeoutMs'>,
  ) {
    this.slots = config.workerConcurrency;
    this.scheduler = new DeliveryScheduler(this.slots);
    this.units = new UnitSender(claims, sender, this.scheduler, metrics, config.webhookTimeoutMs);
    metrics.observe(() => ({ lanesActive: this.active.size, ...this.scheduler.load }));
  }

  /** Wakes lanes that may have due deliveries. `health`: assumed health of endpoints that this process has not tried. */
  wake(laneIds: Iterable<number>, health: ScheduledLane['health'] = 'untried'): void {
    if (this.releaseTo) return this.releaseTo([...laneIds]);
    const unknown: number[] = [];
    for (const laneId of laneIds) {
      const lane = this.active.get(laneId)?.lane ?? this.known.get(laneId);
      if (lane) this.wakeLane(lane);
      else unknown.push(laneId);
    }
    this.dispatch();
    if (unknown.length > 0) void this.loadLanes(unknown, health);
  }

  /** Sets how many workers share the connections of each origin. */
  shareAmong(workers: number): void {
    this.scheduler.shareAmong(workers);
    this.dispatch();
  }

  /** Returns whether the lane waits for slots in this process. */
  isWaiting(laneId: number): boolean {
    return (this.active.get(laneId)?.lane.wanted ?? 0) > 0;
  }

  /** Returns whether the lane waits here because of its maximum rate. */
  isPaced(laneId: number): boolean {
    return this.active.get(laneId)?.paceTimer !== undefined;
  }

  /** Number of further lanes that may wait here. The reconciler finds the others again. */
  get freePlaces(): number {
    return Math.max(0, MAX_REMEMBERED / 2 - sum(this.scheduler.waiting));
  }

  /** Resolves when few healthy lanes wait. Until then another worker is better for further lanes. */
  hasCapacity(): Promise<void> {
    if (!this.isBusy) return Promise.resolve();
    return new Promise((resolve) => this.whenCapacity.push(resolve));
  }

  /**
   * Stops claiming and releases claimed deliveries that are not sent yet. Resolves when attempts in flight are recorded.
   * `releaseTo` receives lanes that may have more due deliveries, and all lanes that are woken later.
   */
  async stop(releaseTo: (laneIds: number[]) => void): Promise<void> {
    this.releaseTo = releaseTo;
    clearTimeout(this.dispatchTimer);
    for (const resolve of this.whenCapacity.splice(0)) resolve();
    this.units.stop();
    for (const active of [...this.active.values()]) this.advance(active);
    if (this.active.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private wakeLane(lane: ScheduledLane): void {
    let active = this.active.get(lane.info.id);
    if (active === undefined) {
      if (this.freePlaces === 0) return;
      active = { lane, isDue: false, isClaiming: false, claimEndedAt: -Infinity, unfinished: 0, paceTimer: undefined };
      this.active.set(lane.info.id, active);
    }
    active.isDue = true;
    if (!active.isClaiming) this.request(active);
  }

  /** Requests slots for a lane. A lane that has used its maximum rate requests them when its next attempt may begin. */
  private request(active: ActiveLane): void {
    const { lane } = active;
    this.scheduler.request(lane);
    const { waitMs } = lane.pace;
    if (lane.wanted > 0 || waitMs === 0) return;
    active.paceTimer ??= setTimeout(() => {
      active.paceTimer = undefined;
      this.advance(active);
    }, waitMs);
  }

  /** Reads lanes from the store, once each, because lanes never change. */
  private async loadLanes(laneIds: number[], health: ScheduledLane['health']): Promise<void> {
    try {
      const infos = await this.store.lanes(laneIds);
      for (const info of infos)
        if (!this.known.has(info.id)) this.known.set(info.id, this.scheduler.lane(info, health));
      if (infos.length > 0) this.wake(infos.map(({ id }) => id));
    } catch (error) {
      this.failed(laneIds[0]!, error);
    }
  }

  /** Reserves the free slots and claims with them. */
  private dispatch(): void {
    clearTimeout(this.dispatchTimer);
    this.dispatchTimer = undefined;
    // more unrecorded results than slots: the database is too slow for more claims
    if (this.releaseTo || this.recorder.unrecorded > this.slots) return;
    for (const [lane, reservation] of this.scheduler.reserve())
      void this.claim(this.active.get(lane.info.id)!, reservation);
    if (!this.isBusy) for (const resolve of this.whenCapacity.splice(0)) resolve();
  }

  /**
   * Requests slots for a lane, and dispatches. Call it after a slot was released or the lane became due. A healthy lane
   * with nothing in flight is dispatched at once.
   */
  private advance(active: ActiveLane): void {
    const { lane } = active;
    if (this.releaseTo) {
      this.scheduler.cancel(lane);
      if (active.isDue) this.releaseTo([lane.info.id]);
      active.isDue = false;
    } else if (active.isDue && !active.isClaiming) this.request(active);
    this.endIfIdle(active);
    if (this.releaseTo || sum(this.scheduler.waiting) === 0) return;
    if (lane.wanted > 0 && lane.inFlight === 0 && lane.health === 'healthy') this.dispatch();
    else this.dispatchTimer ??= setTimeout(() => this.dispatch(), DISPATCH_DELAY_MS);
  }

  private endIfIdle({ lane, isDue, isClaiming, unfinished, paceTimer }: ActiveLane): void {
    if (isDue || isClaiming || unfinished > 0 || lane.inFlight > 0) return;
    clearTimeout(paceTimer);
    if (this.active.delete(lane.info.id) && this.active.size === 0)
      for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  /** Never rejects. */
  private async claim(active: ActiveLane, reservation: Reservation): Promise<void> {
    const { lane } = active;
    active.isClaiming = true;
    active.isDue = false;
    this.scheduler.cancel(lane);
    const units = await this.claimed(lane, reservation);
    const sizes = units.map(bytesOf);
    const receiver = units[0]?.[0].receiver;
    if (receiver) lane.maxPerSecond = receiver.maxPerSecond ?? Infinity;
    active.isDue ||= units.length === reservation.slots || sum(sizes) > reservation.bytes;
    active.isClaiming = false;
    active.claimEndedAt = performance.now();
    this.scheduler.commit(lane, reservation, sizes);
    for (const [index, unit] of units.entries()) {
      active.unfinished += unit.length;
      this.pacer.run(() => void this.send(active, unit, sizes[index]!));
    }
    this.advance(active);
  }

  private async claimed(lane: ScheduledLane, { slots: quota, bytes }: Reservation): Promise<Unit[]> {
    const { info, health, maxPerSecond } = lane;
    const isHealthy = health === 'healthy';
    try {
      // twice the largest body above the reservation: a claim that returns less has left no unit behind
      const maxBytes = bytes + 2 * MAX_BODY_BYTES;
      // at an endpoint that may not answer, the successors would wait for a whole time-out; at a maximum rate each
      // attempt needs a slot of its own
      const withSuccessors = isHealthy && maxPerSecond === Infinity;
      const claim = { laneId: info.id, quota, maxBytes, withSuccessors, isHealthy };
      const units = await this.claims.claim(claim);
      this.metrics.claims.inc({ brought: units.length > 0 ? 'deliveries' : 'nothing' });
      return units;
    } catch (error) {
      this.failed(info.id, error);
      return [];
    }
  }

  /** Sends a unit in one slot, and records its attempts. Never rejects. */
  private async send(active: ActiveLane, unit: Unit, bytes: number): Promise<void> {
    const { lane } = active;
    const record = (sent: SentDelivery): void => void this.record(active, sent, true);
    const { last, remaining, fault } = await this.units.send(lane, unit, record);
    if (fault !== undefined) this.failed(lane.info.id, fault);
    void this.releaseSlot(active, bytes, last);
    // after a fault the deliveries wait for the end of their lease: a new claim would have the same fault
    if (remaining.length > 0 && fault === undefined) await this.claims.release(remaining);
    active.unfinished -= remaining.length;
    active.isDue ||= last === undefined && fault === undefined;
    if (last) await this.record(active, last, false);
    else this.advance(active);
  }

  private async releaseSlot(active: ActiveLane, bytes: number, last: SentDelivery | undefined): Promise<void> {
    if (last?.result.statusCode === null) await this.units.coolDown();
    this.scheduler.release(active.lane, 1, bytes);
    this.advance(active);
  }

  /** Records an attempt. `isSuccessorSent`: this worker already sends the next change. Never rejects. */
  private async record(
    active: ActiveLane,
    { delivery, result }: SentDelivery,
    isSuccessorSent: boolean,
  ): Promise<void> {
    const askedAt = performance.now();
    try {
      const recorded = await this.recorder.record(delivery, result, isSuccessorSent);
      // a claim concurrent with the record may have skipped a successor that still waited for this attempt
      const mayHaveMissed = delivery.attempts === 0 && (active.isClaiming || active.claimEndedAt >= askedAt);
      active.isDue ||= mayHaveMissed || (recorded?.hasSuccessor === true && !isSuccessorSent);
    } catch (error) {
      this.failed(active.lane.info.id, error);
    }
    active.unfinished -= 1;
    this.advance(active);
  }

  private get isBusy(): boolean {
    const [interactive, bulk] = this.scheduler.waiting;
    return interactive! + bulk! > this.slots / 2;
  }

  /** Logs an error once: all lanes of a claim fail with the same error. */
  private failed(laneId: number, error: unknown): void {
    if (error !== this.lastFailure) this.logger.warn({ msg: 'lane failed', laneId, err: error });
    this.lastFailure = error;
  }
}

const bytesOf = (unit: Unit): number => sum(unit.map(({ request_body }) => Buffer.byteLength(request_body)));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
