import type { ChoiceName, FlowDefinition } from '../../definition/definition.js';
import { priority } from './priority.js';
import { roundRobin } from './round-robin.js';
import type { Strategy } from './strategy.js';
import { sticky } from './sticky.js';
import { successRate } from './success-rate.js';
import { weighted } from './weighted.js';

/** Every strategy that chooses a shop itself; `rules` (../routable-flow.ts) passes each request to one of these. */
export const STRATEGIES: Readonly<Record<ChoiceName, Strategy>> = {
  round_robin: roundRobin,
  weighted,
  priority,
  sticky,
  success_rate: successRate,
};

/** The strategies that the flow uses. */
const choicesOf = ({ strategy, rules = [], default: otherwise }: FlowDefinition): ChoiceName[] =>
  strategy === 'rules'
    ? [...rules.map(({ use }) => use.strategy), ...(otherwise ? [otherwise.strategy] : [])]
    : [strategy];

/** Whether payments of the flow may advance its counter. */
export const hasCounter = (definition: FlowDefinition): boolean =>
  choicesOf(definition).some((choice) => choice !== 'success_rate');

/** Whether decisions of the flow may depend on a random number and on the shops' approval rates. */
export const drawsAtRandom = (definition: FlowDefinition): boolean => choicesOf(definition).includes('success_rate');
