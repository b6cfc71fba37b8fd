import type { LaneInfo } from '../delivery-store.js';
import { OriginConnections } from './origin-connections.js';
import { type Arrival, levelOf, newLane, type PermitLane } from './permit-lane.js';
import { BEST_FIRST, FEW, type Level, LEVELS, MANY, PermitRoom, sharesOf } from './permit-room.js';

/** Bodies in flight, over all lanes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Of the process, what one merchant may hold: others find the rest free whatever it sends to. */
const MERCHANT_SHARE = 3 / 4;
/** Half of what the process has for them is what lanes of one merchant that are not known to answer may hold. */
const MERCHANT_UNPROVEN_SHARE = 1 / 2;
/** What a lane's largest body is thought to be shrinks by this with each claim. */
const FORGETTING = 0.9;

/** For a lane that holds none: a claim for one that brings one would leave open whether there is another. */
const FIRST_CLAIM = 2;
/** For a lane with a backlog whose endpoint is quick: what a claim costs for each of its lanes is worth several rows. */
const BACKLOG_CLAIM = 4;

export interface Grant {
  count: number;
  /** Reserved for as many bodies. */
  bytes: number;
}

type Room = PermitRoom<PermitLane>;

/**
 * Deals out the right to have an attempt in flight. A permit is at once a slot of this process, one of its merchant, a
 * connection of its origin, room under its lane's limit, and bytes for its body: a lane gets all of them or none, and
 * holds nothing while it waits. Synchronous; touches nothing but its own numbers.
 * - In turns: merchant first, shop second, lane third. A turn is one permit (two for a first claim). A lane with a backlog
 *   and a quick endpoint takes four turns at once and then lets three pass: the same share in fewer, larger claims. With
 *   nobody else waiting a lane takes what its level allows.
 * - Lanes not known to answer hold at most half of every room, so that those that answer find the other half.
 * - A lane waits in one line: that of its origin or merchant while that is full, that of the process otherwise. While a
 *   room admits a level, at least one of the lanes of that level which wait for it stands in the line of the process.
 */
export class DeliveryPermits {
  /** Lanes that wait, by level. */
  readonly waiting = LEVELS.map(() => 0);
  private readonly process: Room;
  private readonly merchants = new Map<number, Room>();
  private readonly origins = new OriginConnections<PermitLane>();
  private readonly merchantLimits: number[];
  private readonly byteLimits: number[];
  private bytes = 0;
  private turn = 0;

  /** `size`: permits in all. */
  constructor(size: number, maxBytes = MAX_BYTES) {
    const limits = sharesOf(size);
    this.process = new PermitRoom<PermitLane>((level) => limits[level]!);
    this.byteLimits = sharesOf(maxBytes);
    const unproven = sharesOf(size * MERCHANT_UNPROVEN_SHARE).slice(2);
    this.merchantLimits = [...sharesOf(size * MERCHANT_SHARE).slice(0, 2), ...unproven];
  }

  /** Permits held by lanes of each level. */
  get held(): number[] {
    return this.process.held.map((held, level) => held - (this.process.held[level + 1] ?? 0));
  }

  /** Permits held by all. */
  get total(): number {
    return this.process.held[0]!;
  }

  /** Permits held by lanes whose endpoints answer. */
  get heldByAnswering(): number {
    return this.process.held[0]! - this.process.held[MANY + 1]!;
  }

  get heldBytes(): number {
    return this.bytes;
  }

  /** Origins' connections are shared by so many workers from now on. What is held beyond the new share comes back by itself. */
  shareAmong(workers: number): void {
    for (const room of this.origins.shareAmong(workers)) this.refillRoom(room);
  }

  /** Whether a lane whose endpoint answers waits because this worker's share of its origin is in use: others have shares. */
  lacksShare(lane: PermitLane): boolean {
    if (!this.origins.areShared || lane.wanted === 0 || lane.standing !== 'answering') return false;
    return !this.origins.of(lane.info).room.admits(lane.level);
  }

  /** A lane that holds nothing. To be kept by the caller for as long as what it has learnt is of use. */
  lane(info: LaneInfo, arrival: Arrival): PermitLane {
    this.origins.meet(info);
    return newLane(info, arrival);
  }

  /** The lane waits for `wanted` permits from now on; 0: for none. They come from `deal`. */
  ask(lane: PermitLane, wanted: number): void {
    lane.wanted = Math.max(0, Math.min(wanted, lane.limit.size - lane.held));
    if (lane.wanted === 0) this.leave(lane);
    else if (lane.line === undefined) this.enter(lane, this.process);
  }

  /** Gives out what is free. A lane that got something still waits for the rest of what it wanted. */
  deal(): Map<PermitLane, Grant> {
    const grants = new Map<PermitLane, Grant>();
    for (let lane = this.next(); lane !== undefined; lane = this.next()) {
      this.relevel(lane);
      const full = this.admits(lane.level) ? this.fullRoomOf(lane) : this.process;
      if (full === undefined) this.takeTurn(lane, grants);
      if (lane.wanted > 0) this.enter(lane, full ?? this.process);
      this.refill(lane);
    }
    return grants;
  }

  /** Whether the lane would have to wait for one more: others may wait for those that it has. */
  isFullFor(lane: PermitLane): boolean {
    return !this.admits(lane.level) || this.fullRoomOf(lane) !== undefined;
  }

  /** A claim under `grant` brought bodies of these sizes: the other permits go back, the bytes become the true ones. */
  settle(lane: PermitLane, grant: Grant, sizes: readonly number[]): void {
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    lane.hasBacklog = sizes.length === grant.count;
    if (sizes.length > 0) lane.bodyBytes = Math.max(Math.floor(lane.bodyBytes * FORGETTING), ...sizes);
    this.release(lane, grant.count - sizes.length, grant.bytes - bytes);
  }

  release(lane: PermitLane, count: number, bytes: number): void {
    this.bytes -= bytes;
    this.hold(lane, -count);
    this.refill(lane);
    if (this.merchantOf(lane).isIdle) this.merchants.delete(lane.info.merchant_id);
    this.origins.forgetIdle(lane.info);
  }

  /** Before the permit is released. */
  answered(lane: PermitLane, durationMs: number): void {
    lane.limit.onAnswer(durationMs);
    this.origins.of(lane.info).limit.onAnswer(durationMs);
    lane.standing = 'answering';
    this.relevel(lane);
  }

  /** Before the permit is released. */
  unanswered(lane: PermitLane): void {
    lane.limit.onTimeout();
    const { limit, room } = this.origins.of(lane.info);
    room.shrink(() => limit.onTimeout());
    if (lane.limit.isLeast) lane.standing = 'unanswered';
    this.relevel(lane);
  }

  /**
   * Levels take turns, too. One whose lane finds another room full keeps its turn: that room would give it to others
   * each time.
   */
  private next(): PermitLane | undefined {
    for (let tries = 0; tries < LEVELS.length; tries++) {
      const level = ((this.turn + tries) % LEVELS.length) as Level;
      const line = this.process.lines[level]!;
      if (line.isEmpty || !this.admits(level)) continue;
      const lane = line.next()!;
      lane.line = undefined;
      this.waiting[level]! -= 1;
      return lane;
    }
    return undefined;
  }

  private admits(level: Level): boolean {
    return this.process.admits(level) && this.bytes < this.byteLimits[level]!;
  }

  private mayHaveMore(lane: PermitLane): boolean {
    return lane.wanted > 0 && !this.isFullFor(lane);
  }

  private takeTurn(lane: PermitLane, grants: Map<PermitLane, Grant>): void {
    this.turn = (lane.level + 1) % LEVELS.length;
    if (lane.turnsAhead > 0) {
      lane.turnsAhead -= 1;
      return;
    }
    this.grant(lane, grants);
    if (!lane.hasBacklog || !lane.limit.isFast) {
      if (lane.held < FIRST_CLAIM && this.mayHaveMore(lane)) this.grant(lane, grants);
      return;
    }
    while (lane.turnsAhead < BACKLOG_CLAIM - 1 && this.mayHaveMore(lane)) {
      this.grant(lane, grants);
      lane.turnsAhead += 1;
    }
  }

  private grant(lane: PermitLane, grants: Map<PermitLane, Grant>): void {
    const grant = grants.get(lane) ?? { count: 0, bytes: 0 };
    grants.set(lane, grant);
    grant.count += 1;
    grant.bytes += lane.bodyBytes;
    this.bytes += lane.bodyBytes;
    lane.wanted -= 1;
    this.hold(lane, 1);
  }

  private hold(lane: PermitLane, count: number): void {
    lane.held += count;
    const others = this.origins.hold(lane, count);
    this.process.add(lane.level, count);
    this.merchantOf(lane).add(lane.level, count);
    this.origins.of(lane.info).room.add(lane.level, count);
    this.relevel(lane);
    for (const other of others) this.relevel(other);
  }

  /** Lanes that hold nothing and wait may have another level than they should: it is looked at in their turn, or by `refillFew`. */
  private relevel(lane: PermitLane): void {
    const level = levelOf(lane.standing, this.origins.hasFew(lane.info, lane.held));
    if (level === lane.level) return;
    const waits = this.leave(lane);
    this.move(lane, level);
    if (waits) this.enter(lane, this.process);
    this.refill(lane);
  }

  private move(lane: PermitLane, level: Level): void {
    const rooms = [this.process, this.merchantOf(lane), this.origins.of(lane.info).room];
    for (const room of rooms) room.move(lane.level, level, lane.held);
    lane.level = level;
  }

  private enter(lane: PermitLane, room: Room): void {
    lane.line = room.lines[lane.level]!;
    lane.line.add(lane.path, lane);
    this.waiting[lane.level]! += 1;
  }

  /** Answers whether it was in line. */
  private leave(lane: PermitLane): boolean {
    if (lane.line === undefined) return false;
    lane.line.delete(lane.path);
    lane.line = undefined;
    this.waiting[lane.level]! -= 1;
    return true;
  }

  private fullRoomOf(lane: PermitLane): Room | undefined {
    const { room } = this.origins.of(lane.info);
    if (!room.admits(lane.level)) return room;
    const merchant = this.merchantOf(lane);
    return merchant.admits(lane.level) ? undefined : merchant;
  }

  /** Something changed for the rooms of this lane: of those who wait there, one of each level admitted moves up. */
  private refill(lane: PermitLane): void {
    const { room } = this.origins.of(lane.info);
    if (this.origins.isFewFor(lane.info)) this.refillFew(room, lane.info.merchant_id);
    this.refillRoom(room);
    this.refillRoom(this.merchantOf(lane));
  }

  /**
   * The merchant has few attempts in flight at an origin of several: of its lanes that came into line there when it had
   * many, one moves up. Behind those who hold all that is there for `many` it would wait until one of these times out.
   */
  private refillFew(room: Room, merchantId: number): void {
    const first = room.lines[MANY]!.nextOf(merchantId);
    if (first === undefined) return;
    this.waiting[MANY]! -= 1;
    this.move(first, FEW);
    this.enter(first, this.process);
  }

  private refillRoom(room: Room): void {
    for (const level of BEST_FIRST) {
      const line = room.lines[level]!;
      if (line.isEmpty || !room.admits(level)) continue;
      const first = line.next()!;
      this.waiting[level]! -= 1;
      this.enter(first, this.process);
    }
  }

  private merchantOf({ info: { merchant_id } }: PermitLane): Room {
    let room = this.merchants.get(merchant_id);
    if (room === undefined) {
      room = new PermitRoom<PermitLane>((level) => this.merchantLimits[level]!);
      this.merchants.set(merchant_id, room);
    }
    return room;
  }
}
