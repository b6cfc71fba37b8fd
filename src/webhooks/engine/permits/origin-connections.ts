import { growingCache } from '../../../shared/growing-cache.js';
import { ConcurrencyLimit, FAST_MAX, MIN, SLOW_MAX } from './concurrency-limit.js';
import type { LaneInfo } from '../delivery-store.js';
import { type Level, MANY, PermitRoom, shareOf } from './permit-room.js';

/** What lanes with many attempts in flight may hold of an origin that several merchants send to. */
const SHARED_SHARE = 3 / 4;
/** Origins of which it is remembered whether several merchants send there. */
const MAX_ORIGINS = 20_000;
/** Stands for a merchant where there are several. */
const SEVERAL = 0;
const NONE: never[] = [];

interface Origin<Lane> {
  room: PermitRoom<Lane>;
  limit: ConcurrencyLimit;
  /** What lanes of each merchant hold. */
  heldBy: Map<number, { permits: number; lanes: Set<Lane> }>;
  /** Several merchants send to it. Kept here because every permit asks, and `senders` moves what it is asked for. */
  isShared: boolean;
}

/**
 * The connections of each origin that permits are held for.
 * - They are those of all workers: each takes its share, and at least one.
 * - Of an origin that several merchants send to, the last quarter is for merchants with few attempts in flight there, on
 *   however many lanes: one whose lanes have always answered, and all hang at once, leaves the others connections.
 */
export class OriginConnections<Lane extends { readonly info: LaneInfo; readonly held: number }> {
  private readonly origins = new Map<string, Origin<Lane>>();
  /** The one merchant that sends to an origin, or SEVERAL. */
  private readonly senders = growingCache<string, number>(MAX_ORIGINS);
  private workers = 1;

  /** What is held beyond the new share comes back by itself. Answers the rooms, which may have more now. */
  shareAmong(workers: number): PermitRoom<Lane>[] {
    this.workers = workers;
    return [...this.origins.values()].map(({ room }) => room);
  }

  /** Whether this worker has less than all connections of an origin. */
  get areShared(): boolean {
    return this.workers > 1;
  }

  /** A lane of this merchant sends to this origin. */
  meet({ origin, merchant_id: merchantId }: LaneInfo): void {
    const sender = this.senders.get(origin) ?? merchantId;
    const isShared = sender !== merchantId;
    this.senders.set(origin, isShared ? SEVERAL : sender);
    const known = this.origins.get(origin);
    if (known) known.isShared = isShared;
  }

  of({ origin: name }: LaneInfo): Origin<Lane> {
    let origin = this.origins.get(name);
    if (origin === undefined) {
      origin = this.idle(this.senders.get(name) === SEVERAL);
      this.origins.set(name, origin);
    }
    return origin;
  }

  /**
   * A lane holds `count` permits more, or fewer. Answers those that hold permits of the same merchant, if all of them have
   * few from now on, or many.
   */
  hold(lane: Lane, count: number): Lane[] {
    const { info, held } = lane;
    const origin = this.of(info);
    const had = this.hasMerchantFew(origin, info.merchant_id);
    const merchant = origin.heldBy.get(info.merchant_id) ?? { permits: 0, lanes: new Set<Lane>() };
    if (merchant.permits === 0) origin.heldBy.set(info.merchant_id, merchant);
    merchant.permits += count;
    if (held === 0) merchant.lanes.delete(lane);
    else if (held === count) merchant.lanes.add(lane);
    if (merchant.permits === 0) origin.heldBy.delete(info.merchant_id);
    return had === this.hasMerchantFew(origin, info.merchant_id) ? NONE : [...merchant.lanes];
  }

  /** Whether a lane that holds `held` permits has few of them, and where several merchants send, its merchant has. */
  hasFew(lane: LaneInfo, held: number): boolean {
    return this.origins.get(lane.origin)?.isShared ? this.isFewFor(lane) : held < MIN;
  }

  /** Whether several merchants send to the origin, and that of the lane has few attempts in flight there. */
  isFewFor({ origin, merchant_id: merchantId }: LaneInfo): boolean {
    const known = this.origins.get(origin);
    return known !== undefined && this.hasMerchantFew(known, merchantId);
  }

  private hasMerchantFew({ isShared, heldBy }: Origin<Lane>, merchantId: number): boolean {
    if (!isShared) return false;
    const few = Math.max(1, Math.ceil(MIN / this.workers));
    return (heldBy.get(merchantId)?.permits ?? 0) < few;
  }

  forgetIdle(lane: LaneInfo): void {
    if (this.of(lane).room.isIdle) this.origins.delete(lane.origin);
  }

  private idle(isShared: boolean): Origin<Lane> {
    const limit = new ConcurrencyLimit(SLOW_MAX, SLOW_MAX);
    const room: PermitRoom<Lane> = new PermitRoom<Lane>(
      (level) => this.share(origin.isShared, limit.size, level),
      (level) => this.share(origin.isShared, FAST_MAX, level),
    );
    const origin: Origin<Lane> = { room, limit, heldBy: new Map(), isShared };
    return origin;
  }

  private share(isShared: boolean, size: number, level: Level): number {
    const ours = Math.ceil(size / this.workers);
    const share = shareOf(ours, level);
    return level === MANY && isShared ? Math.min(share, Math.max(1, Math.floor(ours * SHARED_SHARE))) : share;
  }
}
