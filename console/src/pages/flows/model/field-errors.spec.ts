import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@payment-orchestrator/client';
import { conditionForm } from './condition-form';
import { conditionErrors, definitionErrors, errorsWithin } from './field-errors';
import type { ConditionNode, GroupNode } from './form';

const refused = (fields: Record<string, string>): ProblemError => {
  const errors = Object.entries(fields).map(([field, message]) => ({ field, message }));
  return new ProblemError({ errors } as never, new Response());
};

describe('definitionErrors', () => {
  it('merges the errors of a simulation and of a change', () => {
    const errors = definitionErrors(
      refused({ 'definition.shops[0].weight': 'a' }),
      refused({ max_attempts: 'b' }),
      null,
    );
    expect([...errors]).toEqual([
      ['shops[0].weight', 'a'],
      ['max_attempts', 'b'],
    ]);
  });

  it('errorsWithin adds the path to errors of parts without an own field', () => {
    const errors = definitionErrors(
      refused({ 'rules[1]': 'is off', 'rules[1].use.shops[0]': 'is new', 'rules[10]': 'no' }),
    );
    expect(errorsWithin(errors, 'rules[1]')).toEqual(['is off', 'use.shops[0] is new']);
    expect(errorsWithin(errors, 'rules[1]', ['rules[1].use'])).toEqual(['is off']);
  });
});

describe('conditionErrors', () => {
  const root = conditionForm({
    currency: { equals: 'X' },
    amount: { min: 5, max: 1 },
    any: [
      { country: { in: ['Y'] } },
      { not: { 'metadata.order.tier': { equals: 'z' } } },
      { amount: { min: 1 }, currency: { not: 'A' } },
    ],
  });
  const [currency, min, max, any] = root.items as [ConditionNode, ConditionNode, ConditionNode, GroupNode];
  const [country, not, both] = any.items as [ConditionNode, GroupNode, GroupNode];

  it.each<[path: string, node: ConditionNode]>([
    ['when.currency.equals', currency],
    ['when.amount.min', min],
    ['when.amount.max', max],
    ['when.amount', min],
    ['when.any', any],
    ['when.any[0].country.in', country],
    ['when.any[1].not.metadata.order.tier.equals', not.items[0]!],
    ['when.any[1].not', not],
    ['when.any[2].currency.not', both.items[1]!],
    ['when', root],
    ['when.unknown', root],
  ])('assigns an error at %s to its test or group', (path, { key }) => {
    expect([...conditionErrors(new Map([[path, 'wrong']]), root, 'when')]).toEqual([[key, 'wrong']]);
  });
});
