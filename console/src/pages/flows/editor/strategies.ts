import { CHOICE_NAMES, STRATEGY_NAMES } from '@payment-orchestrator/routing/definition/definition';
import { STRATEGY_WORDS } from '@payment-orchestrator/routing/words/strategy-words';
import type { DefinitionForm, Strategy } from '../model/form';

export const descriptionOf = (strategy: Strategy): string => STRATEGY_WORDS[strategy].description;

const optionOf = <Name extends Strategy>(value: Name) => ({ value, label: STRATEGY_WORDS[value].name });

export const CHOICES = CHOICE_NAMES.map(optionOf);
export const STRATEGIES = STRATEGY_NAMES.map(optionOf);

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
