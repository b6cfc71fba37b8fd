import type { Condition } from './condition.js';

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
  /** Requests that meet the condition find at least so many shops to choose from; they need not be tried with them. */
  | { when: Condition; at_least: number }
  /** Requests that meet the condition are tried with so many shops before they fail, as long as all shops are up. */
  | { when: Condition; at_least_tries: number };

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
