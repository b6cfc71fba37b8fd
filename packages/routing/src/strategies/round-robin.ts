import type { Strategy } from './strategy.js';

/** Round robin over the eligible shops: the pick is number `counter mod number of eligible shops`. */
export const roundRobin: Strategy = {
  usesCounter: () => true,
  pick: ({ shops }, { rotation }) => shops[rotation % shops.length]!,
  fallbacks: ({ shops }, { rotation }, limit) => replacements(shops, rotation).slice(0, limit),
  reasoning: ({ shops }, { counter, rotation }) => ({
    by: 'round_robin',
    counter,
    position: rotation % shops.length,
    of: shops.length,
  }),
  shopSequence: ({ shops }, { rotation }) => Math.floor(rotation / shops.length),
  probabilities: ({ shops }) => shops.map(() => 1 / shops.length),
  hashSeed: ({ counter }) => counter,
  nextPick: ({ shops }, shop, from) => nextCounterAt(shops.indexOf(shop), shops.length, from),
};

/**
 * The other items of a list after item `counter mod length` was picked, in the order in which they replace it. The
 * first of them changes with each pick of that item, so that its failures spread over all others.
 */
export function replacements<T>(list: readonly T[], counter: number): T[] {
  const position = counter % list.length;
  const remaining = list.filter((_, index) => index !== position);
  return rotated(remaining, (counter - position) / list.length);
}

/** The list, rotated so that item `counter mod length` comes first. */
export function rotated<T>(list: readonly T[], counter: number): T[] {
  if (list.length === 0) return [];
  const start = counter % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** The first counter, `from` or later, whose remainder by `length` is `position`. */
export const nextCounterAt = (position: number, length: number, from: number): number =>
  from + ((position - (from % length) + length) % length);
