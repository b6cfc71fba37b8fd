import {
  CapacityPool,
  CLASSES,
  classOf,
  EXPECTED_BYTES,
  type LaneClass,
  newLane,
  type ScheduledLane,
  shareOf,
} from './capacity-pool.js';
import { type LaneInfo, MAX_REMEMBERED } from './delivery-store.js';
import { MERCHANT_SHARE, OriginPool } from './origin-pool.js';
import { boundedCache } from '../../shared/bounded-cache.js';

/** Maximum bytes of bodies in flight, over all lanes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Slots that a lane gets each time it is served, and requests at first: a claim costs as much as several of its rows. */
const QUANTUM = 4;
/**
 * Classes in round robin: healthy, untried and unresponsive. Among healthy lanes the interactive ones come first. A lane
 * that takes more slots becomes bulk, so no lane waits long.
 */
const ROTATION: readonly (readonly LaneClass[])[] = [[0, 1], [2], [3]];

/** Slots and bytes of bodies that are reserved for the next claim of a lane. */
export interface Reservation {
  slots: number;
  bytes: number;
}

/**
 * Decides how many attempts each lane may have in flight. It is synchronous and changes only its own counters.
 *
 *           request          reserve: all pools admit it             release
 *   idle ───────────▶ queued ──────────────────────────▶ in flight ───────────▶ idle
 *    ▲ │ rate is used  │  ▲
 *    └─┘               │  │
 *       a pool is full ▼  │ a slot of that pool was released
 *                     parked in that pool
 *
 * - An attempt needs a slot of the process, of its merchant, of its origin and of its merchant at that origin. It must
 *   also be within the limit of its lane and the limit of bytes. A lane gets all of these or none: a waiting lane holds nothing.
 * - A lane with a maximum rate has its share of it, as workers share an origin. A request beyond the rate has no effect:
 *   the caller repeats it after `pace.waitMs`. So it takes no place in a queue and no slot.
 * - Round robin over merchants, then shops, then lanes, with `QUANTUM` slots each time.
 * - In every pool a class leaves capacity for better classes (`CapacityPool`). So a healthy lane does not wait until the
 *   attempts of other lanes time out.
 * - If a pool admits a class, at least one lane of that class that was parked in it is queued.
 */
export class DeliveryScheduler {
  /** Waiting lanes, by class. */
  readonly waiting = CLASSES.map(() => 0);
  private readonly process: CapacityPool;
  private readonly merchants = new Map<number, CapacityPool>();
  private readonly origins = new Map<string, OriginPool>();
  /** The only merchant that sends to an origin, or `several` if there are more. */
  private readonly senders = boundedCache<string, number | 'several'>(MAX_REMEMBERED);
  private workers = 1;
  private bytes = 0;
  /** Index in `ROTATION` that is served next. */
  private rotation = 0;

  /** `slots`: maximum attempts in flight. */
  constructor(
    private readonly slots: number,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.process = new CapacityPool(() => slots);
  }

  /** Bytes in flight, slots in use by class, and waiting lanes by class. */
  get load(): { bytes: number; slots: number[]; waiting: number[] } {
    const { held } = this.process;
    const slots = held.map((count, laneClass) => count - (held[laneClass + 1] ?? 0));
    return { bytes: this.bytes, slots, waiting: this.waiting };
  }

  /** Sets how many workers share the connections of each origin. */
  shareAmong(workers: number): void {
    this.workers = workers;
    for (const origin of this.origins.values()) {
      origin.resize();
      this.promoteFrom(origin);
    }
  }

  /** Returns a lane that holds nothing. The caller keeps it as long as its health and limit are useful. */
  lane(info: LaneInfo, health: ScheduledLane['health'] = 'untried'): ScheduledLane {
    const sender = this.senders.get(info.origin) ?? info.merchant_id;
    this.senders.set(info.origin, sender === info.merchant_id ? sender : 'several');
    return newLane(info, health);
  }

  /** Requests slots for a lane: all that it may have if it has a backlog, otherwise a few. `reserve` returns them. */
  request(lane: ScheduledLane): void {
    lane.pace.setRate(lane.maxPerSecond / this.workers);
    const most = Math.min(lane.hasBacklog ? Infinity : QUANTUM, lane.pace.available);
    lane.wanted = Math.max(0, Math.min(most, lane.limit.size - lane.inFlight));
    if (lane.wanted === 0) return this.cancel(lane);
    if (lane.waitsFor) return;
    this.join(lane);
    this.wait(lane);
  }

  /** Cancels the request of a lane. */
  cancel(lane: ScheduledLane): void {
    lane.wanted = 0;
    if (this.unqueue(lane)) this.promoteParked(lane);
    this.leaveIfIdle(lane);
  }

  /** Reserves the free slots. A lane that got fewer slots than it requested continues to wait for the others. */
  reserve(): Map<ScheduledLane, Reservation> {
    const reservations = new Map<ScheduledLane, Reservation>();
    for (let lane = this.next(); lane !== undefined; lane = this.next()) {
      const full = this.fullPoolOf(lane);
      if (full === undefined) this.serve(lane, reservations);
      if (lane.wanted > 0) this.wait(lane, full);
      this.promoteParked(lane);
    }
    return reservations;
  }

  /** Applies the result of a claim, `units` with their bytes: releases unused slots and corrects the reserved bytes. */
  commit(lane: ScheduledLane, reservation: Reservation, units: readonly number[]): void {
    const bytes = units.reduce((sum, size) => sum + size, 0);
    lane.hasBacklog = units.length === reservation.slots;
    if (units.length > 0) lane.unitBytes = Math.max(EXPECTED_BYTES, ...units);
    const unused = reservation.slots - units.length;
    lane.pace.take(-unused);
    this.release(lane, unused, reservation.bytes - bytes);
  }

  release(lane: ScheduledLane, slots: number, bytes: number): void {
    this.bytes -= bytes;
    this.hold(lane, -slots);
    this.originOf(lane).resize();
    this.promoteParked(lane);
    this.leaveIfIdle(lane);
  }

  /** Records that an attempt was answered. Call it before the slot is released. */
  answered(lane: ScheduledLane, durationMs: number): void {
    const origin = this.originOf(lane);
    lane.limit.onAnswer(durationMs);
    origin.limit.onAnswer(durationMs);
    origin.resize();
    lane.health = 'healthy';
    this.reclassify(lane);
  }

  /**
   * Records that an attempt got no answer. Call it before the slot is released. `wasAsked`: the origin got the request;
   * otherwise only the lane is at fault.
   */
  unanswered(lane: ScheduledLane, wasAsked = true): void {
    lane.limit.onTimeout();
    if (wasAsked) {
      const origin = this.originOf(lane);
      origin.limit.onTimeout();
      origin.resize();
    }
    if (lane.limit.isLeast) lane.health = 'unresponsive';
    this.reclassify(lane);
  }

  /** Returns the next lane. The rotation does not advance, so lanes that find another pool full keep their place. */
  private next(): ScheduledLane | undefined {
    for (let tries = 0; tries < ROTATION.length; tries++) {
      const place = (this.rotation + tries) % ROTATION.length;
      for (const laneClass of ROTATION[place]!) {
        const lane = this.admits(laneClass) ? this.process.dequeue(laneClass) : undefined;
        if (lane === undefined) continue;
        this.waiting[laneClass]! -= 1;
        return lane;
      }
    }
    return undefined;
  }

  private admits(laneClass: LaneClass): boolean {
    return this.process.admits(laneClass) && this.bytes < shareOf(this.maxBytes, laneClass);
  }

  private fullPoolOf(lane: ScheduledLane): CapacityPool | undefined {
    return lane.pools.find((pool) => !pool.admits(lane.class));
  }

  private serve(lane: ScheduledLane, reservations: Map<ScheduledLane, Reservation>): void {
    this.rotation = (ROTATION.findIndex((classes) => classes.includes(lane.class)) + 1) % ROTATION.length;
    const reservation = reservations.get(lane) ?? { slots: 0, bytes: 0 };
    reservations.set(lane, reservation);
    // deficit round robin: slots that a full pool refused are added the next time, so lanes get equal shares over time
    lane.credit = Math.min(lane.credit, QUANTUM) + QUANTUM;
    do {
      reservation.slots += 1;
      reservation.bytes += lane.unitBytes;
      this.bytes += lane.unitBytes;
      lane.wanted -= 1;
      lane.credit -= 1;
      lane.pace.take(1);
      this.hold(lane, 1);
    } while (lane.credit > 0 && lane.wanted > 0 && this.admits(lane.class) && !this.fullPoolOf(lane));
    if (lane.wanted === 0) lane.credit = 0;
  }

  private hold(lane: ScheduledLane, slots: number): void {
    lane.inFlight += slots;
    for (const pool of lane.pools) pool.add(lane.class, slots);
    this.reclassify(lane);
  }

  private reclassify(lane: ScheduledLane): void {
    const laneClass = classOf(lane.health, lane.inFlight);
    if (laneClass === lane.class) return;
    const isWaiting = this.unqueue(lane);
    for (const pool of lane.pools) {
      pool.add(lane.class, -lane.inFlight);
      pool.add(laneClass, lane.inFlight);
    }
    lane.class = laneClass;
    if (isWaiting) this.wait(lane);
    this.promoteParked(lane);
  }

  /** Queues the lane, or parks it in a pool that is full or has waiting lanes already. */
  private wait(
    lane: ScheduledLane,
    full = lane.pools.find((pool) => pool !== this.process && !pool.isOpen(lane)),
  ): void {
    (full ?? this.process).enqueue(lane);
    this.waiting[lane.class]! += 1;
    if (full) this.promoteFrom(full);
  }

  /** Returns whether the lane was waiting. */
  private unqueue(lane: ScheduledLane): boolean {
    if (lane.waitsFor === undefined) return false;
    lane.waitsFor.remove(lane);
    this.waiting[lane.class]! -= 1;
    return true;
  }

  /** Call it after a change in the pools of this lane. */
  private promoteParked(lane: ScheduledLane): void {
    for (const pool of lane.pools) if (pool !== this.process) this.promoteFrom(pool);
  }

  private promoteFrom(pool: CapacityPool): void {
    for (const lane of pool.promote()) this.process.enqueue(lane);
  }

  private join(lane: ScheduledLane): void {
    if (lane.pools.length > 0) return;
    const origin = this.originOf(lane);
    const merchantId = lane.info.merchant_id;
    lane.pools = [this.process, this.merchantPool(merchantId), origin, origin.merchantPool(merchantId)];
    for (const pool of lane.pools) pool.join();
  }

  private leaveIfIdle(lane: ScheduledLane): void {
    if (lane.inFlight > 0 || lane.waitsFor) return;
    for (const pool of lane.pools) pool.leave();
    lane.pools = [];
  }

  private merchantPool(merchantId: number): CapacityPool {
    let pool = this.merchants.get(merchantId);
    if (pool === undefined) {
      pool = new CapacityPool(
        () => this.slots * MERCHANT_SHARE,
        () => this.merchants.delete(merchantId),
      );
      this.merchants.set(merchantId, pool);
    }
    return pool;
  }

  private originOf({ info: { origin: name } }: ScheduledLane): OriginPool {
    let origin = this.origins.get(name);
    if (origin === undefined) {
      const isShared = (): boolean => this.senders.get(name) === 'several';
      origin = new OriginPool(
        () => this.workers,
        isShared,
        () => this.origins.delete(name),
      );
      this.origins.set(name, origin);
    }
    return origin;
  }
}
