import { CapacityPool, sizeWithReserve } from './capacity-pool.js';
import { ConcurrencyLimit, SLOW_MAX } from './concurrency-limit.js';

/** Maximum share of one merchant in the process, and at an origin that several merchants send to. */
export const MERCHANT_SHARE = 3 / 4;

/**
 * The connections to an origin in this process: its share of the connections of all workers.
 * The limit falls at once when attempts time out, but the pool shrinks only when slots are released. Otherwise the
 * unanswered attempts would fill the smaller pool, and healthy lanes of the origin would wait until these time out.
 */
export class OriginPool extends CapacityPool {
  readonly limit = new ConcurrencyLimit(SLOW_MAX, SLOW_MAX);
  private readonly merchants = new Map<number, CapacityPool>();
  private slots: number;

  /** `workers`: number of processes that share the origin. `isShared`: whether several merchants send to it. */
  constructor(
    private readonly workers: () => number,
    private readonly isShared: () => boolean,
    onUnused: () => void,
  ) {
    super(() => this.slots, onUnused);
    this.slots = this.limited();
  }

  /** Call it when the limit or the number of workers has changed, and when slots were released. */
  resize(): void {
    const kept = Math.min(this.slots, sizeWithReserve(this.held[0]!));
    this.slots = Math.max(this.limited(), kept);
  }

  /** The slots that one merchant may hold at this origin. */
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
