import type { FieldError } from '../shared/problem.js';
import { assertionErrors } from './assertion-errors.js';
import type { Condition } from './condition.js';
import { ruleErrors } from './rule-errors.js';

/** The names of the strategies, as a flow's `strategy` field takes them; the table behind them is strategies/strategies.ts. */
export const STRATEGY_NAMES = ['round_robin', 'weighted', 'priority', 'sticky', 'rules', 'success_rate'] as const;

export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** The strategies that choose by themselves; `rules` hands each request to one of them. */
export const CHOICE_NAMES = STRATEGY_NAMES.filter((name) => name !== 'rules');

export type ChoiceName = Exclude<StrategyName, 'rules'>;

/** What a request must meet for the shop to take part; an absent condition takes any. Amounts are inclusive bounds. */
export interface ShopConditions {
  /** ISO 4217 codes. */
  currencies?: string[];
  /** ISO 3166-1 alpha-2 codes; a request without a country meets none of them. */
  countries?: string[];
  min_amount?: number;
  max_amount?: number;
}

/** A shop's membership in a flow. */
export interface FlowShop {
  shop_id: number;
  priority: number;
  weight: number;
  enabled: boolean;
  conditions: ShopConditions;
}

/** Who takes the payments of a rule: some of the flow's shops, and the strategy that chooses among them. */
export interface RuleUse {
  shops: number[];
  strategy: ChoiceName;
}

/** The first rule that matches and has a shop that may take the payment wins. */
export interface Rule {
  when: Condition;
  use: RuleUse;
}

/** What no request may lead to; checked when a version becomes active. */
export type Assertion =
  /** Requests that meet the condition never go to this shop. */
  | { when: Condition; never: number }
  /** Requests that meet the condition find at least so many shops to choose from. */
  | { when: Condition; at_least: number };

/** One version of a flow, as `flow_versions.definition` stores it; never changed once written. */
export interface FlowDefinition {
  strategy: StrategyName;
  shops: FlowShop[];
  /** Of the strategy `rules` alone, which requires both. */
  rules?: Rule[];
  default?: RuleUse;
  /** How many shops a payment is tried with, the first included; absent: 1. */
  max_attempts?: number;
  assertions?: Assertion[];
}

/**
 * What is wrong with a definition beyond the shape of its fields: shops that are there twice, that are not among
 * `knownShopIds` (the merchant's own), or whose conditions no request can meet, and rules that could as well not be
 * there. Empty when nothing is.
 */
export const definitionErrors = (definition: FlowDefinition, knownShopIds: ReadonlySet<number>): FieldError[] => [
  ...shopErrors(definition, knownShopIds),
  ...ruleErrors(definition),
  ...assertionErrors(definition, knownShopIds),
];

/** Every shop that the definition names, of the flow or not. */
export function shopIdsOf({ shops = [], assertions = [] }: Partial<FlowDefinition>): number[] {
  const kept = assertions.flatMap((assertion) => ('never' in assertion ? [assertion.never] : []));
  return [...new Set([...shops.map((shop) => shop.shop_id), ...kept])];
}

/** The definition with some of its fields replaced. Rules go with the strategy that needs them. */
export function changedDefinition(definition: FlowDefinition, changes: Partial<FlowDefinition>): FlowDefinition {
  const { rules, default: otherwise, ...rest } = definition;
  const needsRules = (changes.strategy ?? definition.strategy) === 'rules';
  return {
    ...rest,
    ...(needsRules && rules && { rules }),
    ...(needsRules && otherwise && { default: otherwise }),
    ...changes,
  };
}

function shopErrors(definition: FlowDefinition, knownShopIds: ReadonlySet<number>): FieldError[] {
  const firstIndexes = new Map<number, number>();
  return definition.shops.flatMap((shop, index) => {
    const field = `shops[${index}]`;
    const errors = conditionErrors(shop.conditions, `${field}.conditions`);
    const first = firstIndexes.get(shop.shop_id);
    if (first !== undefined) {
      errors.push({ field: `${field}.shop_id`, message: `is the same shop as shops[${first}]` });
    } else if (!knownShopIds.has(shop.shop_id)) {
      errors.push({ field: `${field}.shop_id`, message: 'is not a shop of yours' });
    } else {
      firstIndexes.set(shop.shop_id, index);
    }
    return errors;
  });
}

function conditionErrors({ min_amount: min, max_amount: max }: ShopConditions, field: string): FieldError[] {
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ field: `${field}.max_amount`, message: `must not be less than min_amount (${min}), got ${max}` }];
}
