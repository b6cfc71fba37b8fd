import type { RoutableShop } from './routable-flow.js';
import { WeightedOrder } from './strategies/weighted-order.js';

/** Shops to choose among, in order of priority, then id. What is worked out about them is kept with them. */
export class Pool {
  private order: WeightedOrder | undefined;

  constructor(readonly shops: readonly RoutableShop[]) {}

  get weightedOrder(): WeightedOrder {
    return (this.order ??= new WeightedOrder(this.shops));
  }

  /** The pool without those that `isOut`; itself when there are none. */
  without(isOut: (shop: RoutableShop) => boolean): Pool {
    return this.shops.some(isOut) ? new Pool(this.shops.filter((shop) => !isOut(shop))) : this;
  }
}
