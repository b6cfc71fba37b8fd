import { CapacityPool, sizeWithReserve } from './capacity-pool.js';
import { ConcurrencyLimit, SLOW_MAX } from './concurrency-limit.js';

/** One merchant holds at most this share of the process, and of an origin that several merchants send to. */
export const MERCHANT_SHARE = 3 / 4;

/**
 * The connections of an origin in this process: its part of what all workers together may hold there.
 * The limit falls at once when attempts time out; the pool shrinks only as slots come back. Otherwise the attempts that
 * hang would fill the smaller pool, and healthy lanes of the same origin would wait for their time-outs.
 */
export class OriginPool extends CapacityPool {
  readonly limit = new ConcurrencyLimit(SLOW_MAX, SLOW_MAX);
  private readonly merchants = new Map<number, CapacityPool>();
  private slots: number;

  /** `workers`: how many processes share the origin now. `isShared`: several merchants send to it. */
  constructor(
    private readonly workers: () => number,
    private readonly isShared: () => boolean,
    onUnused: () => void,
  ) {
    super(() => this.slots, onUnused);
    this.slots = this.limited();
  }

  /** To be called when the limit or the number of workers changed, and when slots came back. */
  resize(): void {
    const kept = Math.min(this.slots, sizeWithReserve(this.held[0]!));
    this.slots = Math.max(this.limited(), kept);
  }

  /** What one merchant may hold here. */
  merchantPool(merchantId: number): CapacityPool {
    let pool = this.merchants.get(merchantId);
    if (pool === undefined) {
      const slots = (): number =>
        this.isShared() ? Math.max(1, Math.floor(this.slots * MERCHANT_SHARE)) : Number.MAX_SAFE_INTEGER;
      pool = new CapacityPool(slots, () => this.merchants.delete(merchantId));
      this.merchants.set(merchantId, pool);
    }
    return pool;
  }

  private limited(): number {
    return Math.ceil(this.limit.size / this.workers());
  }
}
