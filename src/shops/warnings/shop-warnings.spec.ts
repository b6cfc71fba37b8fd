import { describe, expect, it } from '@jest/globals';
import { warningsOf } from './shop-warnings.js';

const since = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour));
const unusable = (payments: number, hour: number) => ({
  code: 'payment_method_unusable',
  payments,
  since: since(hour),
});
const missing = (payments: number, hour: number) => ({ code: 'permission_missing', payments, since: since(hour) });

describe('warningsOf', () => {
  it.each([
    ['one reason', 3, [unusable(3, 2)], [unusable(3, 1)]],
    ['no reason known', 3, [], [unusable(3, 1)]],
    ['a missing permission only', 2, [missing(2, 1)], [missing(2, 1)]],
    ['both reasons', 5, [missing(2, 1), unusable(3, 2)], [unusable(3, 2), missing(2, 1)]],
  ])('warningsOf names each reason by its code: %s', (_, payments, causes, expected) => {
    expect(warningsOf({ payments, since: since(1) }, causes)).toEqual(expected);
  });
});
