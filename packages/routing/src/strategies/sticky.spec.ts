import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember, load } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { decide } from '../decision/decision.js';
import type { FlowShop } from '../definition/definition.js';
import type { RoutableFlow } from '../decision/routable-flow.js';
import { leastWinningWeight } from './sticky.js';

const flowOf = (shops: FlowShop[]): RoutableFlow => load({ strategy: 'sticky', shops });
const pickOf = (flow: RoutableFlow, customerId: number | undefined, counter = 0): number =>
  decide(flow, { amount: 1, currency: 'USD', customerId }, { counter, statsByShop: new Map(), random: () => NaN }).shop!
    .shop.id;

const members = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 1_000 }), weight: fc.integer({ min: 1, max: 20 }) }),
  { selector: ({ id }) => id, minLength: 2, maxLength: 10 },
);
const toMembers = (shops: { id: number; weight: number }[]): FlowShop[] =>
  shops.map(({ id, weight }) => aMember(id, { weight }));
const CUSTOMERS = Array.from({ length: 1_000 }, (_, index) => 1_000_003 * index + 1);

describe('sticky', () => {
  it('sends the same customer to the same shop for every counter', () => {
    fc.assert(
      fc.property(
        members,
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.nat(),
        (shops, customer, counter) => {
          const flow = flowOf(toMembers(shops));
          expect(pickOf(flow, customer, counter)).toBe(pickOf(flow, customer));
        },
      ),
    );
  });

  it('moves only the customers of a removed shop, and only those that an added shop gets', () => {
    fc.assert(
      fc.property(members, (shops) => {
        const [gone, ...rest] = shops;
        const [before, after] = [flowOf(toMembers(shops)), flowOf(toMembers(rest))];
        const wronglyMoved = CUSTOMERS.filter((customer) => {
          const shop = pickOf(before, customer);
          return shop !== gone!.id && pickOf(after, customer) !== shop;
        });
        expect(wronglyMoved).toEqual([]);
      }),
      { numRuns: runs(4) },
    );
  });

  it('moves only the expected share to an added shop', () => {
    fc.assert(
      fc.property(members, (shops) => {
        const [before, after] = [flowOf(toMembers(shops.slice(1))), flowOf(toMembers(shops))];
        const moved = CUSTOMERS.filter((customer) => pickOf(before, customer) !== pickOf(after, customer)).length;
        const due = shops[0]!.weight / shops.reduce((sum, { weight }) => sum + weight, 0);
        // five standard deviations of this many random picks
        const slack = 5 * Math.sqrt((due * (1 - due)) / CUSTOMERS.length);
        expect(Math.abs(moved / CUSTOMERS.length - due)).toBeLessThan(slack + 1 / CUSTOMERS.length);
      }),
      { numRuns: runs(4) },
    );
  });

  it('moves only customers from or to a shop whose weight changes', () => {
    const shops = [aMember(1, { weight: 3 }), aMember(2, { weight: 2 }), aMember(3)];
    const [before, after] = [flowOf(shops), flowOf([{ ...shops[0]!, weight: 5 }, ...shops.slice(1)])];
    for (const customer of CUSTOMERS) {
      if (pickOf(before, customer) !== pickOf(after, customer)) expect(pickOf(after, customer)).toBe(1);
    }
  });

  it('picks by weight for payments without a customer', () => {
    const [sticky, weighted] = (['sticky', 'weighted'] as const).map((strategy) =>
      load({ strategy, shops: [aMember(1, { weight: 3 }), aMember(2)] }),
    );
    for (let counter = 0; counter < 8; counter++) {
      expect(pickOf(sticky!, undefined, counter)).toBe(pickOf(weighted!, undefined, counter));
    }
  });

  it('computes the smallest weight that wins a customer', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 1_000_000 }), (shops, customer) => {
        const flow = flowOf(toMembers(shops));
        const weight = leastWinningWeight(flow.shops, flow.shops[0]!, customer);
        const { id } = flow.shops[0]!.shop;
        const pickWith = (changed: number) =>
          pickOf(flowOf(toMembers(shops.map((each) => (each.id === id ? { id, weight: changed } : each)))), customer);
        if (weight <= 1_000_000) expect(pickWith(weight)).toBe(id);
        if (weight > 1) expect(pickWith(weight - 1)).not.toBe(id);
      }),
    );
  });
});
