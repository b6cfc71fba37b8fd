import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { aMember, load } from '../../../test/support/fuzz/flow-arbitraries.js';
import { generator } from '@payment-orchestrator/routing/statistics/random';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import type { FlowShop, StrategyName } from '@payment-orchestrator/routing/definition/definition';
import { decide } from '@payment-orchestrator/routing/decision/decision';
import type { RoutableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import { ApprovalEstimateDto } from './approval.dto.js';
import { approvalEstimate } from '@payment-orchestrator/routing/backtest/approval-estimate';
import { Backtest } from '@payment-orchestrator/routing/backtest/backtest';
import type { PastPaymentRow } from '@payment-orchestrator/routing/backtest/past-payment';
import { pastPayment } from '@payment-orchestrator/routing/backtest/past-payment';

const [BERLIN, PARIS, LYON] = [1, 2, 3];
const flowOf = (strategy: StrategyName, ...shops: FlowShop[]): RoutableFlow => load({ strategy, shops });
const turns = flowOf('round_robin', aMember(BERLIN), aMember(PARIS));

interface Case {
  count: number;
  /** Whether payment number `n` is approved when the shop is picked. */
  isApproved?: (shopId: number, n: number) => boolean;
  changes?: (n: number) => Partial<PastPaymentRow>;
  statsByShop?: Map<number, ShopStats>;
}

/** Payments of one customer each, decided by `old`. */
function rowsOf(old: RoutableFlow, { count, isApproved = () => true, changes, statsByShop }: Case): PastPaymentRow[] {
  return Array.from({ length: count }, (_, n) => {
    const row = { amount: 1 + (n % 100), currency: 'EUR', country: n % 3 === 0 ? 'FR' : 'DE' };
    const state = { counter: n, statsByShop: statsByShop ?? new Map<number, ShopStats>(), random: () => (n % 97) / 97 };
    const { trace } = decide(old, { ...row, customerId: 7 * n + 1 }, state);
    return {
      ...row,
      id: n + 1,
      created_at: new Date(n),
      customer_id: 7 * n + 1,
      metadata: null,
      payment_method: null,
      capture: 'automatic',
      shop_id: trace.picked ?? BERLIN,
      status: trace.picked !== null && isApproved(trace.picked, n) ? 'completed' : 'failed',
      attempt: 1,
      decision: trace,
      ...changes?.(n),
    };
  });
}

function sumsOf(draft: RoutableFlow, rows: readonly PastPaymentRow[]) {
  const backtest = new Backtest(draft, new Map(), 1);
  for (const row of rows) backtest.add(pastPayment(row));
  return backtest.approval;
}
const estimateOf = (draft: RoutableFlow, old: RoutableFlow, what: Case) =>
  approvalEstimate(sumsOf(draft, rowsOf(old, what)));

/** Berlin approves nine in ten payments, Paris seven in ten. */
const unlike = (shopId: number, n: number): boolean => Math.floor(n / 2) % 10 < (shopId === BERLIN ? 9 : 7);
const mostlyBerlin = flowOf('weighted', aMember(BERLIN, { weight: 3 }), aMember(PARIS));

describe('approvalEstimate', () => {
  it('matches the worked example in docs/integrate/payments-and-flows.md', () => {
    const [, example] = /```json\n("approval"[^`]+)```/.exec(
      readFileSync('docs/integrate/payments-and-flows.md', 'utf8'),
    )!;
    const { approval } = JSON.parse(`{${example}}`) as { approval: ApprovalEstimateDto };
    const rows = rowsOf(turns, { count: 200, isApproved: unlike });
    expect(ApprovalEstimateDto.from(sumsOf(mostlyBerlin, rows))).toEqual(approval);
  });

  it('stays right over payments of both versions of a rollout', () => {
    const uniform = generator(3);
    const isApproved = (shopId: number): boolean => uniform() < (shopId === BERLIN ? 0.9 : 0.7);
    const rows = [turns, mostlyBerlin].flatMap((version) => rowsOf(version, { count: 2_000, isApproved }));
    const mostlyParis = flowOf('weighted', aMember(BERLIN), aMember(PARIS, { weight: 3 }));
    const { after, overlap, doubt } = approvalEstimate(sumsOf(mostlyParis, rows));
    expect([overlap, doubt]).toEqual([1, null]);
    expect(Math.abs(after!.estimate - 0.75)).toBeLessThan(0.03);
    expect([after!.low < 0.75, after!.high > 0.75]).toEqual([true, true]);
  });

  it('equals the past rate for a draft that decides as the past did', () => {
    for (const strategy of ['round_robin', 'weighted', 'priority', 'sticky', 'success_rate', 'lowest_cost'] as const) {
      const flow = flowOf(strategy, aMember(BERLIN, { weight: 2 }), aMember(PARIS));
      const { before, after, difference } = estimateOf(flow, flow, { count: 101, isApproved: unlike });
      expect(after).toEqual(before);
      expect(difference).toEqual({ estimate: 0, low: 0, high: 0 });
    }
  });

  it('equals the past rate while shops are recovering or unhealthy', () => {
    const members = [BERLIN, PARIS, LYON].map((id) => aMember(id));
    const someStats = (health: ShopStats['health']) => ({ approved: 0, declined: 0, failed: 0, health });
    const statsByShop = new Map([
      [PARIS, someStats('probing')],
      [LYON, someStats('unhealthy')],
    ]);
    for (const strategy of ['round_robin', 'weighted', 'priority', 'sticky'] as const) {
      const flow = flowOf(strategy, ...members);
      const { before, after } = estimateOf(flow, flow, { count: 400, statsByShop, isApproved: unlike });
      expect(after).toEqual(before);
    }
  });

  it('counts a payment that no shop of the draft takes as not approved', () => {
    const onlyGermans = { conditions: { countries: ['DE'] } };
    const draft = flowOf('round_robin', aMember(BERLIN, onlyGermans), aMember(PARIS, onlyGermans));
    const { after, overlap } = estimateOf(draft, turns, { count: 300 });
    expect(after!.estimate).toBeCloseTo(2 / 3, 2);
    expect(overlap).toBe(1);
  });

  describe('with a rule that declines', () => {
    const blocking = (...countries: string[]): RoutableFlow =>
      load({
        strategy: 'rules',
        shops: [aMember(BERLIN), aMember(PARIS)],
        rules: [{ when: { country: { in: countries } }, decline: { code: 'blocked' } }],
        default: { shops: [BERLIN, PARIS], strategy: 'round_robin' },
      });

    it('counts a payment that the draft declines as not approved', () => {
      const { before, after, overlap } = estimateOf(blocking('FR'), turns, { count: 300 });
      expect(before!.estimate).toBeCloseTo(1, 2);
      expect(after!.estimate).toBeCloseTo(2 / 3, 2);
      expect(overlap).toBe(1);
    });

    it('equals the past rate for a draft that declines the same payments', () => {
      const { before, after, difference } = estimateOf(blocking('FR'), blocking('FR'), { count: 300 });
      expect(before!.estimate).toBeCloseTo(2 / 3, 5);
      expect(after).toEqual(before);
      expect(difference).toEqual({ estimate: 0, low: 0, high: 0 });
    });

    it('knows nothing about payments that were declined before', () => {
      const many = estimateOf(turns, blocking('FR'), { count: 300 });
      expect(many).toMatchObject({ doubt: 'not_enough_overlap', after: null, overlap: expect.closeTo(2 / 3, 5) });
      const changes = (n: number): Partial<PastPaymentRow> => ({ country: n % 50 === 0 ? 'FR' : 'DE' });
      const rows = rowsOf(turns, { count: 1_000, changes });
      const declined = rowsOf(blocking('FR', 'DE'), { count: 1_000, changes, isApproved: () => false });
      const past = rows.map((row, n) => (row.country === 'FR' ? declined[n]! : row));
      const { before, after } = approvalEstimate(sumsOf(turns, past));
      // one payment in fifty may have been approved or not
      expect(before!.estimate).toBeCloseTo(0.98, 2);
      expect(after!.high - after!.low).toBeGreaterThan(0.02);
      expect([after!.low <= 0.98, after!.high]).toEqual([true, 1]);
    });
  });

  it('returns 0 for a draft that takes no payment', () => {
    const draft = flowOf('round_robin', aMember(BERLIN, { enabled: false }));
    expect(estimateOf(draft, turns, { count: 300 })).toMatchObject({
      after: { estimate: 0, low: 0 },
      difference: { estimate: -1, low: -1 },
      doubt: null,
    });
  });

  it('compares payments of the same kind, not only the mean of a shop', () => {
    // Paris approves all French payments, Berlin none of them; both approve all others
    const isApproved = (shopId: number, n: number) => n % 3 !== 0 || shopId === PARIS;
    const draft = load({
      strategy: 'rules',
      shops: [aMember(BERLIN), aMember(PARIS)],
      rules: [{ when: { country: { equals: 'FR' } }, use: { shops: [PARIS], strategy: 'round_robin' } }],
      default: { shops: [BERLIN], strategy: 'round_robin' },
    });
    const { before, after } = estimateOf(draft, turns, { count: 1_200, isApproved });
    expect(before!.estimate).toBeCloseTo(5 / 6, 2);
    expect(after!.estimate).toBeGreaterThan(0.98);
  });
});

describe('approvalEstimate with missing data', () => {
  it('excludes payments without an outcome, and counts them', () => {
    const changes = (n: number) => ({ status: ['completed', 'pending', 'processing', 'cancelled'][n % 4]! });
    const sums = sumsOf(turns, rowsOf(turns, { count: 200, changes }));
    expect(ApprovalEstimateDto.from(sums)).toMatchObject({ payments: 50, without_outcome: 150 });
  });

  it('excludes decisions without a probability, and counts them', () => {
    const old = (row: PastPaymentRow) => ({ ...row, decision: { ...row.decision!, probability: undefined } });
    const rows = rowsOf(turns, { count: 100 }).map((row, n) =>
      n < 60 ? row : n < 80 ? old(row) : { ...row, decision: null },
    );
    expect(ApprovalEstimateDto.from(sumsOf(turns, rows))).toMatchObject({ payments: 60, without_probability: 40 });
  });

  it('ignores the result of a second shop after failover', () => {
    const changes = (n: number) => (n % 2 === 0 ? { status: 'completed', attempt: 2, shop_id: PARIS } : {});
    expect(estimateOf(turns, turns, { count: 100, changes }).before!.estimate).toBe(0.5);
  });

  it.each<[string, RoutableFlow, RoutableFlow]>([
    ['a shop that the past did not have', turns, flowOf('round_robin', aMember(BERLIN), aMember(LYON))],
    [
      'a shop that the past used only for other payments',
      flowOf('round_robin', aMember(BERLIN), aMember(PARIS, { conditions: { countries: ['FR'] } })),
      flowOf('round_robin', aMember(PARIS)),
    ],
    [
      'a shop of a lower priority',
      flowOf('priority', aMember(BERLIN, { priority: 0 }), aMember(PARIS, { priority: 1 })),
      flowOf('round_robin', aMember(PARIS)),
    ],
    [
      'a shop that was picked too rarely',
      flowOf('weighted', aMember(BERLIN, { weight: 1_000_000 }), aMember(PARIS, { weight: 1 })),
      turns,
    ],
    [
      'a shop that had too few payments',
      flowOf('weighted', aMember(BERLIN, { weight: 99 }), aMember(PARIS, { weight: 1 })),
      flowOf('round_robin', aMember(PARIS)),
    ],
  ])('reports a doubt for a draft that goes to %s', (_, old, draft) => {
    expect(estimateOf(draft, old, { count: 1_000 })).toMatchObject({
      before: { estimate: 1 },
      after: null,
      difference: null,
      doubt: 'not_enough_overlap',
    });
  });

  it('widens the interval by payments without evidence', () => {
    const draft = flowOf(
      'weighted',
      aMember(BERLIN, { weight: 48 }),
      aMember(PARIS, { weight: 48 }),
      aMember(LYON, { weight: 4 }),
    );
    const known = estimateOf(turns, turns, { count: 4_000, isApproved: unlike }).after!;
    const { after, overlap } = estimateOf(draft, turns, { count: 4_000, isApproved: unlike });
    expect(overlap).toBeCloseTo(0.96, 9);
    expect(after!.estimate).toBeCloseTo(known.estimate, 2);
    expect(after!.low).toBeCloseTo(known.low * 0.96, 2);
    expect(after!.high).toBeCloseTo(known.high * 0.96 + 0.04, 2);
  });
});

describe('approvalEstimate at extreme values', () => {
  it('returns no estimate without payments', () => {
    expect(estimateOf(turns, turns, { count: 0 })).toEqual({
      payments: 0,
      before: null,
      after: null,
      difference: null,
      effectivePayments: 0,
      overlap: 0,
      doubt: 'not_enough_payments',
    });
  });

  it('returns a very wide interval after one payment', () => {
    const { before, after, doubt } = estimateOf(turns, turns, { count: 1 });
    expect([before, after, doubt]).toEqual([{ estimate: 1, low: 0, high: 1 }, null, 'not_enough_payments']);
  });

  it('requires several customers', () => {
    const changes = () => ({ customer_id: 1 });
    const { doubt, before } = estimateOf(turns, turns, { count: 500, changes, isApproved: unlike });
    expect(doubt).toBe('not_enough_payments');
    expect(before).toMatchObject({ low: 0, high: 1 });
  });

  it.each([
    ['all', true, 1],
    ['none', false, 0],
  ])('returns an interval when %s were approved', (_, isApproved, rate) => {
    for (const count of [50, 200, 5_000]) {
      const { before, after, difference } = estimateOf(mostlyBerlin, turns, { count, isApproved: () => isApproved });
      for (const { estimate, low, high } of [before!, after!]) {
        expect(estimate).toBeCloseTo(rate, 9);
        expect(high - low).toBeGreaterThan(3 / count);
        expect(high - low).toBeLessThan(10 / count);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }
      expect(difference!.low).toBeLessThan(0);
      expect(difference!.high).toBeGreaterThan(0);
    }
  });

  it('returns finite numbers for very unlikely past decisions', () => {
    const old = flowOf('weighted', aMember(BERLIN, { weight: 1_000_000 }), aMember(PARIS, { weight: 1 }));
    const { after, effectivePayments, overlap } = estimateOf(old, turns, { count: 2_000, isApproved: unlike });
    for (const number of [after!.estimate, after!.low, after!.high, effectivePayments, overlap]) {
      expect(Number.isFinite(number)).toBe(true);
    }
  });
});
