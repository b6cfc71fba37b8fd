import type { SegmentField } from '../facts/segment.js';
import type { ChoiceName, FlowDefinition, SuccessRateOptions } from '../definition/definition.js';
import { lowestCost } from './lowest-cost.js';
import { priority } from './priority.js';
import { roundRobin } from './round-robin.js';
import type { Strategy } from './strategy.js';
import { sticky } from './sticky.js';
import { SuccessRate } from './success-rate.js';
import { weighted } from './weighted.js';

/** How a flow or one of its rules chooses. */
interface Choice {
  strategy: ChoiceName;
  success_rate?: SuccessRateOptions | undefined;
}

/** Every strategy that chooses a shop itself; `rules` (../routable-flow.ts) passes each request to one of these. */
const STRATEGIES: Readonly<Record<ChoiceName, (options?: SuccessRateOptions) => Strategy>> = {
  round_robin: () => roundRobin,
  weighted: () => weighted,
  priority: () => priority,
  sticky: () => sticky,
  success_rate: (options) => new SuccessRate(options),
  lowest_cost: () => lowestCost,
};

export const strategyFor = ({ strategy, success_rate: options }: Choice): Strategy => STRATEGIES[strategy](options);

/** The choices of the flow. */
function choicesOf({ strategy, success_rate: options, rules = [], default: otherwise }: FlowDefinition): Choice[] {
  if (strategy !== 'rules') return [{ strategy, success_rate: options }];
  return [...rules.map(({ use }) => use), otherwise].filter((use) => use !== undefined);
}

const WITHOUT_COUNTER: readonly ChoiceName[] = ['success_rate', 'lowest_cost'];

/** Whether payments of the flow may advance its counter. */
export const hasCounter = (definition: FlowDefinition): boolean =>
  choicesOf(definition).some(({ strategy }) => !WITHOUT_COUNTER.includes(strategy));

/** Whether decisions of the flow may depend on a random number. */
export const drawsAtRandom = (definition: FlowDefinition): boolean =>
  choicesOf(definition).some(({ strategy }) => WITHOUT_COUNTER.includes(strategy));

/** Whether decisions of the flow may depend on the shops' approval rates. */
export const usesRates = (definition: FlowDefinition): boolean =>
  choicesOf(definition).some(({ strategy }) => strategy === 'success_rate');

/** The lists of fields by which the flow divides payments into segments, without duplicates. */
export const segmentationsOf = (definition: FlowDefinition): readonly SegmentField[][] => [
  ...new Map(
    choicesOf(definition).flatMap(({ success_rate: options }) =>
      options?.by ? [[options.by.join(), options.by]] : [],
    ),
  ).values(),
];

/** Whether decisions of the flow may depend on the shops' fees. */
export const usesFees = (definition: FlowDefinition): boolean =>
  choicesOf(definition).some(
    ({ strategy, success_rate: options }) => strategy === 'lowest_cost' || options?.objective === 'margin',
  );
