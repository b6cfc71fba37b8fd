import { describe, expect, it } from '@jest/globals';
import { factOfState } from './call-fact.js';

const found = (status: 'open' | 'authorized' | 'captured' | 'voided') =>
  ({ status, transactionId: 'tx1', amount: '100', currency: 'EUR' }) as const;

describe('factOfState', () => {
  it.each([
    ['authorized', 'automatic', false, 'processing'],
    ['authorized', 'automatic', true, 'captured'],
    ['authorized', 'manual', true, 'authorized'],
    ['open', 'automatic', true, 'processing'],
    ['voided', 'automatic', true, 'cancelled'],
  ] as const)('takes %s of an %s charge, captured later: %s, for %s', (status, capture, capturesLater, expected) => {
    const fact = factOfState(found(status), 1, capture, '0', capturesLater);
    expect(fact.status).toBe(expected);
    expect(fact.captured).toBe(expected === 'captured' ? '100' : undefined);
  });
});
