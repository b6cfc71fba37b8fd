import type { Strategy } from './strategy.js';

/** The eligible shops take turns: the pick is number `counter mod number of eligible shops`. */
export const roundRobin: Strategy = {
  usesCounter: () => true,
  pick: ({ shops }, { turn }) => shops[turn % shops.length]!,
  fallbacks: ({ shops }, { turn }, limit) => standIns(shops, turn).slice(0, limit),
  reasoning: ({ shops }, { counter, turn }) => ({
    by: 'round_robin',
    counter,
    position: turn % shops.length,
    of: shops.length,
  }),
  ownTurn: ({ shops }, { turn }) => Math.floor(turn / shops.length),
  probabilities: ({ shops }) => shops.map(() => 1 / shops.length),
  ticket: ({ counter }) => counter,
  nextTurn: ({ shops }, shop, from) => nextTurnAt(shops.indexOf(shop), shops.length, from),
};

/**
 * The rest of a list whose item `counter mod length` has just had its turn, in the order in which they stand in for it.
 * Who comes first moves on with each of that item's turns, so that its failures spread over all of them.
 */
export function standIns<T>(list: readonly T[], counter: number): T[] {
  const position = counter % list.length;
  const rest = list.filter((_, index) => index !== position);
  return rotated(rest, (counter - position) / list.length);
}

/** The list from item `counter mod length` on, round to the one before it. */
export function rotated<T>(list: readonly T[], counter: number): T[] {
  if (list.length === 0) return [];
  const start = counter % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** The first counter, `from` or later, that leaves `position` when divided by `length`. */
export const nextTurnAt = (position: number, length: number, from: number): number =>
  from + ((position - (from % length) + length) % length);
