import type { RoutableShop } from '../../definition/eligibility.js';
import type { Strategy } from './strategy.js';
import { nextTurnAt, rotated, standIns } from './round-robin.js';

/** The shops of the lowest priority number take turns; the others take part when none of those does. */
export const priority: Strategy = {
  usesCounter: () => true,
  pick: ({ shops }, { turn }) => shops[turn % firstTier(shops)]!,
  fallbacks: ({ shops }, { turn }, limit) => {
    const size = firstTier(shops);
    return [...standIns(shops.slice(0, size), turn), ...lowerTiers(shops.slice(size), turn)].slice(0, limit);
  },
  reasoning: ({ shops }, { counter, turn }) => {
    const of = firstTier(shops);
    return { by: 'priority', counter, priority: shops[0]!.priority, position: turn % of, of };
  },
  ownTurn: ({ shops }, { turn }) => Math.floor(turn / firstTier(shops)),
  probabilities: ({ shops }) => {
    const size = firstTier(shops);
    return shops.map((_, index) => (index < size ? 1 / size : 0));
  },
  ticket: ({ counter }) => counter,
  nextTurn: ({ shops }, shop, from) => {
    const position = shops.indexOf(shop);
    const size = firstTier(shops);
    return position < size ? nextTurnAt(position, size, from) : undefined;
  },
};

/** How many of the shops, which are in order of priority, have the first one's. */
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
