import { describe, expect, it } from '@jest/globals';
import { resultOf } from '../result-of.js';
import { aMember } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { definitionErrors } from './definition-errors.js';
import type { FlowShop } from './definition.js';

const errorsOf = (...shops: FlowShop[]) =>
  resultOf(definitionErrors({ strategy: 'round_robin', shops }, new Set([1, 2]))).map(
    ({ field, message }) => `${field} ${message}`,
  );

describe('definitionErrors', () => {
  it('returns no error for known shops', () => {
    expect(errorsOf(aMember(1), aMember(2, { conditions: { min_amount: 5, max_amount: 5 } }))).toEqual([]);
  });

  it('reports a duplicate shop', () => {
    expect(errorsOf(aMember(2), aMember(1), aMember(2))).toEqual(['shops[2].shop_id is the same shop as shops[0]']);
  });

  it('reports an unknown shop', () => {
    expect(errorsOf(aMember(1), aMember(3))).toEqual(['shops[1].shop_id is not a shop of yours']);
  });

  it('reports bounds that exclude each other', () => {
    expect(errorsOf(aMember(1, { conditions: { min_amount: 5, max_amount: 4.99 } }))).toEqual([
      'shops[0].conditions.max_amount must not be less than min_amount (5), got 4.99',
    ]);
  });

  it('reports all errors at once', () => {
    expect(errorsOf(aMember(3), aMember(3, { conditions: { min_amount: 2, max_amount: 1 } }))).toHaveLength(3);
  });
});
