import type { CaptureMode } from '../facts/capture-mode.js';
import type { SegmentField } from '../facts/segment.js';
import type { PaymentMethodOption } from '../facts/payment-method.js';
import type { Condition } from './condition.js';

/** The values of a flow's `strategy` field; strategies/strategies.ts has the implementations. */
export const STRATEGY_NAMES = [
  'round_robin',
  'weighted',
  'priority',
  'sticky',
  'rules',
  'success_rate',
  'lowest_cost',
] as const;

export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** The strategies that choose a shop themselves; `rules` passes each request to one of them. */
export const CHOICE_NAMES = STRATEGY_NAMES.filter((name) => name !== 'rules');

export type ChoiceName = Exclude<StrategyName, 'rules'>;

/**
 * The conditions that a request must meet to go to the shop; an absent condition matches every request. Amounts are
 * inclusive bounds.
 */
export interface ShopConditions {
  /** ISO 4217 codes. */
  currencies?: string[];
  /** ISO 3166-1 alpha-2 codes; a request without a country does not match. */
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

/** The shops that `success_rate` prefers: those that approve more, or those that leave more of the amount after fees. */
export const OBJECTIVES = ['approvals', 'margin'] as const;

export interface SuccessRateOptions {
  /** One or two fields that divide payments into segments with rates of their own; absent: one rate for each shop. */
  by?: SegmentField[];
  /** Absent: `approvals`. */
  objective?: (typeof OBJECTIVES)[number];
}

/** The shops that get the payments of a rule, and the strategy that chooses among them. */
export interface RuleUse {
  shops: number[];
  strategy: ChoiceName;
  /** Only for the strategy `success_rate`. */
  success_rate?: SuccessRateOptions;
}

/** The decline of a payment without asking a shop. */
export interface RuleDecline {
  /** The merchant's own. */
  code: string;
  message?: string;
}

/** The effect on a payment that none of the rule's shops may take. */
export const RULE_OTHERWISE = ['next', 'refuse'] as const;

interface NamedRule {
  /** For people, unique in its flow; absent: they see its number. */
  name?: string;
}

/** A rule that declines the payments that match. */
interface DeclineRule extends NamedRule {
  when: Condition;
  decline: RuleDecline;
  use?: undefined;
  otherwise?: undefined;
}

/** A rule that gives the payments that match to shops. */
interface ShopRule extends NamedRule {
  when: Condition;
  use: RuleUse;
  decline?: undefined;
  /** No later rule is tried for the payments that match. Absent: the next one is. */
  otherwise?: 'refuse';
}

/** Whether no later rule gets the payments that match, regardless of what the rule's shops can take. */
export const isLastFor = ({ decline, otherwise }: Rule): boolean => decline !== undefined || otherwise === 'refuse';

/** The first rule decides that matches and declines, refuses, or has a shop that may take the payment. */
export type Rule = ShopRule | DeclineRule;

/** A requirement on the flow, checked when a version becomes active. */
export type Assertion = AssertedRequests &
  (
    | /** They never go to this shop. */ { never: number }
      /** They have at least this many shops to choose from; they need not be tried with all of them. */
    | { at_least: number }
    /** They are tried with at least this many shops before they fail, if all shops are up. */
    | { at_least_tries: number }
  );

/** The requests that an assertion is about. */
interface AssertedRequests {
  when: Condition;
  /** They name exactly these accounts; absent: they name none. */
  payment_method?: { options: PaymentMethodOption[] };
}

/** One version of a flow, as `flow_versions.definition` stores it; never changed once written. */
export interface FlowDefinition {
  strategy: StrategyName;
  shops: FlowShop[];
  /** Only for the strategy `rules`, which requires both. */
  rules?: Rule[];
  default?: RuleUse;
  /** Only for the strategy `success_rate`. */
  success_rate?: SuccessRateOptions;
  /** The maximum number of shops that a payment is tried with, including the first; absent: 1. */
  max_attempts?: number;
  /** The capture of payments whose request names none; absent: automatic. */
  capture?: CaptureMode;
  assertions?: Assertion[];
}

/** Every shop that the definition names, including shops outside the flow that assertions name. */
export function shopIdsOf({ shops = [], assertions = [] }: Partial<FlowDefinition>): number[] {
  const kept = assertions.flatMap((assertion) => ('never' in assertion ? [assertion.never] : []));
  return [...new Set([...shops.map((shop) => shop.shop_id), ...kept])];
}

/**
 * Returns the definition with some fields replaced. Without the strategy `rules` it has no rules and no default, and
 * without `success_rate` it keeps no options of it.
 */
export function changedDefinition(definition: FlowDefinition, changes: Partial<FlowDefinition>): FlowDefinition {
  const { rules, default: otherwise, success_rate: options, ...rest } = definition;
  const strategy = changes.strategy ?? definition.strategy;
  const needsRules = strategy === 'rules';
  return {
    ...rest,
    ...(needsRules && rules && { rules }),
    ...(needsRules && otherwise && { default: otherwise }),
    ...(strategy === 'success_rate' && options && { success_rate: options }),
    ...changes,
  };
}
