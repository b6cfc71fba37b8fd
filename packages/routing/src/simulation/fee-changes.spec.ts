import { describe, expect, it } from '@jest/globals';
import { aMember, summariesOf } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '../result-of.js';
import type { FeeEntry } from '../facts/fees.js';
import type { ShopStats } from '../facts/shop.js';
import type { FlowShop } from '../definition/definition.js';
import { overrideErrors, withoutNulls, withOverrides } from './overrides.js';
import { decideScenario, prepare, type Scenario } from './scenario.js';
import { SmallestChanges } from './smallest-change.js';

const fee = (percent: number, fixed = 0, only: Partial<FeeEntry> = {}): FeeEntry => ({ percent, fixed, ...only });

/** A payment of 100 EUR over shops with these fees, by id. */
function scenarioWith(
  fees: Record<number, FeeEntry[]>,
  members: Partial<Record<number, Partial<FlowShop>>> = {},
): Scenario {
  const shops = Object.keys(fees).map((id) => aMember(Number(id), members[Number(id)]));
  const definition = { strategy: 'lowest_cost' as const, shops };
  const summaries = [...summariesOf(definition)].map(([id, shop]) => {
    const { refusedCurrencies: _, ...summary } = shop;
    return [id, { ...summary, fees: fees[id]! }] as const;
  });
  const request = { amount: 100, currency: 'EUR' };
  return { definition, version: 1, shops: new Map(summaries), statsByShop: new Map(), request, counter: 0, draw: 0.5 };
}

function changeFor(scenario: Scenario, shopId: number) {
  return resultOf(new SmallestChanges(prepare(scenario)).find(shopId));
}
const pickOf = (scenario: Scenario): number | undefined => decideScenario(prepare(scenario)).shop?.shop.id;

describe('the smallest change under lowest_cost', () => {
  // a third shop that is almost as cheap as the first: without the first one it is picked
  const third = { 3: [fee(0.51)] };

  it('names the nearest amount at which the shop is the cheapest', () => {
    const fees = { 1: [fee(0.5)], 2: [fee(0.2, 0.5, { currency: 'EUR' })], ...third };
    expect(changeFor(scenarioWith(fees), 2)).toEqual({ field: 'amount', from: 100, to: 166.67 });
    const equalAt200 = { 1: [fee(0.5)], 2: [fee(0.25, 0.5, { currency: 'EUR' })], ...third };
    expect(changeFor(scenarioWith(equalAt200), 2)).toEqual({ field: 'amount', from: 100, to: 200.01 });
    expect(changeFor(scenarioWith(equalAt200, { 2: { priority: 0 } }), 2)).toMatchObject({ to: 200 });
  });

  it('names a currency, a card scheme or a type with a lower fee', () => {
    const inUsd = { 1: [fee(0.5)], 2: [fee(1), fee(0.3, 0, { currency: 'USD' })], ...third };
    expect(changeFor(scenarioWith(inUsd), 2)).toEqual({ field: 'currency', from: 'EUR', to: 'USD' });
    const byMaestro = { 1: [fee(0.5)], 2: [fee(1), fee(0.3, 0, { scheme: 'maestro' })], ...third };
    const change = { field: 'payment_method.card.scheme', from: undefined, to: 'maestro' };
    expect(changeFor(scenarioWith(byMaestro), 2)).toEqual(change);
    const byType = { 1: [fee(0.5)], 2: [fee(1), fee(0.3, 0, { payment_method_type: 'ideal' })], ...third };
    expect(changeFor(scenarioWith(byType), 2)).toEqual({ field: 'payment_method.type', from: undefined, to: 'ideal' });
  });

  it('names a priority among equal fees', () => {
    const fees = { 1: [fee(0.5)], 2: [fee(0.5)], ...third };
    const scenario = scenarioWith(fees, { 2: { priority: 2 } });
    expect(changeFor(scenario, 2)).toEqual({ field: 'definition.shops[1].priority', from: 2, to: 0 });
  });

  it.each<[string, FeeEntry[], FeeEntry[]]>([
    ['a lower percent', [fee(1)], [fee(0.4999)]],
    [
      'a lower percent next to the same fixed fee',
      [fee(1, 0.1, { currency: 'EUR' })],
      [fee(0.3999, 0.1, { currency: 'EUR' })],
    ],
    ['no fixed fee', [fee(1, 2, { currency: 'EUR' })], [fee(0.4999, 0, { currency: 'EUR' })]],
    ['a fee for a shop that has none', [], [fee(0.4999)]],
    [
      'a fee for payments that had none',
      [fee(1, 0, { currency: 'JPY' })],
      [fee(1, 0, { currency: 'JPY' }), fee(0.4999)],
    ],
  ])('names %s', (_, from, to) => {
    const scenario = scenarioWith({ 1: [fee(0.5)], 2: from, ...third });
    const change = { field: 'overrides.shops.2.fees', from, to };
    expect(changeFor(scenario, 2)).toEqual(change);
    expect(pickOf(withOverrides(scenario, { shops: { 2: { fees: to } } }))).toBe(2);
  });

  it('names equal fees for a shop that comes first among equal ones', () => {
    const scenario = scenarioWith({ 1: [fee(0.5)], 2: [fee(1)], ...third }, { 2: { priority: 0 } });
    expect(changeFor(scenario, 2)).toMatchObject({ field: 'overrides.shops.2.fees', to: [fee(0.5)] });
  });

  it('names lower fees than those of the healthy shops while the cheapest shop is passed over', () => {
    const stats: ShopStats = { approved: 0, declined: 0, failed: 0, health: 'probing' };
    const fees = { 1: [fee(0.1)], 2: [fee(1)], 3: [fee(0.5)], 4: [fee(0.51)] };
    const scenario = { ...scenarioWith(fees), statsByShop: new Map([[1, stats]]) };
    expect(pickOf(scenario)).toBe(3);
    expect(changeFor(scenario, 2)).toEqual({ field: 'overrides.shops.2.fees', from: [fee(1)], to: [fee(0.5)] });
  });
});

describe('overrides of fees', () => {
  const members = [aMember(1)];
  const errorsOf = (fees: unknown): string[] =>
    overrideErrors({ shops: { 1: { fees } } }, members).map(({ field, message }) => `${field} ${message}`);

  it('replace the fees of the shop; an empty list makes them unknown', () => {
    const scenario = scenarioWith({ 1: [fee(1)], 2: [fee(2)] });
    expect(pickOf(withOverrides(scenario, { shops: { 2: { fees: [{ percent: 0.5 } as FeeEntry] } } }))).toBe(2);
    expect(pickOf(withOverrides(scenario, { shops: { 1: { fees: [] } } }))).toBe(2);
  });

  it('accept the fees of a shop, with null as an absent field', () => {
    const fees = [{ percent: 1, fixed: null, currency: null, scheme: 'visa' }];
    const given = withoutNulls({ shops: { 1: { fees } } });
    expect(given).toEqual({ shops: { 1: { fees: [{ percent: 1, scheme: 'visa' }] } } });
    expect(overrideErrors(given as object, members)).toEqual([]);
  });

  it.each<[unknown, string]>([
    ['1 %', 'overrides.shops.1.fees must be a list of at most 50 fees'],
    [Array(51).fill(fee(1)), 'overrides.shops.1.fees must be a list of at most 50 fees'],
    [[1], 'overrides.shops.1.fees[0] must be an object'],
    [[{}], 'overrides.shops.1.fees[0].percent must be a number'],
    [[fee(101)], 'overrides.shops.1.fees[0].percent must be from 0 to 100'],
    [[fee(1, -1)], 'overrides.shops.1.fees[0].fixed must not be negative'],
    [[fee(1, 0, { scheme: 'Visa' })], 'overrides.shops.1.fees[0].scheme must match ^[a-z0-9_-]{1,32}$'],
    [[{ percent: 1, rate: 2 }], 'overrides.shops.1.fees[0].rate is not a known field'],
    [[fee(1, 1)], 'overrides.shops.1.fees[0].currency is required with a fixed fee'],
    [[fee(1), fee(2)], 'overrides.shops.1.fees[1] is for the same payments as overrides.shops.1.fees[0]'],
  ])('refuse %j', (fees, error) => {
    expect(errorsOf(fees)).toEqual([error]);
  });
});
