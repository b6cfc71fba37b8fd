import { describe, expect, it } from '@jest/globals';
import type { PaymentRow } from '../state/payment.js';
import { requireRefundable } from './request.js';

const payment = {
  id: 7,
  status: 'completed',
  currency: 'EUR',
  amount_captured: '50',
  amount_refunded: '0',
} as PaymentRow;

const codeOf = (amount: string, left: string, disputed: string, isConfirmed = false): string => {
  try {
    requireRefundable(payment, { amount, left, canRefundParts: true, isRest: false, disputed, isConfirmed });
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('requireRefundable', () => {
  it.each([
    // amount, left, disputed
    ['50', '50', '0', 'accepted'],
    ['50', '50', '50', 'payment_disputed'],
    ['0.01', '50', '50', 'payment_disputed'],
    ['30', '50', '20', 'accepted'],
    ['30.01', '50', '20', 'payment_disputed'],
    ['10', '20', '20', 'payment_disputed'],
    ['1', '20', '50', 'payment_disputed'],
    ['20', '20', '0', 'accepted'],
    ['20.01', '20', '50', 'refund_exceeds_captured'],
  ])('answers a refund of %s of %s left, with %s disputed: %s', (amount, left, disputed, expected) => {
    expect(codeOf(amount, left, disputed)).toBe(expected);
    expect(codeOf(amount, left, disputed, true)).toBe(expected === 'payment_disputed' ? 'accepted' : expected);
  });

  it('names the amounts', () => {
    const most = { ...payment, amount_refunded: '40.1' };
    const wanted = {
      amount: '10',
      left: '9.9',
      canRefundParts: true,
      isRest: false,
      disputed: '0',
      isConfirmed: false,
    };
    const detail = '10 EUR of payment 7 cannot be refunded: 50 captured, 40.1 refunded, 9.9 EUR left';
    expect(() => requireRefundable(most, wanted)).toThrow(expect.objectContaining({ message: detail }));
  });
});
