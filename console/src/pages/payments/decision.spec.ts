import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { explain } from './decision';

type Decision = Schema<'PaymentDecision'>;

const DECISION: Decision = {
  flow_version: 2,
  strategy: 'round_robin',
  shops: [1, 2, 3],
  failed: {},
  picked: 1,
  fallbacks: [2],
};
const explained = (changes: Partial<Decision>) => explain({ ...DECISION, ...changes }, (id) => `Shop ${id}`);

describe('explain', () => {
  it('names the shop and its position in the rotation', () => {
    const reasoning = { by: 'round_robin', counter: 41, position: 1, of: 3 } as const;
    expect(explained({ reasoning }).reason).toBe('Shop 1: in turn, number 2 of 3 shops.');
  });

  it('names the only possible shop, and why the others were excluded', () => {
    const { reason, leftOut } = explained({ failed: { 2: ['currency', 'max_amount'], 3: ['unhealthy'] } });
    expect(reason).toContain('the only shop');
    expect(leftOut).toEqual([
      { shopId: 2, why: 'it does not accept the currency, the amount is above its maximum' },
      { shopId: 3, why: 'it was not healthy' },
    ]);
  });

  it('says when no shop was possible', () => {
    expect(explained({ picked: null }).reason).toContain('No shop');
  });

  it('counts rules from one, and names recovery trials and probabilities', () => {
    expect(explained({ rule: 0, probability: 0.3333, probed: { shop_id: 3, let_through: false } }).notes).toEqual([
      'Rule 1 decided.',
      'Shop 3 is recovering, so another shop got this payment.',
      'The probability of this choice was 33.3 %.',
    ]);
    expect(explained({ rule: 'default', least_bad: true }).notes[0]).toContain('default');
    expect(explained({ rule: 'default', passed_over: [1] }).notes).toEqual([
      'Rule 2 matched, but none of its shops could take the payment.',
      'No rule had a shop for it: the default decided.',
    ]);
    expect(explain({ ...DECISION, rule: 0 }, String, [{ name: 'Maestro' }]).notes).toEqual(['Maestro decided.']);
  });
});
