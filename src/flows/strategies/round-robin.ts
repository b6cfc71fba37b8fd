import type { Strategy } from './strategy.js';

/** The eligible shops take turns: the pick is number `counter mod number of eligible shops`. */
export const roundRobin: Strategy = {
  usesCounter: true,
  pick: (eligible, { counter }) => eligible[counter % eligible.length]!,
};
