import type { Choice, DefinitionForm, Strategy } from '../model/form';

const DESCRIPTIONS: Readonly<Record<Strategy, string>> = {
  round_robin: 'Shops are used in rotation.',
  weighted: 'Each shop gets its exact share by weight in every cycle of payments.',
  priority: 'The shop with the lowest priority number. Shops with the same number rotate.',
  sticky: 'A customer always gets the same shop, chosen by weight. Payments without a customer use weighted.',
  success_rate: 'Shops with a better recent approval rate get more payments.',
  lowest_cost: 'The shop with the lowest fee for the payment. Shops without a known fee come last.',
  rules: 'The first matching rule that declines or has an available shop, otherwise the default.',
};

export const descriptionOf = (strategy: Strategy): string => DESCRIPTIONS[strategy];

export const CHOICES: { value: Choice; label: string }[] = (
  ['round_robin', 'weighted', 'priority', 'sticky', 'success_rate', 'lowest_cost'] as const
).map((value) => ({ value, label: value }));

export const STRATEGIES: { value: Strategy; label: string }[] = [...CHOICES, { value: 'rules', label: 'rules' }];

/** All strategies of the definition, including those of its rules. */
const strategiesIn = ({ strategy, rules, otherwise }: DefinitionForm): Strategy[] =>
  strategy === 'rules'
    ? [
        ...rules.filter(({ decline }) => !decline).map(({ use }) => use.strategy),
        ...(otherwise ? [otherwise.strategy] : []),
      ]
    : [strategy];

export const usesWeights = (form: DefinitionForm): boolean =>
  strategiesIn(form).some((strategy) => strategy === 'weighted' || strategy === 'sticky');

/** Under `lowest_cost` shops with equal fees are used by priority. */
export const usesPriorities = (form: DefinitionForm): boolean =>
  strategiesIn(form).some((strategy) => strategy === 'priority' || strategy === 'lowest_cost');
