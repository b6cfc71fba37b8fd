import { describe, expect, it } from '@jest/globals';
import { aMember, load } from '../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '@payment-orchestrator/routing/result-of';
import type { PastPayment } from '@payment-orchestrator/routing/backtest/past-payment';
import type { Condition, RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import type { FlowDefinition, Rule, RuleUse } from '@payment-orchestrator/routing/definition/definition';
import { decidingKey, ruleKey } from '../definition/rule-key.js';
import { decide } from '@payment-orchestrator/routing/decision/decision';
import { RuleReport } from './rule-report.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const use: RuleUse = { shops: [1], strategy: 'round_robin' };
const flowOf = (...rules: Rule[]): FlowDefinition => ({ strategy: 'rules', shops: [aMember(1)], rules, default: use });

/** Payments of a definition, one an hour before the other. */
function paymentsOf(definition: FlowDefinition, requests: Partial<RoutingRequest>[]): PastPayment[] {
  const flow = load(definition);
  return requests.map((fields, index) => {
    const request = { amount: 10, currency: 'EUR', ...fields };
    const { trace } = decide(flow, request, { counter: 0, statsByShop: new Map(), random: () => 0 });
    const createdAt = new Date(NOW.getTime() - (index + 1) * HOUR_MS);
    return { id: index, createdAt, request, picked: trace.picked, decision: trace } as PastPayment;
  });
}

function factsOf(
  definition: FlowDefinition,
  requests: Partial<RoutingRequest>[],
  { ageMs = 2 * DAY_MS, hits = new Map<string, { day: number; month: number }>() } = {},
) {
  const report = new RuleReport(definition, new Date(NOW.getTime() - ageMs));
  for (const payment of paymentsOf(definition, requests)) resultOf(report.add(payment, 1));
  return report.facts(hits, NOW);
}
const codesOf = (facts: ReturnType<typeof factsOf>) =>
  facts.map(({ warnings }) => warnings.map(({ code, field }) => [code, field].filter(Boolean).join(' ')));
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const gold: Condition = { 'metadata.tier': { equals: 'gold' } };

describe('the report about rules', () => {
  it('counts the payments that pass each test, also inside groups', () => {
    const when: Condition = { amount: { min: 5 }, any: [gold, { not: { country: { exists: true } } }] };
    const [first] = factsOf(flowOf({ when, use }), [
      { amount: 4 },
      { metadata: { tier: 'gold' } },
      { metadata: { tier: 'silver' }, country: 'DE' },
    ]);
    expect(first!.conditions).toEqual([
      { field: 'amount', met: 2 },
      { field: 'metadata.tier', met: 1 },
      { field: 'country', met: 1 },
    ]);
  });

  it('shows the hits of each rule and of the default', () => {
    const definition = flowOf({ when: gold, use }, { when: { country: { equals: 'FR' } }, decline: { code: 'no' } });
    const hits = new Map([
      [ruleKey(definition.rules![1]!), { day: 3, month: 40 }],
      ['default', { day: 1, month: 2 }],
    ]);
    expect(factsOf(definition, [], { hits }).map(({ rule, hits24h, hits30d }) => [rule, hits24h, hits30d])).toEqual([
      [0, 0, 0],
      [1, 3, 40],
      ['default', 1, 2],
    ]);
    expect(factsOf({ strategy: 'weighted', shops: [aMember(1)] }, [])).toEqual([]);
  });

  it('warns of a rule that no payment hit, but never in a new flow', () => {
    const definition = flowOf({ when: { amount: { min: 500 } }, use });
    expect(codesOf(factsOf(definition, times(3, {})))).toEqual([['never_hit'], []]);
    expect(codesOf(factsOf(definition, []))).toEqual([[], []]);
    expect(codesOf(factsOf(definition, times(3, {}), { ageMs: 5 * HOUR_MS }))).toEqual([[], []]);
    expect(codesOf(factsOf(definition, times(99, {}), { ageMs: DAY_MS - 1 }))).toEqual([[], []]);
    expect(codesOf(factsOf(definition, [{ amount: 500 }, {}]))).toEqual([[], []]);
    const hits = new Map([[ruleKey(definition.rules![0]!), { day: 0, month: 1 }]]);
    expect(codesOf(factsOf(definition, times(3, {}), { hits }))).toEqual([[], []]);
  });

  it('warns of a rule without a hit after a hundred payments of its version', () => {
    const definition = flowOf({ when: { amount: { min: 500 } }, use });
    const report = new RuleReport(definition, new Date(NOW.getTime() - HOUR_MS));
    for (const payment of paymentsOf(definition, times(100, {}))) {
      resultOf(report.add({ ...payment, createdAt: NOW }, 1));
    }
    expect(codesOf(report.facts(new Map(), NOW))).toEqual([['never_hit'], []]);
  });

  it('counts only payments of its version, not those of the candidate of a rollout', () => {
    const definition = flowOf({ when: { amount: { min: 500 } }, use });
    const report = new RuleReport(definition, new Date(NOW.getTime() - HOUR_MS));
    for (const payment of paymentsOf(definition, times(100, {})))
      resultOf(report.add({ ...payment, createdAt: NOW }, 2));
    expect(codesOf(report.facts(new Map(), NOW))).toEqual([[], []]);
  });

  it('warns of metadata that no payment has, and of values that none has', () => {
    const when: Condition = {
      'metadata.tier': { not: 'gold' },
      'metadata.order.kind': { exists: true },
      currency: { in: ['CHF', 'JPY'] },
      country: { not: 'FR' },
      amount: { equals: 7 },
    };
    const payments = times(10, { metadata: { tier: null, order: { item: 1 } } });
    const hits = new Map([[ruleKey({ when, use }), { day: 0, month: 1 }]]);
    const found = factsOf(flowOf({ when, use }), payments, { hits });
    expect(found[0]!.warnings).toEqual([
      {
        code: 'unknown_metadata',
        field: 'metadata.order.kind',
        message: 'none of the last 10 payments had metadata.order.kind',
      },
      {
        code: 'unknown_value',
        field: 'currency',
        message: 'none of the last 10 payments had a currency that the rule names',
      },
    ]);
    expect(codesOf(factsOf(flowOf({ when, use }), payments.slice(1), { hits }))).toEqual([[], []]);
  });

  it('gives no warning of metadata that a rule wants to be absent', () => {
    const warnings = (when: Condition) => codesOf(factsOf(flowOf({ when, use }), times(10, {})))[0];
    const present: Condition = { 'metadata.tier': { exists: true } };
    const absent: Condition = { 'metadata.tier': { exists: false } };
    for (const when of [
      absent,
      { not: present },
      { any: [{ not: { all: [present, { amount: { min: 5 } }] } }] },
      { not: { not: absent } },
    ])
      expect([when, warnings(when)]).toEqual([when, []]);
    for (const when of [present, { not: absent }, { any: [absent, gold] }])
      expect([when, warnings(when)]).toEqual([when, expect.arrayContaining(['unknown_metadata metadata.tier'])]);
  });
});

describe('the key of a rule', () => {
  const rule: Rule = { when: { amount: { min: 1, max: 2 }, currency: { in: ['EUR', 'USD'] } }, use };

  it('ignores the order of fields, the name and the place of the rule', () => {
    const same: Rule = {
      name: 'Small',
      use: { strategy: 'round_robin', shops: [1] },
      when: { currency: { in: ['EUR', 'USD'] }, amount: { max: 2, min: 1 } },
    };
    expect(ruleKey(same)).toBe(ruleKey(rule));
    const moved = flowOf({ when: {}, decline: { code: 'no' } }, same);
    expect(decidingKey(moved, 1)).toBe(decidingKey(flowOf(rule), 0));
  });

  it('differs after an edit', () => {
    const edits: Rule[] = [
      { ...rule, when: { ...rule.when, currency: { in: ['USD', 'EUR'] } } },
      { when: rule.when, use: { ...use, strategy: 'weighted' } },
      { when: rule.when, decline: { code: 'no' } },
      { when: rule.when, decline: { code: 'no', message: 'No.' } },
    ];
    expect(new Set([rule, ...edits].map(ruleKey)).size).toBe(5);
    expect(decidingKey(flowOf(rule), 'default')).toBe('default');
    expect(decidingKey(flowOf(rule), undefined)).toBeNull();
  });
});
