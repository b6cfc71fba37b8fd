import { type Change, decideScenario, type PreparedScenario } from './scenario.js';
import { type DecisionTrace, TEST_NAMES, type TestName } from '../routing/decision-trace.js';
import { type Reasoning } from '../routing/strategies/strategy.js';
import type { StrategyName } from '../definition/definition.js';
import { SmallestChanges } from './smallest-change.js';

type TestResult = 'passed' | 'failed';

export interface ExplainedShop {
  shop_id: number;
  picked: boolean;
  /** Each test; `rule` only in a flow with rules. */
  tests: Partial<Record<TestName, TestResult>>;
  /** Of a shop that was not picked: the smallest single change that would have picked it; `null`: none is known. */
  smallest_change?: Change | null;
}

/** A decision, spelt out. */
export interface Explanation {
  /** `null`: a draft. */
  flow_version: number | null;
  strategy: StrategyName;
  /** The index of the rule that decided, or `default`; `null`: the flow has no rules, or none has a shop. */
  rule: number | 'default' | null;
  /** In order of priority, then id. */
  shops: ExplainedShop[];
  /** `null`: no shop takes the request. */
  reasoning: Reasoning | null;
  /** In the order in which they would be tried after the pick. */
  fallbacks: number[];
  /** Whether no shop was healthy, so that the pick is the one with the fewest failures. */
  least_bad: boolean;
  /** A shop on its way back to health whose turn it was, and whether it got it. */
  probed: { shop_id: number; let_through: boolean } | null;
}

/** Spells out a stored trace; nothing but the trace is needed. */
export const explanationOf = (trace: DecisionTrace): Explanation => ({
  flow_version: trace.flow_version,
  strategy: trace.strategy,
  rule: trace.rule ?? null,
  shops: trace.shops.map((id) => ({ shop_id: id, picked: id === trace.picked, tests: testsOf(trace, id) })),
  reasoning: trace.reasoning ?? null,
  fallbacks: trace.fallbacks,
  least_bad: trace.least_bad ?? false,
  probed: trace.probed ?? null,
});

/**
 * Explains the scenario's decision and, for each shop that it does not pick, what would have picked it. Yields often, for
 * others to have their turn.
 */
export function* explain(scenario: PreparedScenario): Generator<void, Explanation> {
  const explanation = explanationOf(decideScenario(scenario).trace);
  const changes = new SmallestChanges(scenario);
  const shops: ExplainedShop[] = [];
  for (const shop of explanation.shops) {
    shops.push(shop.picked ? shop : { ...shop, smallest_change: yield* changes.of(shop.shop_id) });
  }
  return { ...explanation, shops };
}

function testsOf({ strategy, failed }: DecisionTrace, shopId: number): ExplainedShop['tests'] {
  const failures = failed[shopId] ?? [];
  const names = TEST_NAMES.filter((name) => name !== 'rule' || strategy === 'rules');
  return Object.fromEntries(
    names.map((name): [TestName, TestResult] => [name, failures.includes(name) ? 'failed' : 'passed']),
  );
}
