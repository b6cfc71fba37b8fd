import type { StrategyName } from '../definition/definition.js';

interface StrategyWords {
  /** For lists and columns. */
  name: string;
  /** One sentence or two. */
  description: string;
}

/** The words of every strategy, for people. */
export const STRATEGY_WORDS: Readonly<Record<StrategyName, StrategyWords>> = {
  round_robin: { name: 'In turn', description: 'The shops take turns.' },
  weighted: {
    name: 'By weight',
    description: 'Each shop gets its exact share by weight in every cycle of payments.',
  },
  priority: {
    name: 'By priority',
    description: 'The shop with the lowest priority number. Shops with the same number take turns.',
  },
  sticky: {
    name: 'Same shop for a customer',
    description: 'A customer always gets the same shop, chosen by weight. Payments without a customer go by weight.',
  },
  success_rate: {
    name: 'By approval rate',
    description: 'Shops with a better recent approval rate get more payments.',
  },
  lowest_cost: {
    name: 'Lowest cost',
    description: 'The shop with the lowest fee for the payment. Shops without a known fee come last.',
  },
  rules: {
    name: 'By rules',
    description: 'The first matching rule that declines or has an available shop, otherwise the default.',
  },
};
