import { describe, expect, it } from '@jest/globals';
import { ADYEN_CARD_ERRORS, ADYEN_REFUSALS } from './adyen/adyen-decline.js';
import { DECLINE_CODES } from '@payment-orchestrator/provider-kit';
import { STRIPE_DECLINES } from './stripe/stripe-decline.js';

describe('DECLINE_CODES', () => {
  it.each([
    ['Stripe', Object.values(STRIPE_DECLINES).map(([, code]) => code)],
    ['Adyen', Object.values(ADYEN_REFUSALS).map(([, , code]) => code)],
    ['Adyen card errors', Object.values(ADYEN_CARD_ERRORS)],
  ])('contains every code that %s declines are mapped to', (_, codes) => {
    expect(codes.filter((code) => !DECLINE_CODES.includes(code))).toEqual([]);
  });

  it('contains each code once', () => expect(new Set(DECLINE_CODES).size).toBe(DECLINE_CODES.length));
});
