import { FairQueue } from '../../shared/fair-queue.js';
import { ConcurrencyLimit, MIN_LIMIT } from './concurrency-limit.js';
import type { LaneInfo } from './delivery-store.js';

/**
 * The classes of lanes, best first. Endpoints are healthy, untried by this process, or unresponsive (the last attempts got
 * no answer). A healthy lane is interactive while it has fewer than `MIN_LIMIT` attempts in flight, and bulk otherwise.
 */
export const CLASSES = ['interactive', 'bulk', 'untried', 'unresponsive'] as const;
export type LaneClass = 0 | 1 | 2 | 3;

/** The share of a pool that lanes of a class and of all worse classes may hold together. */
const SHARES = [1, 7 / 8, 1 / 2, 1 / 4];
/** A unit of a lane is expected to have so many bytes at least: a claim that brings more than expected may have left some. */
export const EXPECTED_BYTES = 16 * 1024;

/** A lane, what is known of its endpoint, and what it holds. Only the scheduler changes it. */
export interface ScheduledLane {
  readonly info: LaneInfo;
  /** Merchant, shop, lane: the order of the turns. */
  readonly path: readonly number[];
  readonly limit: ConcurrencyLimit;
  health: 'healthy' | 'untried' | 'unresponsive';
  class: LaneClass;
  inFlight: number;
  /** Slots that it waits for. */
  wanted: number;
  /** Slots that it may take before the turn of the next lane. */
  credit: number;
  /** Its last claim was full: more may be due. */
  hasBacklog: boolean;
  /** Bytes of the largest unit of its last claim. */
  unitBytes: number;
  /** The pools that count its slots; empty while it neither holds a slot nor waits for one. */
  pools: readonly CapacityPool[];
  /** Where it waits. */
  waitsFor: CapacityPool | undefined;
  /** The pool that moved it up to the queue of the process, until it has its turn there. */
  promotedBy: CapacityPool | undefined;
}

export function newLane(info: LaneInfo, health: ScheduledLane['health']): ScheduledLane {
  const path = [info.merchant_id, info.shop_id, info.id];
  const use = { inFlight: 0, wanted: 0, credit: 0, hasBacklog: false, unitBytes: EXPECTED_BYTES };
  const place = { pools: [], waitsFor: undefined, promotedBy: undefined };
  return { info, path, limit: new ConcurrencyLimit(), health, class: classOf(health, 0), ...use, ...place };
}

export function classOf(health: ScheduledLane['health'], inFlight: number): LaneClass {
  if (health === 'healthy') return inFlight < MIN_LIMIT ? 0 : 1;
  return health === 'untried' ? 2 : 3;
}

/** What lanes of a class may hold of `size`, with all worse ones. At least 1: a small pool serves every class. */
export const shareOf = (size: number, laneClass: LaneClass): number =>
  Math.max(1, Math.floor(size * SHARES[laneClass]!));

/** The smallest size at which `held` slots leave interactive lanes their reserve. */
export const sizeWithReserve = (held: number): number => Math.ceil(held / SHARES[1]!);

/**
 * Slots that lanes compete for: those of the process, of a merchant, of an origin, or of a merchant at an origin.
 * - Each class finds room that worse classes cannot take: healthy lanes one half, interactive ones another eighth.
 * - Lanes wait in a full pool, merchants in turn. When a slot comes back, the scheduler moves one lane of each admitted
 *   class up to the queue of the process.
 * Why not a semaphore of a library: none has classes, and one attempt needs a slot of several pools at once or of none.
 */
export class CapacityPool {
  /** By class: slots held by lanes of this class and of all worse ones. */
  readonly held = [0, 0, 0, 0];
  private lanes = 0;
  private waiting = 0;
  private queues: FairQueue<ScheduledLane>[] | undefined;
  /** By class: lanes that it moved up and that wait for their turn. */
  private readonly promoted = [0, 0, 0, 0];

  /** `size`: slots now. `onUnused`: no lane holds or wants a slot of it any more. */
  constructor(
    private readonly size: () => number,
    private readonly onUnused: () => void = () => undefined,
  ) {}

  admits(laneClass: LaneClass): boolean {
    const size = this.size();
    for (let better = laneClass; better >= 0; better--) if (this.held[better]! >= shareOf(size, better)) return false;
    return true;
  }

  /** Whether the lane finds a slot without overtaking lanes of its class that wait here. */
  isOpen({ class: laneClass }: ScheduledLane): boolean {
    return (this.queues?.[laneClass]!.isEmpty ?? true) && this.admits(laneClass);
  }

  add(laneClass: LaneClass, slots: number): void {
    for (let better = laneClass; better >= 0; better--) this.held[better]! += slots;
  }

  /** The lane waits behind the others of its class. */
  enqueue(lane: ScheduledLane): void {
    this.queues ??= CLASSES.map(() => new FairQueue<ScheduledLane>());
    this.queues[lane.class]!.enqueue(lane.path, lane);
    this.waiting += 1;
    lane.waitsFor = this;
  }

  /** Takes out the lane of the class whose turn it is. */
  dequeue(laneClass: LaneClass): ScheduledLane | undefined {
    const lane = this.queues?.[laneClass]!.dequeue();
    if (lane) this.left(lane);
    return lane;
  }

  /** Takes out one lane of each admitted class that has none up there: a second could lose its place to the first. */
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

  /** A lane begins to wait for slots of it. */
  join(): void {
    this.lanes += 1;
  }

  /** A lane neither holds a slot nor waits any more. */
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
