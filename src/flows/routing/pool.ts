import type { RoutableShop } from '../definition/routable-shop.js';
import { WeightedOrder } from './strategies/weighted-order.js';

/** Shops to choose among, in order of priority, then id. What is worked out about them is kept with them. */
export class Pool {
  private order: WeightedOrder | undefined;

  constructor(readonly shops: readonly RoutableShop[]) {}

  get weightedOrder(): WeightedOrder {
    return (this.order ??= new WeightedOrder(this.shops));
  }

  /** The pool of those that stay; itself when all do. */
  filter(stays: (shop: RoutableShop) => boolean): Pool {
    const { shops } = this;
    const firstOut = shops.findIndex((shop) => !stays(shop));
    if (firstOut < 0) return this;
    const staying = shops.slice(0, firstOut);
    for (let index = firstOut + 1; index < shops.length; index++) {
      const shop = shops[index]!;
      if (stays(shop)) staying.push(shop);
    }
    return new Pool(staying);
  }
}
