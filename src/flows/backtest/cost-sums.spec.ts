import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember, summariesOf } from '../../../test/support/fuzz/flow-arbitraries.js';
import { type FeeEntry, feeOf } from '@payment-orchestrator/routing/facts/fees';
import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import { decide } from '@payment-orchestrator/routing/decision/decision';
import { routableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import { Backtest } from '@payment-orchestrator/routing/backtest/backtest';
import { CostDto } from './backtest.dto.js';
import { CostSums } from '@payment-orchestrator/routing/backtest/cost-sums';
import { pastPayment } from '@payment-orchestrator/routing/backtest/past-payment';

const fee = (percent: number, fixed = 0, only: Partial<FeeEntry> = {}): FeeEntry => ({ percent, fixed, ...only });
const request = (amount: number, currency = 'EUR', scheme?: string): RoutingRequest => ({
  amount,
  currency,
  ...(scheme && { paymentMethod: { card: { scheme } } }),
});

const [BERLIN, PARIS] = [1, 2];
const FEES: Record<number, FeeEntry[]> = {
  [BERLIN]: [fee(1.4, 0.25, { currency: 'EUR' }), fee(1.9, 0.3, { currency: 'EUR', scheme: 'maestro' })],
  [PARIS]: [fee(2.9, 0.3, { currency: 'EUR' }), fee(0.2, 0.05, { currency: 'EUR', scheme: 'maestro' })],
};
const feesOf = (id: number) => FEES[id];

describe('the costs of a backtest', () => {
  it('match the example in docs/integrate/routing.md, in which Maestro cards move to another shop', () => {
    const docs = readFileSync('docs/integrate/routing.md', 'utf8');
    const [, lists] = /```json\n(\{ "fees"[^`]+)```/.exec(docs)!;
    expect(
      lists!
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([{ fees: FEES[BERLIN] }, { fees: FEES[PARIS] }]);
    const [, example] = /```json\n("costs"[^`]+)```/.exec(docs)!;
    const { costs } = JSON.parse(`{${example}}`) as { costs: object[] };
    const members = [aMember(BERLIN), aMember(PARIS)];
    const onlyBerlin = { shops: [BERLIN], strategy: 'priority' as const };
    const draft: FlowDefinition = {
      strategy: 'rules',
      shops: members,
      rules: [{ when: { 'card.scheme': { equals: 'maestro' } }, use: { shops: [PARIS], strategy: 'priority' } }],
      default: onlyBerlin,
    };
    const load = (definition: FlowDefinition) => {
      const summaries = [...summariesOf(definition)].map(([id, shop]) => [id, { ...shop, fees: FEES[id]! }] as const);
      return routableFlow(definition, new Map(summaries), null);
    };
    const past = load({ strategy: 'priority', shops: [aMember(BERLIN, { priority: 0 }), aMember(PARIS)] });
    const backtest = new Backtest(load(draft), new Map(), 1);
    for (const [id, paid] of [
      request(100, 'EUR', 'maestro'),
      request(33.33, 'EUR', 'maestro'),
      request(20),
    ].entries()) {
      const { trace } = decide(past, paid, { counter: id, statsByShop: new Map(), random: () => 0 });
      const { amount, currency, paymentMethod } = paid;
      const row = {
        id,
        created_at: new Date(id),
        amount,
        currency,
        payment_method: paymentMethod ?? null,
        decision: trace,
      };
      const rest = { country: null, customer_id: null, metadata: null, capture: 'automatic' as const, attempt: 1 };
      backtest.add(pastPayment({ ...row, ...rest, shop_id: trace.picked!, status: 'completed' }));
    }
    // before: 2.20 + 0.93327 + 0.53; after: 0.25 + 0.11666 + 0.53
    expect(backtest.costs.costs(feesOf).map((cost) => CostDto.from(cost))).toEqual(costs);
  });

  it('leave out payments whose fee is unknown before or after, or that no shop takes, and count them', () => {
    const sums = new CostSums();
    sums.add(request(100), BERLIN, PARIS);
    sums.add(request(100), BERLIN, 3);
    sums.add(request(100), 3, BERLIN);
    sums.add(request(100), PARIS, null);
    sums.add(request(5_000, 'JPY'), BERLIN, PARIS);
    expect(sums.costs(feesOf)).toEqual([
      { currency: 'EUR', payments: 1, before: 1.65, after: 3.2, difference: 1.55, withoutFees: 3 },
      { currency: 'JPY', payments: 0, before: 0, after: 0, difference: 0, withoutFees: 1 },
    ]);
  });

  it('round only the sums, to the digits of the currency, and their difference is exact', () => {
    const sums = new CostSums();
    for (let n = 0; n < 3; n++) sums.add(request(0.1), BERLIN, PARIS);
    for (let n = 0; n < 3; n++) sums.add(request(150, 'JPY'), BERLIN, PARIS);
    for (let n = 0; n < 3; n++) sums.add(request(0.333, 'BHD'), BERLIN, PARIS);
    const lists = new Map([
      [BERLIN, [fee(5)]],
      [PARIS, [fee(0.9)]],
    ]);
    expect(sums.costs((id) => lists.get(id))).toEqual([
      { currency: 'BHD', payments: 3, before: 0.05, after: 0.009, difference: -0.041, withoutFees: 0 },
      { currency: 'EUR', payments: 3, before: 0.02, after: 0, difference: -0.02, withoutFees: 0 },
      { currency: 'JPY', payments: 3, before: 23, after: 4, difference: -19, withoutFees: 0 },
    ]);
  });

  it('equal the sum of the fees of the payments', () => {
    const payments = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.constantFrom('maestro', 'visa', undefined)),
      { minLength: 1, maxLength: 50 },
    );
    fc.assert(
      fc.property(payments, (list) => {
        const sums = new CostSums();
        let [before, after] = [0, 0];
        for (const [cents, scheme] of list) {
          const facts = { amount: cents / 100, currency: 'EUR', scheme, type: undefined };
          sums.add(request(facts.amount, 'EUR', scheme), BERLIN, PARIS);
          before += feeOf(FEES[BERLIN], facts)!;
          after += feeOf(FEES[PARIS], facts)!;
        }
        const [cost] = sums.costs(feesOf);
        expect(Math.abs(cost!.before - before)).toBeLessThan(0.00501);
        expect(Math.abs(cost!.after - after)).toBeLessThan(0.00501);
      }),
    );
  });
});
