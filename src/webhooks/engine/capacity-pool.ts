import { FairQueue } from '../../shared/fair-queue.js';
import { ConcurrencyLimit, MIN_LIMIT } from './concurrency-limit.js';
import type { LaneInfo } from './delivery-store.js';
import { BurstRate } from '../../shared/token-bucket.js';

/**
 * Priority classes of lanes, best first. An endpoint is healthy, untried by this process, or unresponsive (the last
 * attempts got no answer). A healthy lane is interactive with fewer than `MIN_LIMIT` attempts in flight, else bulk.
 */
export const CLASSES = ['interactive', 'bulk', 'untried', 'unresponsive'] as const;
export type LaneClass = 0 | 1 | 2 | 3;

/** Share of a pool that lanes of a class and of all worse classes may hold together. */
const SHARES = [1, 7 / 8, 1 / 2, 1 / 4];
/** Minimum bytes that are reserved per unit. A claim that returns more bytes than reserved may have left due units behind. */
export const EXPECTED_BYTES = 16 * 1024;

/** A lane with the health of its endpoint and its slots. Only the scheduler changes it. */
export interface ScheduledLane {
  readonly info: LaneInfo;
  /** Merchant, shop, lane: the path in a `FairQueue`. */
  readonly path: readonly number[];
  readonly limit: ConcurrencyLimit;
  readonly pace: BurstRate;
  /** Maximum attempts per second of all workers; `Infinity`: no maximum. */
  maxPerSecond: number;
  health: 'healthy' | 'untried' | 'unresponsive';
  class: LaneClass;
  inFlight: number;
  /** Slots that the lane waits for. */
  wanted: number;
  /** Slots that the lane may take before the next lane is served. */
  credit: number;
  /** The last claim was full, so more deliveries may be due. */
  hasBacklog: boolean;
  /** Bytes of the largest unit of the last claim. */
  unitBytes: number;
  /** Pools that count the lane's slots; empty while it neither holds a slot nor waits for one. */
  pools: readonly CapacityPool[];
  /** Pool in which the lane waits. */
  waitsFor: CapacityPool | undefined;
  /** Pool that moved the lane to the queue of the process, until the lane leaves that queue. */
  promotedBy: CapacityPool | undefined;
}

export function newLane(info: LaneInfo, health: ScheduledLane['health']): ScheduledLane {
  const path = [info.merchant_id, info.shop_id, info.id];
  const use = { inFlight: 0, wanted: 0, credit: 0, hasBacklog: false, unitBytes: EXPECTED_BYTES };
  const place = { pools: [], waitsFor: undefined, promotedBy: undefined };
  const limits = {
    limit: new ConcurrencyLimit(),
    pace: new BurstRate(),
    maxPerSecond: info.max_per_second ?? Infinity,
  };
  return { info, path, ...limits, health, class: classOf(health, 0), ...use, ...place };
}

export function classOf(health: ScheduledLane['health'], inFlight: number): LaneClass {
  if (health === 'healthy') return inFlight < MIN_LIMIT ? 0 : 1;
  return health === 'untried' ? 2 : 3;
}

/** Returns the part of `size` for lanes of a class and all worse classes. At least 1, so a small pool serves every class. */
export const shareOf = (size: number, laneClass: LaneClass): number =>
  Math.max(1, Math.floor(size * SHARES[laneClass]!));

/** Returns the smallest size at which `held` slots leave the reserve of interactive lanes free. */
export const sizeWithReserve = (held: number): number => Math.ceil(held / SHARES[1]!);

/**
 * Slots that lanes share: the slots of the process, of a merchant, of an origin, or of a merchant at an origin.
 * - Worse classes cannot take all slots: one half is reserved for healthy lanes, one eighth for interactive lanes.
 * - Lanes wait in a full pool, in round robin over merchants. When a slot is released, the scheduler moves one lane of
 *   each admitted class to the queue of the process.
 * Why not a semaphore from a library: none has classes, and an attempt needs a slot of several pools at once or of none.
 */
export class CapacityPool {
  /** By class: slots held by lanes of this class and of all worse classes. */
  readonly held = [0, 0, 0, 0];
  private lanes = 0;
  private waiting = 0;
  private queues: FairQueue<ScheduledLane>[] | undefined;
  /** By class: lanes from this pool that wait in the queue of the process. */
  private readonly promoted = [0, 0, 0, 0];

  /** `size`: current number of slots. `onUnused`: called when no lane holds or wants a slot. */
  constructor(
    private readonly size: () => number,
    private readonly onUnused: () => void = () => undefined,
  ) {}

  admits(laneClass: LaneClass): boolean {
    const size = this.size();
    for (let better = laneClass; better >= 0; better--) if (this.held[better]! >= shareOf(size, better)) return false;
    return true;
  }

  /** Returns whether the lane can get a slot without overtaking waiting lanes of its class. */
  isOpen({ class: laneClass }: ScheduledLane): boolean {
    return (this.queues?.[laneClass]!.isEmpty ?? true) && this.admits(laneClass);
  }

  add(laneClass: LaneClass, slots: number): void {
    for (let better = laneClass; better >= 0; better--) this.held[better]! += slots;
  }

  /** Queues the lane behind the others of its class. */
  enqueue(lane: ScheduledLane): void {
    this.queues ??= CLASSES.map(() => new FairQueue<ScheduledLane>());
    this.queues[lane.class]!.enqueue(lane.path, lane);
    this.waiting += 1;
    lane.waitsFor = this;
  }

  /** Removes and returns the next lane of the class. */
  dequeue(laneClass: LaneClass): ScheduledLane | undefined {
    const lane = this.queues?.[laneClass]!.dequeue();
    if (lane) this.left(lane);
    return lane;
  }

  /**
   * Removes and returns one lane of each admitted class that has no lane from this pool in the queue of the process. A
   * second lane could find that the first has taken the slot.
   */
  promote(): ScheduledLane[] {
    if (this.waiting === 0) return [];
    const lanes = ([0, 1, 2, 3] as const).flatMap((laneClass) =>
      this.promoted[laneClass] === 0 && this.admits(laneClass) ? (this.dequeue(laneClass) ?? []) : [],
    );
    for (const lane of lanes) {
      lane.promotedBy = this;
      this.promoted[lane.class]! += 1;
    }
    return lanes;
  }

  remove(lane: ScheduledLane): void {
    this.queues![lane.class]!.remove(lane.path);
    this.left(lane);
  }

  /** Call it when a lane begins to wait for slots of this pool. */
  join(): void {
    this.lanes += 1;
  }

  /** Call it when a lane no longer holds a slot or waits. */
  leave(): void {
    this.lanes -= 1;
    if (this.lanes === 0) this.onUnused();
  }

  private left(lane: ScheduledLane): void {
    this.waiting -= 1;
    lane.waitsFor = undefined;
    if (lane.promotedBy) lane.promotedBy.promoted[lane.class]! -= 1;
    lane.promotedBy = undefined;
  }
}
