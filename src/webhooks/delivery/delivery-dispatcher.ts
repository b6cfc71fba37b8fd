import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { Pacer } from '../../shared/pacer.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { sendTraced } from './attempt-span.js';
import type { ScheduledLane } from './capacity-pool.js';
import { FAST_MS } from './concurrency-limit.js';
import { type ClaimedDelivery, DeliveryClaims, type Unit } from './delivery-claims.js';
import { DeliveryScheduler, type Reservation } from './delivery-scheduler.js';
import { DeliveryStore, MAX_BODY_BYTES, MAX_REMEMBERED } from './delivery-store.js';
import { WebhookSender } from './webhook-sender.js';

/** Slots that come back are given out together after so long, so that claims are worth their statement. */
const GATHER_MS = 5;
/** Requests that begin in one turn of the event loop: signing and writing so many takes a millisecond. */
export const SENDS_PER_ITERATION = 16;
const LOG_INTERVAL_MS = 10_000;

interface EndedAttempt {
  delivery: ClaimedDelivery;
  result: OutboundResult;
}

/** A lane with something due or in flight here. */
interface ActiveLane {
  readonly lane: ScheduledLane;
  /** Something may be due that no claim has looked for. */
  isDue: boolean;
  isClaiming: boolean;
  claimEndedAt: number;
  /** Claimed deliveries that are neither recorded nor released. */
  open: number;
}

/**
 * Sends what is due, lane by lane. A lane of this process:
 *
 *            wake          slots free          deliveries          answer or time-out
 *   idle ──────────▶ due ─────────────▶ claiming ──────────▶ sending ─────────────────▶ recording ──▶ idle
 *                     ▲                    │ none: idle          │ next change of the payment    │
 *                     │                    │ full: due           └───────▶ sending               │
 *                     └────────────────────┴──── a later change waited for this record ◀─────────┘
 *
 * - A lane has one claim at a time, and claims only under slots that the scheduler reserved for it.
 * - A claim brings units: the due changes of one payment. The next change is sent under the same slot as soon as the one
 *   before was answered fast, without waiting for its record; otherwise the rest of the unit is released.
 * - A commit wakes its lane. So after a claim that was not full only two things make a lane due: a recorded first attempt
 *   that a later change waited for, and the reconciler.
 * - An error here is a fault of this service: it is logged, and the end of the lease brings the deliveries back.
 *
 * It uses global timers only and no other clock, so a test can run it in virtual time (`test/explore`).
 */
@Injectable()
export class DeliveryDispatcher {
  private readonly logger = new Logger(DeliveryDispatcher.name);
  private readonly slots: number;
  private readonly scheduler: DeliveryScheduler;
  private readonly known = new LRUCache<number, ScheduledLane>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
  private readonly active = new Map<number, ActiveLane>();
  private readonly pacer = new Pacer(SENDS_PER_ITERATION);
  /** Slots that cool down, with their timers. */
  private readonly cooling = new Map<() => void, NodeJS.Timeout>();
  private gathering: NodeJS.Timeout | undefined;
  private releaseTo: ((laneIds: number[]) => void) | undefined;
  private readonly whenCapacity: (() => void)[] = [];
  private readonly whenIdle: (() => void)[] = [];
  private lastFailure: unknown;
  private nextLogAt = -Infinity;

  constructor(
    private readonly store: DeliveryStore,
    private readonly claims: DeliveryClaims,
    @Inject(WebhookSender) private readonly sender: Pick<WebhookSender, 'send'>,
    private readonly recorder: AttemptRecorder,
    private readonly metrics: WebhookMetrics,
    @InjectConfig() private readonly config: Pick<Config, 'workerConcurrency' | 'webhookTimeoutMs'>,
  ) {
    this.slots = config.workerConcurrency;
    this.scheduler = new DeliveryScheduler(this.slots);
    metrics.observe(() => ({ lanesActive: this.active.size, ...this.scheduler.load }));
  }

  /** These lanes may have something due. `health`: what to assume of endpoints that this process never tried. */
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

  /** So many workers share the connections of each origin from now on. */
  shareAmong(workers: number): void {
    this.scheduler.shareAmong(workers);
    this.dispatch();
  }

  /** Whether the lane waits for slots here, and will then claim what is due. */
  isWaiting(laneId: number): boolean {
    return (this.active.get(laneId)?.lane.wanted ?? 0) > 0;
  }

  /** How many more lanes may wait here; the reconciler finds others again. */
  get freePlaces(): number {
    return Math.max(0, MAX_REMEMBERED / 2 - sum(this.scheduler.waiting));
  }

  /** Resolves when few healthy lanes wait: otherwise another worker is the better place for more. */
  hasCapacity(): Promise<void> {
    if (!this.isBusy) return Promise.resolve();
    return new Promise((resolve) => this.whenCapacity.push(resolve));
  }

  /**
   * Claims nothing from now on and releases what was claimed and not sent. Resolves when what is in flight is recorded.
   * `releaseTo` gets the lanes that may have more due, and those that are woken from now on.
   */
  async stop(releaseTo: (laneIds: number[]) => void): Promise<void> {
    this.releaseTo = releaseTo;
    clearTimeout(this.gathering);
    for (const resolve of this.whenCapacity.splice(0)) resolve();
    for (const [release, timer] of [...this.cooling]) {
      clearTimeout(timer);
      release();
    }
    for (const active of [...this.active.values()]) this.advance(active);
    if (this.active.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private wakeLane(lane: ScheduledLane): void {
    let active = this.active.get(lane.info.id);
    if (active === undefined) {
      if (this.freePlaces === 0) return;
      active = { lane, isDue: false, isClaiming: false, claimEndedAt: -Infinity, open: 0 };
      this.active.set(lane.info.id, active);
    }
    active.isDue = true;
    if (!active.isClaiming) this.scheduler.request(lane);
  }

  /** A lane never changes, so it is read once. */
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

  /** Lanes claim under the slots that are free. */
  private dispatch(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    // with more unrecorded results than slots the database is too slow to claim on
    if (this.releaseTo || this.recorder.unrecorded > this.slots) return;
    for (const [lane, reservation] of this.scheduler.reserve())
      void this.claim(this.active.get(lane.info.id)!, reservation);
    if (!this.isBusy) for (const resolve of this.whenCapacity.splice(0)) resolve();
  }

  /** Slots came back, or something became due. A healthy lane with nothing in flight does not wait for more slots. */
  private advance(active: ActiveLane): void {
    const { lane } = active;
    if (this.releaseTo) {
      this.scheduler.cancel(lane);
      if (active.isDue) this.releaseTo([lane.info.id]);
      active.isDue = false;
    } else if (active.isDue && !active.isClaiming) this.scheduler.request(lane);
    this.endIfIdle(active);
    if (this.releaseTo || sum(this.scheduler.waiting) === 0) return;
    if (lane.wanted > 0 && lane.inFlight === 0 && lane.health === 'healthy') this.dispatch();
    else this.gathering ??= setTimeout(() => this.dispatch(), GATHER_MS);
  }

  private endIfIdle({ lane, isDue, isClaiming, open }: ActiveLane): void {
    if (isDue || isClaiming || open > 0 || lane.inFlight > 0) return;
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
    active.isDue ||= units.length === reservation.slots || sum(sizes) > reservation.bytes;
    active.isClaiming = false;
    active.claimEndedAt = performance.now();
    this.scheduler.commit(lane, reservation, sizes);
    for (const [index, unit] of units.entries()) {
      active.open += unit.length;
      this.pacer.run(() => void this.send(active, unit, sizes[index]!));
    }
    this.advance(active);
  }

  private async claimed({ info, health }: ScheduledLane, { slots: quota, bytes }: Reservation): Promise<Unit[]> {
    const isHealthy = health === 'healthy';
    try {
      // a claim may bring so much more than was reserved that one which brings less left no unit behind
      const maxBytes = bytes + 2 * MAX_BODY_BYTES;
      // the changes of an endpoint that may not answer would wait for an attempt that takes its whole time
      const claim = { laneId: info.id, quota, maxBytes, withSuccessors: isHealthy, isHealthy };
      const units = await this.claims.claim(claim);
      this.metrics.claims.inc({ brought: units.length > 0 ? 'deliveries' : 'nothing' });
      return units;
    } catch (error) {
      this.failed(info.id, error);
      return [];
    }
  }

  /** Sends the changes of a unit one after another under one slot. Never rejects. */
  private async send(active: ActiveLane, unit: Unit, bytes: number): Promise<void> {
    const rest: ClaimedDelivery[] = [...unit];
    let last: EndedAttempt | undefined;
    let isFault = false;
    while (rest.length > 0 && this.maySend(rest[0]!, last?.result)) {
      if (last) void this.record(active, last, true);
      last = undefined;
      const result = await this.attempt(active.lane, rest[0]!);
      isFault = result === undefined;
      if (result === undefined || !wasSent(result)) break;
      last = { delivery: rest.shift()!, result };
    }
    this.releaseSlot(active, bytes, last?.result);
    // after a fault the end of the lease is soon enough: a claim would only meet the same fault
    if (rest.length > 0 && !isFault) await this.claims.release(rest);
    active.open -= rest.length;
    active.isDue ||= last === undefined && !isFault;
    if (last) await this.record(active, last, false);
    else this.advance(active);
  }

  /** `previous`: the result of the change before. An endpoint that answers slowly keeps the slot from other payments. */
  private maySend(delivery: ClaimedDelivery, previous: OutboundResult | undefined): boolean {
    const isFast = previous === undefined || (previous.statusCode !== null && previous.durationMs <= FAST_MS);
    return isFast && this.releaseTo === undefined && this.claims.maySend(delivery);
  }

  /** `undefined`: a fault of this service. Never rejects. */
  private async attempt(lane: ScheduledLane, delivery: ClaimedDelivery): Promise<OutboundResult | undefined> {
    const { webhook_id: id, shop_id: shopId, webhook_endpoint: url, request_body: body, signer } = delivery;
    try {
      if (!signer) throw new Error(`no webhook secret of shop ${shopId}`);
      const request = { id, shopId, url, body, signer };
      const { sender } = this;
      const result = await (delivery.traceparent ? sendTraced(delivery, request, sender) : sender.send(request));
      if (result.error === 'local_failure') await this.coolDownAfter(result);
      else if (wasSent(result)) this.learn(lane, result);
      return result;
    } catch (error) {
      this.failed(lane.info.id, error);
      return undefined;
    } finally {
      delivery.request_body = ''; // a thousand results may wait to be recorded: without bodies they cost no memory
    }
  }

  private learn(lane: ScheduledLane, { statusCode, durationMs }: OutboundResult): void {
    if (statusCode === null) this.scheduler.unanswered(lane);
    else this.scheduler.answered(lane, durationMs);
  }

  private releaseSlot(active: ActiveLane, bytes: number, result: OutboundResult | undefined): void {
    const release = (): void => {
      this.scheduler.release(active.lane, 1, bytes);
      this.advance(active);
    };
    if (result !== undefined && result.statusCode === null) this.coolDown(release);
    else release();
  }

  /** `isFollowed`: this worker sends the next change already. Never rejects. */
  private async record(active: ActiveLane, { delivery, result }: EndedAttempt, isFollowed: boolean): Promise<void> {
    const askedAt = performance.now();
    try {
      const recorded = await this.recorder.record(delivery, result);
      // a claim that ran beside the statement may have seen a later change, and not yet that it is in turn
      const mayHaveMissed = delivery.attempts === 0 && (active.isClaiming || active.claimEndedAt >= askedAt);
      active.isDue ||= mayHaveMissed || (recorded?.hasSuccessor === true && !isFollowed);
    } catch (error) {
      this.failed(active.lane.info.id, error);
    }
    active.open -= 1;
    this.advance(active);
  }

  /** For up to half a time-out: hundreds of attempts that time out together do not begin together again. */
  private coolDown(done: () => void): void {
    if (this.releaseTo) return done();
    const end = (): void => {
      this.cooling.delete(end);
      done();
    };
    this.cooling.set(end, setTimeout(end, (Math.random() * this.config.webhookTimeoutMs) / 2));
  }

  /** This machine lacks something (file descriptors, a name server). Slot and lease are kept: others would lack the same. */
  private async coolDownAfter({ error, errorMessage }: OutboundResult): Promise<void> {
    this.metrics.attempts.inc({ outcome: error! });
    if (performance.now() >= this.nextLogAt) {
      this.nextLogAt = performance.now() + LOG_INTERVAL_MS;
      this.logger.error({ msg: 'webhooks cannot be sent from here, trying on', reason: errorMessage });
    }
    await new Promise<void>((resolve) => this.coolDown(resolve));
  }

  private get isBusy(): boolean {
    const [interactive, bulk] = this.scheduler.waiting;
    return interactive! + bulk! > this.slots / 2;
  }

  /** The lanes of one claim fail with one error. */
  private failed(laneId: number, error: unknown): void {
    if (error !== this.lastFailure) this.logger.warn({ msg: 'lane failed', laneId, err: error });
    this.lastFailure = error;
  }
}

/** Otherwise it was no attempt: the process stops, or this machine lacks something. */
const wasSent = ({ error }: OutboundResult): boolean => error !== 'shutting_down' && error !== 'local_failure';

const bytesOf = (unit: Unit): number => sum(unit.map(({ request_body }) => Buffer.byteLength(request_body)));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
