import { LRUCache } from 'lru-cache';
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

/** Bodies in flight, over all lanes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Slots that a lane takes in its turn, and wants while no backlog is known: a claim costs as much as several of its rows. */
const QUANTUM = 4;
/**
 * Healthy, untried and unresponsive endpoints take turns. Of healthy lanes the interactive ones come first: those that take
 * more become bulk, so none waits for long.
 */
const TURNS: readonly (readonly LaneClass[])[] = [[0, 1], [2], [3]];

/** Slots for the next claim of a lane, and the bytes that are reserved for its bodies. */
export interface Reservation {
  slots: number;
  bytes: number;
}

/**
 * Decides which lanes may have how many attempts in flight. Synchronous; touches nothing but its own numbers.
 *
 *           request          reserve: all pools admit it             release
 *   idle ───────────▶ queued ──────────────────────────▶ in flight ───────────▶ idle
 *                      │  ▲
 *       a pool is full ▼  │ a slot of that pool came back
 *                     parked in that pool
 *
 * - One attempt needs a slot of the process, of its merchant, of its origin and of its merchant at that origin, room under
 *   the limit of its lane, and bytes for its bodies: all of them or none. A waiting lane holds nothing.
 * - Merchants take turns, then shops, then lanes; a turn is `QUANTUM` slots.
 * - Of every pool a class leaves room for better classes (`CapacityPool`), so a healthy lane does not wait for others to
 *   time out.
 * - While a pool admits a class, at least one of the lanes of that class that it parked is queued.
 */
export class DeliveryScheduler {
  /** Lanes that wait, by class. */
  readonly waiting = CLASSES.map(() => 0);
  private readonly process: CapacityPool;
  private readonly merchants = new Map<number, CapacityPool>();
  private readonly origins = new Map<string, OriginPool>();
  /** The only merchant that sends to an origin, or `several`. */
  private readonly senders = new LRUCache<string, number | 'several'>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
  });
  private workers = 1;
  private bytes = 0;
  /** Whose turn it is in `TURNS`. */
  private turn = 0;

  /** `slots`: attempts in flight at most. */
  constructor(
    private readonly slots: number,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.process = new CapacityPool(() => slots);
  }

  /** What is held and waited for now: slots and waiting lanes by class. */
  get load(): { bytes: number; slots: number[]; waiting: number[] } {
    const { held } = this.process;
    const slots = held.map((count, laneClass) => count - (held[laneClass + 1] ?? 0));
    return { bytes: this.bytes, slots, waiting: this.waiting };
  }

  /** So many workers share the connections of each origin from now on. */
  shareAmong(workers: number): void {
    this.workers = workers;
    for (const origin of this.origins.values()) {
      origin.resize();
      this.promoteFrom(origin);
    }
  }

  /** A lane that holds nothing. The caller keeps it for as long as what it has learnt is of use. */
  lane(info: LaneInfo, health: ScheduledLane['health'] = 'untried'): ScheduledLane {
    const sender = this.senders.get(info.origin) ?? info.merchant_id;
    this.senders.set(info.origin, sender === info.merchant_id ? sender : 'several');
    return newLane(info, health);
  }

  /** The lane waits for slots: all that it may have if there is a backlog, and a few otherwise. `reserve` gives them. */
  request(lane: ScheduledLane): void {
    lane.wanted = Math.max(0, Math.min(lane.hasBacklog ? Infinity : QUANTUM, lane.limit.size - lane.inFlight));
    if (lane.wanted === 0) return this.cancel(lane);
    if (lane.waitsFor) return;
    this.join(lane);
    this.wait(lane);
  }

  /** The lane waits for nothing. */
  cancel(lane: ScheduledLane): void {
    lane.wanted = 0;
    if (this.unqueue(lane)) this.promoteParked(lane);
    this.leaveIfIdle(lane);
  }

  /** Gives out what is free. A lane that got something still waits for the rest of what it wanted. */
  reserve(): Map<ScheduledLane, Reservation> {
    const reservations = new Map<ScheduledLane, Reservation>();
    for (let lane = this.next(); lane !== undefined; lane = this.next()) {
      const full = this.fullPoolOf(lane);
      if (full === undefined) this.takeTurn(lane, reservations);
      if (lane.wanted > 0) this.wait(lane, full);
      this.promoteParked(lane);
    }
    return reservations;
  }

  /** A claim under `reservation` brought units of these bytes: the other slots come back, the bytes become the true ones. */
  commit(lane: ScheduledLane, reservation: Reservation, units: readonly number[]): void {
    const bytes = units.reduce((sum, size) => sum + size, 0);
    lane.hasBacklog = units.length === reservation.slots;
    if (units.length > 0) lane.unitBytes = Math.max(EXPECTED_BYTES, ...units);
    this.release(lane, reservation.slots - units.length, reservation.bytes - bytes);
  }

  release(lane: ScheduledLane, slots: number, bytes: number): void {
    this.bytes -= bytes;
    this.hold(lane, -slots);
    this.originOf(lane).resize();
    this.promoteParked(lane);
    this.leaveIfIdle(lane);
  }

  /** An attempt was answered. To be called before its slot is released. */
  answered(lane: ScheduledLane, durationMs: number): void {
    const origin = this.originOf(lane);
    lane.limit.onAnswer(durationMs);
    origin.limit.onAnswer(durationMs);
    origin.resize();
    lane.health = 'healthy';
    this.reclassify(lane);
  }

  /** An attempt got no answer. To be called before its slot is released. */
  unanswered(lane: ScheduledLane): void {
    const origin = this.originOf(lane);
    lane.limit.onTimeout();
    origin.limit.onTimeout();
    origin.resize();
    if (lane.limit.isLeast) lane.health = 'unresponsive';
    this.reclassify(lane);
  }

  /** Endpoints keep their turn while their lanes find other pools full: otherwise these would always serve others. */
  private next(): ScheduledLane | undefined {
    for (let tries = 0; tries < TURNS.length; tries++) {
      const place = (this.turn + tries) % TURNS.length;
      for (const laneClass of TURNS[place]!) {
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

  private takeTurn(lane: ScheduledLane, reservations: Map<ScheduledLane, Reservation>): void {
    this.turn = (TURNS.findIndex((classes) => classes.includes(lane.class)) + 1) % TURNS.length;
    const reservation = reservations.get(lane) ?? { slots: 0, bytes: 0 };
    reservations.set(lane, reservation);
    // what a full pool kept from this turn is added to the next one: turns are equal over time (deficit round robin)
    lane.credit = Math.min(lane.credit, QUANTUM) + QUANTUM;
    do {
      reservation.slots += 1;
      reservation.bytes += lane.unitBytes;
      this.bytes += lane.unitBytes;
      lane.wanted -= 1;
      lane.credit -= 1;
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

  /** Where a pool is full, or others wait for it already, the lane waits there. */
  private wait(
    lane: ScheduledLane,
    full = lane.pools.find((pool) => pool !== this.process && !pool.isOpen(lane)),
  ): void {
    (full ?? this.process).enqueue(lane);
    this.waiting[lane.class]! += 1;
    if (full) this.promoteFrom(full);
  }

  /** Answers whether it waited. */
  private unqueue(lane: ScheduledLane): boolean {
    if (lane.waitsFor === undefined) return false;
    lane.waitsFor.remove(lane);
    this.waiting[lane.class]! -= 1;
    return true;
  }

  /** Something changed in the pools of this lane. */
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
