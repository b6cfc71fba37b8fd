import { describe, expect, it } from '@jest/globals';
import { aMember, summariesOf } from '../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '@payment-orchestrator/routing/result-of';
import type { Condition } from '@payment-orchestrator/routing/definition/condition';
import { definitionErrors } from '@payment-orchestrator/routing/definition/definition-errors';
import type { FlowDefinition, Rule, RuleUse } from '@payment-orchestrator/routing/definition/definition';
import { explain } from '@payment-orchestrator/routing/simulation/explanation';
import { ExplanationDto } from './explanation.dto.js';
import { prepare } from '@payment-orchestrator/routing/simulation/scenario';

/** The API's answer about shop 2, for a payment of 100 USD. */
function answered(definition: FlowDefinition) {
  expect(resultOf(definitionErrors(definition, new Set([1, 2])))).toEqual([]);
  const request = { amount: 100, currency: 'USD' };
  const shops = summariesOf(definition);
  const scenario = prepare({ definition, version: 1, shops, statsByShop: new Map(), request, counter: 0, draw: 0 });
  const { shops: explained } = ExplanationDto.from(resultOf(explain(scenario)));
  return explained.find(({ shop_id: id }) => id === 2)!.smallest_change;
}

const withRules = (...rules: Rule[]): FlowDefinition => ({
  strategy: 'rules',
  shops: [aMember(1, { priority: 2 }), aMember(2)],
  rules,
  default: { shops: [1], strategy: 'priority' },
});
const use = (shop: number): RuleUse => ({ shops: [shop], strategy: 'priority' });

describe('a smallest change that is applied as answered', () => {
  it('names a shop in no rule if this would make a later rule unreachable, which is refused', () => {
    const first: Rule = { when: { amount: { min: 50 } }, use: use(1) };
    const second: Rule = { when: { amount: { min: 200 }, country: { equals: 'DE' } }, use: use(2) };
    const naming = withRules({ ...first, use: { ...first.use, shops: [1, 2] } }, second);
    expect(resultOf(definitionErrors(naming, new Set([1, 2])))).toEqual([
      { field: 'rules[1]', message: expect.stringContaining('rules[0] comes first') },
    ]);
    expect(answered(withRules(first, second))).toBeNull();
  });

  it('names a shop in a rule that leaves payments to the later ones', () => {
    const first: Rule = { when: { amount: { min: 50 } }, use: use(1) };
    const second: Rule = { when: { amount: { max: 20 }, country: { equals: 'DE' } }, use: use(2) };
    const to = [1, 2];
    expect(answered(withRules(first, second))).toEqual({ field: 'definition.rules[0].use.shops', from: [1], to });
  });

  it('avoids a rule that declines by another request, or names the shop in a rule before it', () => {
    const dollars: Condition = { currency: { equals: 'USD' } };
    const declining: Rule = { when: dollars, decline: { code: 'blocked' } };
    const open = { ...withRules(declining), default: { ...use(2), shops: [1, 2] } };
    expect(answered(open)).toEqual({ field: 'currency', from: 'USD', to: expect.any(String) });
    // no other request reaches the shop, which is not in the default
    const first: Rule = { when: { amount: { min: 50 } }, use: use(1) };
    const closed = withRules({ ...first, when: { amount: { min: 500 } } }, declining);
    expect(answered(closed)).toBeNull();
    const before = withRules({ when: { amount: { min: 50 }, country: { not: 'DE' } }, use: use(1) }, declining);
    expect(answered(before)).toEqual({ field: 'definition.rules[0].use.shops', from: [1], to: [1, 2] });
  });

  it('sets no field to null, which would mean that it is omitted', () => {
    const definition = (...tiers: (string | null)[]) =>
      withRules({ when: { 'metadata.tier': { in: tiers } }, use: use(2) });
    expect(answered(definition(null, 'gold'))).toEqual({ field: 'metadata.tier', from: null, to: 'gold' });
    expect(answered(definition(null))).toEqual({ field: 'definition.default.shops', from: [1], to: [1, 2] });
  });
});
