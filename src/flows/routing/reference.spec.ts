import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { summariesOf } from '../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../test/support/fuzz/runs.js';
import { anyCase, type Case } from '../../../test/support/routing/cases.js';
import { breaks, counts, expected, failures, type Payment, turn } from '../../../test/support/routing/reference.js';
import { resultOf } from '../../../test/support/result-of.js';
import { findCounterexample } from '../definition/assertion-search.js';
import { violationsOf } from '../definition/assertions.js';
import type { Assertion, FlowDefinition } from '../definition/definition.js';
import { decide } from './decision.js';
import { routableFlow } from './routable-flow.js';

const COUNTER = 41;
const outcomes = { approved: 0, declined: 0, failed: 0 };

/** Compares the decision with the one that the documents specify. */
function compared({ definition, health: states }: Case, { customer_id: customerId, ...payment }: Payment): void {
  const given = definition as FlowDefinition;
  const health = new Map(states.map((each, index) => [index + 1, each]));
  const statsByShop = new Map([...health].map(([id, each]) => [id, { ...outcomes, health: each }]));
  const state = { counter: COUNTER, statsByShop, random: () => 0.3 };
  const { shop, trace, usesCounter } = decide(
    routableFlow(given, summariesOf(given)),
    { ...payment, customerId },
    state,
  );
  const asked = { ...payment, ...(customerId !== undefined && { customer_id: customerId }) };
  const shops = { disabled: new Set<number>(), health };
  const want = expected(definition, asked, shops);
  for (const member of definition.shops) {
    const failedTests = (trace.failed[member.shop_id] ?? []).filter((test) => test !== 'rule' && test !== 'unhealthy');
    expect(failedTests).toEqual(failures(member, asked, shops));
  }
  expect(usesCounter).toBe(want !== undefined && counts(want, asked));
  expect([trace.picked === null, trace.rule ?? null, trace.least_bad ?? false]).toEqual([
    want === undefined,
    want?.rule ?? null,
    want?.fallbackToUnhealthy ?? false,
  ]);
  if (!want) return;
  expect(want.pool.map((member) => member.shop_id)).toContain(shop!.shop.id);
  const first = want.fallbackToUnhealthy ? undefined : turn(want.strategy, want.pool, COUNTER);
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
    fc.property(anyCase, ({ definition, payments, others }) => {
      for (const claim of definition.assertions ?? []) {
        const violations = violationsOf(definition as FlowDefinition, claim as Assertion);
        const found = violations
          .map((each) => resultOf(findCounterexample(each)))
          .find((request) => request !== undefined);
        const isBroken = [...payments, ...others].some((payment) => breaks(definition, claim, payment));
        if (!found) expect([claim, isBroken]).toEqual([claim, false]);
        else {
          const { customerId, ...payment } = found;
          const shown = { ...payment, ...(customerId !== undefined && { customer_id: customerId }) } as Payment;
          expect([claim, shown, breaks(definition, claim, shown)]).toEqual([claim, shown, true]);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});
