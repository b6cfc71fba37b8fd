import type { Reasoning } from '../strategies/strategy.js';
import type { RuleDecline, StrategyName } from '../definition/definition.js';
import type { RolloutChoice } from './rollout.js';

export type { Reasoning };

/**
 * The reasons why a shop does not take a request. `no_payment_method`: the payer has none in the shop's account.
 * `capability_missing`: its provider does not accept the currency or the type of payment method, or cannot capture later.
 * `rule`: the deciding rule does not name the shop.
 */
export const TEST_NAMES = [
  'disabled',
  'currency',
  'country',
  'min_amount',
  'max_amount',
  'no_payment_method',
  'capability_missing',
  'unhealthy',
  'rule',
] as const;

export type TestName = (typeof TEST_NAMES)[number];

/** A full decision as it is stored with a payment, in compact JSON. A shop passed every test that it did not fail. */
export interface DecisionTrace {
  /** `null`: a draft. */
  flow_version: number | null;
  /** The rollout that chose the version; absent: none was running. */
  rollout?: RolloutChoice;
  strategy: StrategyName;
  /**
   * The customer that the decision knew. Absent: no customer, or a new one in a flow that does not use the customer.
   */
  customer_id?: number;
  /** The payment is only authorised, so its shop's provider must be able to; absent: it is captured at once. */
  capture?: 'manual';
  /** The payment named the accounts that have its payment method; absent: any shop could try. */
  names_accounts?: true;
  /** Under `rules`: the index of the rule that decided, or `default`. */
  rule?: number | 'default';
  /** The rules before it that match, but none of whose shops takes the request; absent: none. */
  passed_over?: number[];
  /** Every shop of the flow, by priority, then id. */
  shops: number[];
  /** By shop id; a shop without an entry passed every test. */
  failed: Record<string, TestName[]>;
  /** `null`: no shop takes the request, or the rule declined or refused it. */
  picked: number | null;
  /** The rule's decline; absent: it did not decline the payment. */
  declined?: RuleDecline;
  /** None of the rule's shops takes the request, and it lets no later rule have it; absent: another reason. */
  refused?: true;
  /**
   * The probability of the pick in this version, before the counter, the random number and the customer's id were known;
   * six digits. A rollout chooses the version regardless of the payment, so its percent is no part of it.
   * Absent: no pick, or a decision of a release that did not store it.
   */
  probability?: number;
  /** In the order in which they would be tried after the pick: at most 9, the maximum that a flow can try. */
  fallbacks: number[];
  /** Absent if there is no pick. */
  reasoning?: Reasoning;
  /** No shop was healthy: the pick is the shop with the lowest failure rate. */
  least_bad?: true;
  /** The recovering shops among those that the strategy chose from; absent: none. */
  probing?: number[];
  /** A recovering shop that the strategy picked first, and whether it got the payment. */
  probed?: { shop_id: number; let_through: boolean };
}

/** The trace as it is stored and explained. */
export const withRollout = (trace: DecisionTrace, rollout: RolloutChoice | undefined): DecisionTrace =>
  rollout ? { ...trace, rollout } : trace;
