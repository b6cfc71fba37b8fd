import type { Choice, DefinitionForm, Strategy } from '../model/form';

const WORDS: Readonly<Record<Strategy, string>> = {
  round_robin: 'Shops take turns.',
  weighted: 'Each shop gets exactly its weight in every cycle of payments.',
  priority: 'The shop with the lowest priority number; equals take turns.',
  sticky: 'The same customer goes to the same shop, by weight; payments without a customer as weighted.',
  success_rate: 'By recent approval rates.',
  rules: 'The first rule that matches and has a shop for the payment, otherwise the default.',
};

export const wordsOf = (strategy: Strategy): string => WORDS[strategy];

export const CHOICES: { value: Choice; label: string }[] = (
  ['round_robin', 'weighted', 'priority', 'sticky', 'success_rate'] as const
).map((value) => ({ value, label: value }));

export const STRATEGIES: { value: Strategy; label: string }[] = [...CHOICES, { value: 'rules', label: 'rules' }];

/** All strategies by which the definition chooses, those of its rules included. */
const strategiesIn = ({ strategy, rules, otherwise }: DefinitionForm): Strategy[] =>
  strategy === 'rules'
    ? [...rules.map(({ use }) => use.strategy), ...(otherwise ? [otherwise.strategy] : [])]
    : [strategy];

export const usesWeights = (form: DefinitionForm): boolean =>
  strategiesIn(form).some((strategy) => strategy === 'weighted' || strategy === 'sticky');

export const usesPriorities = (form: DefinitionForm): boolean => strategiesIn(form).includes('priority');
