import { describe, expect, it } from '@jest/globals';
import { DECLINE_CODES } from '@payment-orchestrator/provider-kit';
import { CHECKOUT_DECLINES } from './decline.js';

describe("Checkout.com's response codes", () => {
  it('each code of ours is one of the kit', () => {
    const codes = [...CHECKOUT_DECLINES.values()].map(({ declineCode }) => declineCode);
    expect(DECLINE_CODES).toEqual(expect.arrayContaining(codes));
  });

  it('each pick-up is hard', () => {
    const pickUps = [...CHECKOUT_DECLINES].filter(([code]) => /^300(04|07|3|4)/.test(code));
    expect(new Set(pickUps.map(([, { outcome }]) => outcome))).toEqual(new Set(['declined']));
  });
});
