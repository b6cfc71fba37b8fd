import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import type { FeeEntry } from '../facts/fees.js';
import type { ShopHealth, ShopStats } from '../facts/shop.js';
import { decide } from '../decision/decision.js';
import type { DecisionTrace } from '../decision/decision-trace.js';
import {
  type FlowDefinition,
  type FlowShop,
  type Rule,
  STRATEGY_NAMES,
  type StrategyName,
} from '../definition/definition.js';
import { Backtest } from './backtest.js';
import type { PastPaymentRow } from './past-payment.js';
import { type PastPayment, pastPayment } from './past-payment.js';
import { type RoutableFlow, routableFlow } from '../decision/routable-flow.js';
import type { StatsByShop } from '../decision/candidates.js';
import type { Segments } from '../decision/segments.js';
import type { SegmentField } from '../facts/segment.js';
import type { RoutingRequest } from '../definition/condition.js';

const SHOPS = [1, 2, 3];
const FEES: Record<number, FeeEntry[]> = { 1: [{ percent: 2, fixed: 0 }], 2: [{ percent: 1, fixed: 0 }], 3: [] };
const OTHER_FEES: typeof FEES = { 1: [], 2: [{ percent: 3, fixed: 0 }], 3: [{ percent: 0.5, fixed: 0 }] };
const summariesWith = (fees: typeof FEES) =>
  new Map(
    SHOPS.map((id) => {
      const shop = { id, name: `Shop ${id}`, provider: 'sandbox', account: 'default', enabled: true };
      return [id, { ...shop, fees: fees[id]! }] as const;
    }),
  );
const summaries = summariesWith(FEES);
const aFlow = (
  strategy: StrategyName,
  shops: FlowShop[],
  changes: Partial<FlowDefinition> = {},
  fees = FEES,
): RoutableFlow => routableFlow({ strategy, shops, ...changes }, summariesWith(fees), null);
const aPayment = (id: number, changes: Partial<PastPayment> = {}): PastPayment => ({
  id,
  createdAt: new Date(id * 1_000),
  request: { amount: 10, currency: 'EUR' },
  picked: 1,
  counter: undefined,
  draw: undefined,
  seen: new Map(),
  segments: undefined,
  decision: null,
  customerId: null,
  approved: true,
  ...changes,
});
function backtested(
  flow: RoutableFlow,
  payments: readonly PastPayment[],
  statsByShop: StatsByShop = new Map<number, ShopStats>(),
): Backtest {
  const backtest = new Backtest(flow, statsByShop, 1);
  for (const payment of payments) backtest.add(payment);
  return backtest;
}
const stateOf = (counter: number) => ({ counter, statsByShop: new Map<number, ShopStats>(), random: () => 0 });
const aRow = (decision: DecisionTrace | null, changes: Partial<PastPaymentRow> = {}): PastPaymentRow => ({
  id: 7,
  created_at: new Date(7_000),
  amount: 10,
  currency: 'EUR',
  country: null,
  customer_id: 5,
  metadata: null,
  payment_method: null,
  capture: 'automatic',
  shop_id: 2,
  status: 'completed',
  attempt: 1,
  decision,
  ...changes,
});

describe('pastPayment', () => {
  it('keeps the pick and the inputs of the decision, even if another shop took the payment', () => {
    const { trace } = decide(
      aFlow(
        'round_robin',
        SHOPS.map((id) => aMember(id)),
      ),
      { amount: 10, currency: 'EUR', customerId: 5 },
      { counter: 3, statsByShop: new Map(), random: () => 0 },
    );
    expect(pastPayment(aRow(trace))).toMatchObject({ picked: 1, counter: 3, draw: undefined });
    expect(pastPayment(aRow(trace)).request.customerId).toBe(5);
  });

  it('keeps no customer if the decision knew none', () => {
    const { trace } = decide(
      aFlow(
        'sticky',
        SHOPS.map((id) => aMember(id)),
      ),
      { amount: 10, currency: 'EUR' },
      { counter: 0, statsByShop: new Map(), random: () => 0 },
    );
    expect(pastPayment(aRow(trace)).request.customerId).toBeUndefined();
  });

  it('keeps only the shop if there is no decision', () => {
    expect(pastPayment(aRow(null))).toEqual(
      aPayment(7, {
        request: {
          amount: 10,
          currency: 'EUR',
          country: undefined,
          customerId: 5,
          metadata: undefined,
          capture: 'automatic',
        },
        picked: 2,
        customerId: 5,
      }),
    );
  });
});

describe('the counts of a backtest', () => {
  it('add up by shop, by move and in total', () => {
    const flow = aFlow('round_robin', [aMember(2, { conditions: { max_amount: 50 } })]);
    const payments = [
      aPayment(1),
      aPayment(2, { picked: 2 }),
      aPayment(3, { picked: 3 }),
      aPayment(4),
      aPayment(5, { request: { amount: 51, currency: 'EUR' } }),
      aPayment(6, { picked: 2, request: { amount: 51, currency: 'EUR' } }),
    ];
    const backtest = backtested(flow, payments);
    expect(backtest).toMatchObject({ payments: 6, changed: 5, withoutShop: 2 });
    expect([...backtest.before]).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
    expect([...backtest.after]).toEqual([[2, 4]]);
    expect(backtest.moves()).toEqual([
      { from: 1, to: 2, isDeclined: false, payments: 2 },
      { from: 1, to: null, isDeclined: false, payments: 1 },
      { from: 2, to: null, isDeclined: false, payments: 1 },
      { from: 3, to: 2, isDeclined: false, payments: 1 },
    ]);
  });

  it('keep declined payments apart from those without a shop', () => {
    const euro = { currency: { equals: 'EUR' } };
    const decline = { code: 'blocked' };
    const declining = aFlow('rules', [aMember(1, { conditions: { max_amount: 50 } })], {
      rules: [{ when: euro, decline }],
      default: { shops: [1], strategy: 'round_robin' },
    });
    const dollars = (amount: number) => ({ request: { amount, currency: 'USD' } });
    const { trace } = decide(declining, { amount: 10, currency: 'EUR' }, stateOf(0));
    const before = pastPayment(aRow(trace, { id: 9, shop_id: 1, status: 'failed', attempt: 0 }));
    expect(before).toMatchObject({ picked: null, approved: false });
    const backtest = backtested(declining, [
      aPayment(1),
      aPayment(2, dollars(10)),
      aPayment(3, dollars(60)),
      before,
      { ...before, ...dollars(10) },
      { ...before, ...dollars(60) },
    ]);
    expect(backtest).toMatchObject({ payments: 6, changed: 4, withoutShop: 2, declined: { before: 3, after: 2 } });
    expect([...backtest.before]).toEqual([[1, 3]]);
    expect([...backtest.after]).toEqual([[1, 2]]);
    expect(backtest.moves()).toEqual([
      { from: null, to: null, isDeclined: false, payments: 1 },
      { from: null, to: 1, isDeclined: false, payments: 1 },
      { from: 1, to: null, isDeclined: false, payments: 1 },
      { from: 1, to: null, isDeclined: true, payments: 1 },
    ]);
    expect(backtest.differences[0]!.explanation).toMatchObject({
      rule: 0,
      declined: { code: 'blocked', message: null },
    });
  });

  it('name no shop for payments that a rule refuses', () => {
    const refusing = aFlow('rules', [aMember(1, { enabled: false }), aMember(2)], {
      rules: [
        { when: { currency: { equals: 'EUR' } }, use: { shops: [1], strategy: 'priority' }, otherwise: 'refuse' },
      ],
      default: { shops: [2], strategy: 'priority' },
    });
    const backtest = backtested(refusing, [
      aPayment(1, { request: { amount: 10, currency: 'EUR' } }),
      aPayment(2, { request: { amount: 10, currency: 'USD' } }),
    ]);
    expect(backtest).toMatchObject({ payments: 2, withoutShop: 1, declined: { before: 0, after: 0 } });
    expect([...backtest.after]).toEqual([[2, 1]]);
    expect(backtest.differences[0]).toMatchObject({ shopId: null, explanation: { rule: 0, refused: true } });
  });

  it('explain only the first twenty differences', () => {
    const backtest = backtested(
      aFlow('round_robin', [aMember(2)]),
      Array.from({ length: 50 }, (_, index) => aPayment(index + 1)),
    );
    expect(backtest.changed).toBe(50);
    expect(backtest.differences.map(({ payment }) => payment.id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(backtest.differences[0]).toMatchObject({
      shopId: 2,
      explanation: { flow_version: null, reasoning: { by: 'round_robin', counter: 0, position: 0, of: 1 } },
    });
  });
});

describe('the counter of a backtest', () => {
  const turns = aFlow(
    'round_robin',
    SHOPS.map((id) => aMember(id)),
  );

  it("equals the payment's counter; payments without one count from 0", () => {
    const picked = (counter?: number) => aPayment(1, { counter });
    const backtest = backtested(turns, [picked(5), picked(), picked(), picked(4), picked()]);
    expect(backtest.differences.map(({ shopId }) => shopId)).toEqual([3, 2, 2, 3]);
    expect(backtest.counters).toEqual({ recorded: 2, made: 3 });
  });

  it('stays the same for a payment that no shop takes', () => {
    const flow = aFlow(
      'round_robin',
      SHOPS.map((id) => aMember(id, { conditions: { max_amount: 50 } })),
    );
    const dear = aPayment(2, { request: { amount: 51, currency: 'EUR' } });
    const backtest = backtested(flow, [aPayment(1), dear, aPayment(3)]);
    expect([...backtest.after]).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(backtest.counters).toEqual({ recorded: 0, made: 2 });
  });

  it('gives weighted shops their exact shares', () => {
    const flow = aFlow('weighted', [aMember(1, { weight: 3 }), aMember(2, { weight: 2 }), aMember(3)]);
    const backtest = backtested(
      flow,
      Array.from({ length: 600 }, (_, index) => aPayment(index + 1)),
    );
    expect(Object.fromEntries(backtest.after)).toEqual({ 1: 300, 2: 200, 3: 100 });
  });
});

describe('a backtest of an unchanged flow', () => {
  const requests: fc.Arbitrary<RoutingRequest> = fc.record({
    amount: fc.integer({ min: 1, max: 100 }),
    currency: fc.constantFrom('EUR', 'USD'),
    customerId: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  });
  const margin = { objective: 'margin' as const };
  const choices = fc.constantFrom<Pick<FlowDefinition, 'strategy' | 'success_rate'>>(
    ...STRATEGY_NAMES.map((strategy) => ({ strategy })),
    { strategy: 'success_rate', success_rate: margin },
  );

  const anyStats: fc.Arbitrary<StatsByShop> = fc
    .tuple(
      ...SHOPS.map((id) =>
        fc
          .record({
            approved: fc.nat(50),
            declined: fc.nat(50),
            failed: fc.nat(50),
            health: fc.constantFrom<ShopHealth>('healthy', 'healthy', 'unhealthy', 'probing'),
          })
          .map((statsByShop) => [id, statsByShop] as const),
      ),
    )
    .map((entries) => new Map(entries));
  const healthy = anyStats.map(
    (shops) => new Map([...shops].map(([id, shop]) => [id, { ...shop, health: 'healthy' as const }])),
  );
  const shops = SHOPS.map((id) => aMember(id, { weight: id, conditions: id === 3 ? { min_amount: 40 } : {} }));
  const rules: Rule[] = [
    { when: { currency: { equals: 'EUR' }, amount: { max: 20 } }, decline: { code: 'too_small' } },
    { when: { currency: { equals: 'EUR' } }, use: { shops: [1, 3], strategy: 'sticky' } },
  ];
  const otherwise = { shops: SHOPS, strategy: 'success_rate' as const, success_rate: margin };

  it('shows no difference for any strategy, counter, past and current health and fees of the shops', () => {
    fc.assert(
      fc.property(
        choices,
        healthy,
        fc.array(fc.tuple(requests, fc.nat(1_000), fc.double({ min: 0, max: 0.999, noNaN: true }), anyStats)),
        ({ strategy, success_rate: options }, now, past) => {
          const changes = {
            ...(strategy === 'rules' && { rules, default: otherwise }),
            ...(options && { success_rate: options }),
          };
          const flow = aFlow(strategy, shops, changes);
          const withOtherFees = aFlow(strategy, shops, changes, OTHER_FEES);
          const rows = past.map(([request, counter, draw, statsByShop], index) => {
            const { trace } = decide(flow, request, { counter, statsByShop, random: () => draw });
            const decision = JSON.parse(JSON.stringify(trace)) as DecisionTrace;
            return aRow(decision, { id: index, amount: request.amount, currency: request.currency });
          });
          const backtest = backtested(withOtherFees, rows.map(pastPayment), now);
          expect(backtest).toMatchObject({ payments: past.length, changed: 0, withoutShop: 0, differences: [] });
          expect([backtest.counters.made, backtest.draws.made]).toEqual([0, 0]);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

it('shows no difference for payments of success_rate while two shops were recovering', () => {
  const flow = aFlow('success_rate', [aMember(1), aMember(2), aMember(3)]);
  const stats = (approved: number, declined: number, health: ShopHealth) => ({ approved, declined, failed: 0, health });
  const statsByShop: StatsByShop = new Map([
    [1, stats(39, 60, 'probing')],
    [2, stats(23, 69, 'probing')],
    [3, stats(7, 69, 'healthy')],
  ]);
  const rows = Array.from({ length: 500 }, (_, id) => {
    const { trace } = decide(
      flow,
      { amount: 10, currency: 'EUR' },
      { counter: 0, statsByShop, random: () => id / 500 },
    );
    return aRow(JSON.parse(JSON.stringify(trace)) as DecisionTrace, { id });
  });
  expect(backtested(flow, rows.map(pastPayment))).toMatchObject({ payments: 500, changed: 0 });
});

describe('a backtest of a flow by segments', () => {
  const members = SHOPS.map((id) => aMember(id));
  const byScheme = (...by: SegmentField[]) => aFlow('success_rate', members, { success_rate: { by } });
  const segments: Segments = {
    rateOf: (_, values, id) => ({ level: values.length, approved: id, others: 9, shape: [id + 1, 9.5] }),
    valuesOf: () => [],
  };
  const paid = (flow: RoutableFlow): PastPayment[] =>
    Array.from({ length: 200 }, (_, id) => {
      const paymentMethod = { card: { scheme: 'visa' } };
      const state = { counter: 0, statsByShop: new Map(), segments, random: () => id / 200 };
      const { trace } = decide(flow, { amount: 10, currency: 'EUR', paymentMethod }, state);
      const decision = JSON.parse(JSON.stringify(trace)) as DecisionTrace;
      return pastPayment(aRow(decision, { id, payment_method: paymentMethod }));
    });

  it('uses the recorded rates instead of the current ones', () => {
    const flow = byScheme('card.scheme', 'country');
    expect(backtested(flow, paid(flow))).toMatchObject({ payments: 200, changed: 0 });
  });

  it('ignores them for a draft by other fields or without segments', () => {
    const past = paid(byScheme('card.scheme'));
    for (const draft of [aFlow('success_rate', members), byScheme('country')]) {
      const share = backtested(draft, past).after.get(1)! / past.length;
      // without outcomes each of three shops has the same share
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.1);
    }
    expect(backtested(byScheme('card.scheme'), past).after.get(1)).toBeLessThan(past.length / 6);
  });
});

it('excludes a shop that cannot capture later from past payments with manual capture', () => {
  const able = new Map([...summaries].map(([id, shop]) => [id, { ...shop, capturesManually: id === 3 }]));
  const draft = routableFlow({ strategy: 'priority', shops: SHOPS.map((id) => aMember(id, { priority: id })) }, able);
  const past = [pastPayment(aRow(null, { capture: 'manual' })), pastPayment(aRow(null))];
  expect([...backtested(draft, past).after]).toEqual([
    [3, 1],
    [1, 1],
  ]);
});

it('decides past payments by the stored facts about their payment methods', () => {
  const accounts = new Map([...summaries].map(([id, shop]) => [id, { ...shop, account: `account ${id}` }]));
  const rules = [{ when: { 'card.bin': { starts_with: ['51'] } }, use: { shops: [3], strategy: 'priority' as const } }];
  const shops = SHOPS.map((id) => aMember(id, { priority: id }));
  const use = { shops: SHOPS, strategy: 'priority' as const };
  const draft = routableFlow({ strategy: 'rules', shops, rules, default: use }, accounts);
  const past = [{ options: [{ provider: 'sandbox', account: 'account 2' }] }, { card: { bin: '511111' } }, null].map(
    (facts) => pastPayment(aRow(null, { payment_method: facts })),
  );
  const backtest = backtested(draft, past);
  expect([...backtest.after]).toEqual([
    [2, 1],
    [3, 1],
    [1, 1],
  ]);
  const tests = { 1: 'failed', 2: 'passed', 3: 'failed' };
  const [first] = backtested(draft, [{ ...past[0]!, picked: 1 }]).differences;
  expect(first!.explanation.shops.map(({ shop_id: id, tests: { no_payment_method: test } }) => [id, test])).toEqual(
    Object.entries(tests).map(([id, test]) => [Number(id), test]),
  );
});

it('excludes a shop whose provider does not accept the currency of past payments', () => {
  const refusedCurrencies = new Set(['EUR']);
  const able = new Map([...summaries].map(([id, shop]) => [id, { ...shop, ...(id < 3 && { refusedCurrencies }) }]));
  const draft = routableFlow({ strategy: 'priority', shops: SHOPS.map((id) => aMember(id, { priority: id })) }, able);
  const { after, differences } = backtested(draft, [pastPayment(aRow(null))]);
  expect([...after]).toEqual([[3, 1]]);
  expect(differences[0]!.explanation.shops.map(({ tests }) => tests.capability_missing)).toEqual([
    'failed',
    'failed',
    'passed',
  ]);
});

it('excludes a shop from a draft while it was unhealthy', () => {
  const statsByShop: StatsByShop = new Map([[1, { approved: 0, declined: 0, failed: 10, health: 'unhealthy' }]]);
  const round = aFlow('round_robin', [aMember(1), aMember(2)]);
  const { trace } = decide(round, { amount: 10, currency: 'EUR' }, { counter: 0, statsByShop, random: () => 0 });
  const draft = aFlow('priority', [aMember(1, { priority: 0 }), aMember(2), aMember(3)]);
  const backtest = backtested(draft, [pastPayment(aRow(trace)), pastPayment(aRow(null))]);
  expect([...backtest.after]).toEqual([
    [2, 1],
    [1, 1],
  ]);
});

it('uses the same random numbers for the same seed', () => {
  const flow = aFlow(
    'success_rate',
    SHOPS.map((id) => aMember(id)),
  );
  const payments = Array.from({ length: 100 }, (_, index) => aPayment(index + 1));
  expect(backtested(flow, payments).moves()).toEqual(backtested(flow, payments).moves());
  expect(backtested(flow, payments).draws).toEqual({ recorded: 0, made: 100 });
});

it('excludes a shop whose provider does not take the type of past payments', () => {
  const able = new Map(
    [...summaries].map(([id, shop]) => [id, { ...shop, paymentMethodTypes: id === 2 ? ['paypal'] : ['card'] }]),
  );
  const draft = routableFlow({ strategy: 'priority', shops: SHOPS.map((id) => aMember(id, { priority: id })) }, able);
  const past = ['paypal', 'card', 'ideal', undefined].map((type) =>
    pastPayment(aRow(null, { payment_method: type === undefined ? null : { type } })),
  );
  const { after, withoutShop } = backtested(draft, past);
  expect([[...after], withoutShop]).toEqual([
    [
      [2, 1],
      [1, 2],
    ],
    1,
  ]);
});
