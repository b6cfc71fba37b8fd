import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { anyCase, type Case } from '../../../../test/support/routing/cases.js';
import {
  type Account,
  breaks,
  counts,
  expected,
  failures,
  passedOver,
  type Payment,
  turn,
} from '../../../../test/support/routing/reference.js';
import { resultOf } from '../result-of.js';
import { findCounterexample } from '../definition/assertion-search.js';
import { violationsOf } from '../definition/assertions.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { Assertion, FlowDefinition } from '../definition/definition.js';
import type { ShopSummary } from '../facts/shop.js';
import { decide } from './decision.js';
import { routableFlow } from './routable-flow.js';

const COUNTER = 41;
const outcomes = { approved: 0, declined: 0, failed: 0 };

const byId = (accounts: readonly Account[]): Map<number, Account> =>
  new Map(accounts.map((account, index) => [index + 1, account]));

const summariesOf = (accounts: readonly Account[]): Map<number, ShopSummary> =>
  new Map(
    accounts.map(({ provider, account, refused, types, fees }, index) => {
      const shop = { id: index + 1, name: `Shop ${index + 1}`, provider, account, enabled: true, fees };
      const taken = types && { paymentMethodTypes: types };
      return [shop.id, { ...shop, ...taken, refusedCurrencies: new Set(refused) }];
    }),
  );

const requestOf = ({
  customer_id: customerId,
  payment_method: paymentMethod,
  ...payment
}: Payment): RoutingRequest => ({
  ...payment,
  ...(customerId !== undefined && { customerId }),
  ...(paymentMethod && { paymentMethod }),
});

/** Compares the decision with the one that the documents specify. */
function compared({ definition, health: states, accounts }: Case, payment: Payment): void {
  const given = definition as FlowDefinition;
  const health = new Map(states.map((each, index) => [index + 1, each]));
  const statsByShop = new Map([...health].map(([id, each]) => [id, { ...outcomes, health: each }]));
  const state = { counter: COUNTER, statsByShop, random: () => 0.3 };
  const flow = routableFlow(given, summariesOf(accounts));
  const { shop, declined, trace, usesCounter } = decide(flow, requestOf(payment), state);
  const shops = { disabled: new Set<number>(), health, accounts: byId(accounts) };
  const want = expected(definition, payment, shops);
  for (const member of definition.shops) {
    const failedTests = (trace.failed[member.shop_id] ?? []).filter((test) => test !== 'rule' && test !== 'unhealthy');
    expect(failedTests).toEqual(failures(member, payment, shops));
  }
  const pooled = want?.decline || want?.refuses ? undefined : want;
  expect(usesCounter).toBe(pooled !== undefined && counts(pooled, payment));
  expect([trace.picked === null, trace.rule ?? null, trace.least_bad ?? false]).toEqual([
    pooled === undefined,
    want?.rule ?? null,
    pooled?.fallbackToUnhealthy ?? false,
  ]);
  expect([declined, trace.declined, trace.refused]).toEqual([want?.decline, want?.decline, want?.refuses]);
  expect(trace.passed_over ?? []).toEqual(passedOver(definition, payment, want?.rule ?? null));
  if (!pooled) return;
  expect(pooled.pool.map((member) => member.shop_id)).toContain(shop!.shop.id);
  const first = pooled.fallbackToUnhealthy ? undefined : turn(pooled, COUNTER, payment, shops.accounts);
  if (first) expect(trace.probed?.shop_id ?? trace.picked).toBe(first.shop_id);
}

it('decide agrees with a reference implementation based only on the documents', () => {
  fc.assert(
    fc.property(anyCase, (each) => {
      for (const payment of each.payments) compared(each, payment);
    }),
    { numRuns: runs(60) },
  );
});

it('findCounterexample finds a payment that breaks an assertion if the reference knows one', () => {
  fc.assert(
    fc.property(anyCase, ({ definition, accounts, payments, others }) => {
      for (const claim of definition.assertions ?? []) {
        const violations = violationsOf(definition as FlowDefinition, summariesOf(accounts), claim as Assertion);
        const isBrokenBy = (payment: Payment): boolean => breaks(definition, claim, payment, byId(accounts));
        const found = violations
          .map((each) => resultOf(findCounterexample(each)))
          .find((request) => request !== undefined);
        // most payments name other accounts than the claim
        const about = others.map(({ payment_method: method, ...payment }): Payment => {
          const { options: _, ...facts } = method ?? {};
          return { ...payment, payment_method: { ...facts, ...claim.payment_method } };
        });
        const isBroken = [...payments, ...others, ...about].some(isBrokenBy);
        if (!found) expect([claim, isBroken]).toEqual([claim, false]);
        else {
          const { customerId, paymentMethod, ...payment } = found;
          const shown = {
            ...payment,
            ...(customerId !== undefined && { customer_id: customerId }),
            ...(paymentMethod && { payment_method: paymentMethod }),
          } as Payment;
          expect([claim, shown, isBrokenBy(shown)]).toEqual([claim, shown, true]);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});
