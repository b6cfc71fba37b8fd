import { describe, expect, it } from '@jest/globals';
import { ADYEN_REFUSALS } from './adyen/adyen-decline.js';
import { ADYEN_ERRORS } from './adyen/adyen-error.js';
import { DECLINE_CODES } from '@payment-orchestrator/provider-kit';
import { STRIPE_DECLINES } from './stripe/stripe-decline.js';

describe('DECLINE_CODES', () => {
  it.each([
    ['Stripe', Object.values(STRIPE_DECLINES).map(([, code]) => code)],
    ['Adyen', Object.values(ADYEN_REFUSALS).map(([, , code]) => code)],
    ['Adyen errors', [...ADYEN_ERRORS.values()].map(({ declineCode }) => declineCode)],
  ])('contains every code that %s declines are mapped to', (_, codes) => {
    expect(codes.filter((code) => !DECLINE_CODES.includes(code))).toEqual([]);
  });

  it('contains each code once', () => expect(new Set(DECLINE_CODES).size).toBe(DECLINE_CODES.length));
});
