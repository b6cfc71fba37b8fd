import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isEligible } from './eligibility.js';
import type { FlowDefinition, FlowShop, ShopConditions } from './flow-definition.js';
import { type RoutableFlow, routableFlow, type RoutingRequest } from './routable-flow.js';
import { candidatesFor, pick, route } from './routing.js';

const CURRENCIES = ['USD', 'EUR', 'JPY'];
const COUNTRIES = ['DE', 'FR', 'US'];

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const amounts = fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);

const conditions: fc.Arbitrary<ShopConditions> = fc.record(
  {
    currencies: fc.subarray(CURRENCIES, { minLength: 1 }),
    countries: fc.subarray(COUNTRIES, { minLength: 1 }),
    min_amount: amounts,
    max_amount: amounts,
  },
  { requiredKeys: [] },
);
const requests: fc.Arbitrary<RoutingRequest> = fc.record({
  amount: amounts,
  currency: fc.constantFrom(...CURRENCIES),
  country: optional(fc.constantFrom(...COUNTRIES)),
});
const definitions: fc.Arbitrary<FlowDefinition> = fc.record({
  strategy: fc.constant('round_robin' as const),
  shops: fc.uniqueArray(
    fc.record({
      shop_id: fc.integer({ min: 1, max: 1_000 }),
      priority: fc.integer({ min: 0, max: 3 }),
      weight: fc.integer({ min: 1, max: 10 }),
      enabled: fc.boolean(),
      conditions,
    }),
    { selector: (shop) => shop.shop_id, minLength: 1, maxLength: 12 },
  ),
});
const flows = fc
  .tuple(definitions, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }))
  .map(([definition, enabled]) => load(definition, (index) => enabled[index]!));
const counters = fc.nat({ max: Number.MAX_SAFE_INTEGER - 1_000 });

const load = (definition: FlowDefinition, isShopEnabled: (index: number) => boolean = () => true): RoutableFlow =>
  routableFlow(
    definition,
    new Map(
      definition.shops.map(({ shop_id: id }, index) => [
        id,
        { id, name: `Shop ${id}`, provider: 'sandbox', enabled: isShopEnabled(index) },
      ]),
    ),
  );

const aMember = (shopId: number, changes: Partial<FlowShop> = {}): FlowShop => ({
  shop_id: shopId,
  priority: 1,
  weight: 1,
  enabled: true,
  conditions: {},
  ...changes,
});
const aFlow = (...shops: FlowShop[]): RoutableFlow => load({ strategy: 'round_robin', shops });
const aRequest: RoutingRequest = { amount: 100, currency: 'USD' };

const picks = (flow: RoutableFlow, count: number, request = aRequest) =>
  Array.from({ length: count }, (_, counter) => route(flow, request, counter)?.shop.id);

describe('round robin', () => {
  it('takes the shops in order of priority, then shop id', () => {
    const flow = aFlow(aMember(7), aMember(3, { priority: 2 }), aMember(5), aMember(9, { priority: 0 }));
    expect(picks(flow, 5)).toEqual([9, 5, 7, 3, 9]);
  });

  it('leaves out shops that do not take the request', () => {
    const flow = aFlow(aMember(1), aMember(2, { enabled: false }), aMember(3, { conditions: { currencies: ['EUR'] } }));
    expect(picks(flow, 3)).toEqual([1, 1, 1]);
    expect(picks(flow, 4, { ...aRequest, currency: 'EUR' })).toEqual([1, 3, 1, 3]);
  });

  it('leaves out a shop that is disabled everywhere', () => {
    const flow = load({ strategy: 'round_robin', shops: [aMember(1), aMember(2)] }, (index) => index === 1);
    expect(picks(flow, 2)).toEqual([2, 2]);
  });

  it('finds nothing when no shop takes the request', () => {
    expect(route(aFlow(aMember(1, { enabled: false })), aRequest, 0)).toBeUndefined();
  });

  it('gives each eligible shop exactly one turn in any cycle', () => {
    fc.assert(
      fc.property(flows, requests, counters, (flow, request, start) => {
        const eligible = flow.shops.filter((shop) => isEligible(shop, request)).map((shop) => shop.shop.id);
        const cycle = eligible.map((_, step) => route(flow, request, start + step)!.shop.id);
        expect(cycle.sort()).toEqual(eligible.sort());
      }),
    );
  });
});

describe('every strategy', () => {
  it('never picks a shop that does not take the request, and finds one whenever there is one', () => {
    fc.assert(
      fc.property(flows, requests, counters, (flow, request, counter) => {
        const picked = route(flow, request, counter);
        expect(picked !== undefined).toBe(flow.shops.some((shop) => isEligible(shop, request)));
        if (picked) expect(isEligible(picked, request)).toBe(true);
      }),
    );
  });

  it('picks the same in a simulation as for a payment that gets the same counter', () => {
    fc.assert(
      fc.property(flows, requests, counters, (flow, request, counter) => {
        const candidates = candidatesFor(flow, request);
        expect(pick(candidates, request, counter)).toBe(route(flow, request, counter));
      }),
    );
  });

  it('does not depend on the order in which the definition lists the shops', () => {
    fc.assert(
      fc.property(definitions, requests, counters, (definition, request, counter) => {
        const reversed = { ...definition, shops: definition.shops.toReversed() };
        expect(route(load(reversed), request, counter)).toEqual(route(load(definition), request, counter));
      }),
    );
  });
});

it('refuses to route over a shop that was not loaded', () => {
  expect(() => routableFlow({ strategy: 'round_robin', shops: [aMember(4)] }, new Map())).toThrow(/shop 4/);
});
