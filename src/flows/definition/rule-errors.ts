import type { FieldError } from '../../shared/problem.js';
import { conditionErrors } from './condition-errors.js';
import type { FlowDefinition, RuleUse } from './definition.js';
import { reachErrors } from './rule-reach.js';

/** What is wrong with a definition's rules and default, by name; empty when nothing is. */
export function ruleErrors(definition: FlowDefinition): FieldError[] {
  const errors = definition.strategy === 'rules' ? errorsOfRules(definition) : strangers(definition);
  return errors.length > 0 ? errors : reachErrors(definition);
}

const strangers = ({ rules, default: otherwise }: FlowDefinition): FieldError[] =>
  Object.entries({ rules, default: otherwise })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, message: 'is taken with the strategy rules alone' }));

function errorsOfRules({ shops, rules = [], default: otherwise }: FlowDefinition): FieldError[] {
  const members = new Set(shops.map((shop) => shop.shop_id));
  return [
    ...(rules.length === 0 ? [{ field: 'rules', message: 'must hold at least one rule with the strategy rules' }] : []),
    ...rules.flatMap(({ when, use }, index) => [
      ...conditionErrors(when, `rules[${index}].when`),
      ...useErrors(use, members, `rules[${index}].use`),
    ]),
    ...(otherwise
      ? useErrors(otherwise, members, 'default')
      : [{ field: 'default', message: 'is required with the strategy rules' }]),
  ];
}

const useErrors = ({ shops }: RuleUse, members: ReadonlySet<number>, field: string): FieldError[] =>
  shops.flatMap((shop, index) =>
    members.has(shop)
      ? []
      : [{ field: `${field}.shops[${index}]`, message: `shop ${shop} is not a shop of this flow` }],
  );
