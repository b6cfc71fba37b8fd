import { type Change, type PreparedScenario, traceOf } from './scenario.js';
import { type DecisionTrace, TEST_NAMES, type TestName } from '../decision/decision-trace.js';
import { type Reasoning } from '../strategies/strategy.js';
import type { RuleDecline, StrategyName } from '../definition/definition.js';
import type { RolloutChoice } from '../decision/rollout.js';
import { SmallestChanges } from './smallest-change.js';

type TestResult = 'passed' | 'failed';

export interface ExplainedShop {
  shop_id: number;
  picked: boolean;
  /** Each test that matters for the request: see `ExplainedShopDto`. */
  tests: Partial<Record<TestName, TestResult>>;
  /**
   * Only for a shop that was not picked: the smallest single change that would have picked it; `null`: none was found.
   */
  smallest_change?: Change | null;
}

/** The decline of a rule, as answers show it. */
export interface Declined {
  code: string;
  message: string | null;
}

export const declinedOf = (decline: RuleDecline | undefined): Declined | null =>
  decline ? { code: decline.code, message: decline.message ?? null } : null;

/** A decision in detail. */
export interface Explanation {
  /** `null`: a draft. */
  flow_version: number | null;
  /** The rollout that chose the version; `null`: none was running, or a draft. */
  rollout: RolloutChoice | null;
  strategy: StrategyName;
  /** The index of the deciding rule, or `default`; `null`: the flow has no rules, or no rule decides. */
  rule: number | 'default' | null;
  /** The rules before it that match, but none of whose shops takes the payment. */
  passed_over: number[];
  /** Whether the deciding rule refuses the payment, because none of its shops takes it. */
  refused: boolean;
  /** The decline of the deciding rule; `null`: it does not decline the payment. */
  declined: Declined | null;
  /** By priority, then id. */
  shops: ExplainedShop[];
  /** `null`: no shop takes the request, or it is declined or refused. */
  reasoning: Reasoning | null;
  /** In the order in which they would be tried after the pick. */
  fallbacks: number[];
  /** Whether no shop was healthy, so that the pick is the shop with the lowest failure rate. */
  least_bad: boolean;
  /** A recovering shop that was picked first, and whether it got the payment. */
  probed: { shop_id: number; let_through: boolean } | null;
}

/** Builds the explanation from a stored trace only. */
export const explanationOf = (trace: DecisionTrace): Explanation => ({
  flow_version: trace.flow_version,
  rollout: trace.rollout ?? null,
  strategy: trace.strategy,
  rule: trace.rule ?? null,
  passed_over: trace.passed_over ?? [],
  refused: trace.refused ?? false,
  declined: declinedOf(trace.declined),
  shops: explainedShops(trace),
  reasoning: trace.reasoning ?? null,
  fallbacks: trace.fallbacks,
  least_bad: trace.least_bad ?? false,
  probed: trace.probed ?? null,
});

/**
 * Explains the scenario's decision and, for each shop that is not picked, the change that would have picked it. Yields
 * often to let other work run.
 */
export function* explain(scenario: PreparedScenario): Generator<void, Explanation> {
  const explanation = explanationOf(traceOf(scenario));
  const changes = new SmallestChanges(scenario);
  const shops: ExplainedShop[] = [];
  for (const shop of explanation.shops) {
    shops.push(shop.picked ? shop : { ...shop, smallest_change: yield* changes.find(shop.shop_id) });
  }
  return { ...explanation, shops };
}

function explainedShops(trace: DecisionTrace): ExplainedShop[] {
  const names = testsThatMatter(trace);
  return trace.shops.map((id) => {
    const failures = trace.failed[id] ?? [];
    const results = names.map((name): [TestName, TestResult] => [name, failures.includes(name) ? 'failed' : 'passed']);
    return { shop_id: id, picked: id === trace.picked, tests: Object.fromEntries(results) };
  });
}

function testsThatMatter({ strategy, capture, names_accounts: namesAccounts, failed }: DecisionTrace): TestName[] {
  const lacksCapability = Object.values(failed).some((names) => names.includes('capability_missing'));
  const others = [
    ...(strategy === 'rules' ? [] : ['rule']),
    ...(capture === 'manual' || lacksCapability ? [] : ['capability_missing']),
    ...(namesAccounts === true ? [] : ['no_payment_method']),
  ];
  return TEST_NAMES.filter((name) => !others.includes(name));
}
