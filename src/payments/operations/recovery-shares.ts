import type { DueOperation } from '../ledger/operation.js';

/** How much may be under way at once, of everything, of one shop and at one provider. */
export interface RecoveryShares {
  total: number;
  perShop: number;
  perProvider: number;
}

type Target = Pick<DueOperation, 'shop_id' | 'provider'>;

/**
 * Whose turn it is, of what is due in the order of its age, beside what is under way: shops take turns, and nobody gets more
 * than their share. Pure.
 */
export function turnsOf<Due extends Target>(
  due: readonly Due[],
  underWay: readonly Target[],
  shares: RecoveryShares,
): Due[] {
  const ofShops = new Counts(underWay.map(({ shop_id: shopId }) => shopId));
  const atProviders = new Counts(underWay.map(({ provider }) => provider));
  const room = Math.max(0, shares.total - underWay.length);
  return due
    .map((operation) => ({ operation, turn: ofShops.add(operation.shop_id) }))
    .filter(({ turn }) => turn <= shares.perShop)
    .sort((a, b) => a.turn - b.turn)
    .map(({ operation }) => operation)
    .filter(({ provider }) => atProviders.add(provider) <= shares.perProvider)
    .slice(0, room);
}

class Counts<Key> {
  private readonly counts = new Map<Key, number>();

  constructor(keys: readonly Key[]) {
    for (const key of keys) this.add(key);
  }

  /** How many there are with this one. */
  add(key: Key): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }
}
