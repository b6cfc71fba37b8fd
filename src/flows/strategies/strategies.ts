import type { ChoiceName, FlowDefinition } from '../flow-definition.js';
import { priority } from './priority.js';
import { roundRobin } from './round-robin.js';
import type { Strategy } from './strategy.js';
import { sticky } from './sticky.js';
import { successRate } from './success-rate.js';
import { weighted } from './weighted.js';

/** Every strategy that chooses by itself; `rules` (../routable-flow.ts) hands each request to one of these. */
export const STRATEGIES: Readonly<Record<ChoiceName, Strategy>> = {
  round_robin: roundRobin,
  weighted,
  priority,
  sticky,
  success_rate: successRate,
};

/** Strategies whose picks never depend on how many payments came before. */
const WITHOUT_COUNTER: ReadonlySet<string> = new Set<ChoiceName>(['success_rate']);

/** Whether any payment of the flow advances its counter. */
export const hasCounter = ({ strategy, rules = [], default: otherwise }: FlowDefinition): boolean =>
  strategy === 'rules'
    ? [...rules.map(({ use }) => use), ...(otherwise ? [otherwise] : [])].some(
        (use) => !WITHOUT_COUNTER.has(use.strategy),
      )
    : !WITHOUT_COUNTER.has(strategy);
