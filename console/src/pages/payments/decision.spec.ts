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
const of = (changes: Partial<Decision>) => explain({ ...DECISION, ...changes }, (id) => `Shop ${id}`);

describe('why a payment went where it went', () => {
  it('names the shop and the turn that it had', () => {
    const reasoning = { by: 'round_robin', counter: 41, position: 1, of: 3 } as const;
    expect(of({ reasoning }).reason).toBe('Shop 1: its turn, number 2 of 3 shops that take turns.');
  });

  it('says that one shop alone was left, and why the others were not', () => {
    const { reason, leftOut } = of({ failed: { 2: ['currency', 'max_amount'], 3: ['unhealthy'] } });
    expect(reason).toContain('the only shop');
    expect(leftOut).toEqual([
      { shopId: 2, why: 'it does not take the currency, the amount is above its maximum' },
      { shopId: 3, why: 'it was not healthy' },
    ]);
  });

  it('says when none could take it', () => {
    expect(of({ picked: null }).reason).toContain('No shop');
  });

  it('counts rules from one, tells trials and probabilities', () => {
    expect(of({ rule: 0, probability: 0.3333, probed: { shop_id: 3, let_through: false } }).notes).toEqual([
      'Rule 1 decided.',
      'Shop 3 is on its way back to health; its turn went to another shop.',
      'This pick had a probability of 33.3 %.',
    ]);
    expect(of({ rule: 'default', least_bad: true }).notes[0]).toContain('default');
  });
});
