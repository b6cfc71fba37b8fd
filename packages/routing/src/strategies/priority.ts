import type { RoutableShop } from '../definition/eligibility.js';
import type { Strategy } from './strategy.js';
import { nextCounterAt, rotated, replacements } from './round-robin.js';

/**
 * Round robin over the shops with the lowest priority number. The others are used only if none of these is eligible.
 */
export const priority: Strategy = {
  usesCounter: () => true,
  pick: ({ shops }, { rotation }) => shops[rotation % firstTier(shops)]!,
  fallbacks: ({ shops }, { rotation }, limit) => {
    const size = firstTier(shops);
    return [...replacements(shops.slice(0, size), rotation), ...lowerTiers(shops.slice(size), rotation)].slice(
      0,
      limit,
    );
  },
  reasoning: ({ shops }, { counter, rotation }) => {
    const of = firstTier(shops);
    return { by: 'priority', counter, priority: shops[0]!.priority, position: rotation % of, of };
  },
  shopSequence: ({ shops }, { rotation }) => Math.floor(rotation / firstTier(shops)),
  probabilities: ({ shops }) => {
    const size = firstTier(shops);
    return shops.map((_, index) => (index < size ? 1 / size : 0));
  },
  hashSeed: ({ counter }) => counter,
  nextPick: ({ shops }, shop, from) => {
    const position = shops.indexOf(shop);
    const size = firstTier(shops);
    return position < size ? nextCounterAt(position, size, from) : undefined;
  },
};

/** The number of shops with the priority of the first one; `shops` is sorted by priority. */
function firstTier(shops: readonly RoutableShop[]): number {
  const lowest = shops[0]!.priority;
  let size = 1;
  while (size < shops.length && shops[size]!.priority === lowest) size++;
  return size;
}

function lowerTiers(shops: readonly RoutableShop[], counter: number): RoutableShop[] {
  if (shops.length === 0) return [];
  const size = firstTier(shops);
  return [...rotated(shops.slice(0, size), counter), ...lowerTiers(shops.slice(size), counter)];
}
