import type { Strategy } from './strategy.js';
import { nextTurnAt, standIns } from './turns.js';

/** The eligible shops take turns: the pick is number `counter mod number of eligible shops`. */
export const roundRobin: Strategy = {
  usesCounter: () => true,
  pick: ({ shops }, { counter }) => shops[counter % shops.length]!,
  fallbacks: ({ shops }, { counter }, limit) => standIns(shops, counter).slice(0, limit),
  reasoning: ({ shops }, { counter }) => ({
    by: 'round_robin',
    counter,
    position: counter % shops.length,
    of: shops.length,
  }),
  ticket: ({ counter }) => counter,
  nextTurn: ({ shops }, shop, from) => nextTurnAt(shops.indexOf(shop), shops.length, from),
};
