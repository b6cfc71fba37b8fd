import { FairQueue } from '../../shared/fair-queue.js';
import type { DueOperation } from '../money/state/operation.js';

/** Limits of operations under way: in total, per shop and per provider. */
export interface RecoveryShares {
  total: number;
  perShop: number;
  perProvider: number;
}

type Target = Pick<DueOperation, 'shop_id' | 'provider'>;

/**
 * The due operations to recover next, in order: round robin over the shops, and no shop or provider gets more than its
 * share. `due` is sorted by age. Operations under way count for their shops. Pure. No `Semaphore`: an operation is
 * claimed under a lease that runs, so it must not wait for a slot.
 */
export function pickNext<Due extends Target>(
  due: readonly Due[],
  underWay: readonly Target[],
  { total, perShop, perProvider }: RecoveryShares,
): Due[] {
  const [countShop, countProvider] = [counter<number>(), counter<string>()];
  for (const { provider } of underWay) countProvider(provider);
  const entries = roundRobin([
    ...underWay.map((target) => ({ target, operation: undefined })),
    ...due.map((operation) => ({ target: operation, operation })),
  ]);
  const picked = entries.flatMap(({ target: { shop_id: shopId, provider }, operation }) => {
    const isInShare = countShop(shopId) <= perShop && operation && countProvider(provider) <= perProvider;
    return isInShare ? [operation] : [];
  });
  return picked.slice(0, Math.max(0, total - underWay.length));
}

/** Round robin over the shops. */
function roundRobin<Entry extends { target: Target }>(entries: Entry[]): Entry[] {
  const queue = new FairQueue<Entry>();
  for (const [index, entry] of entries.entries()) queue.enqueue([entry.target.shop_id, index], entry);
  return entries.map(() => queue.dequeue()!);
}

/** Counts a key once more, and returns its count. */
function counter<Key>(): (key: Key) => number {
  const counts = new Map<Key, number>();
  return (key) => counts.set(key, (counts.get(key) ?? 0) + 1).get(key)!;
}
