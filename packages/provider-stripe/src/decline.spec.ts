import { describe, expect, it } from '@jest/globals';
import { DECLINE_CODES } from '@payment-orchestrator/provider-kit';
import { documentedDeclines } from '../../../test/support/decline-codes.js';
import { STRIPE_DECLINES } from './decline.js';

describe("Stripe's decline codes", () => {
  it('match the table in docs/integrate/providers.md', () => {
    expect(documentedDeclines('Stripe')).toEqual(STRIPE_DECLINES);
  });

  it('each code of ours is one of the kit', () => {
    expect(DECLINE_CODES).toEqual(expect.arrayContaining(Object.values(STRIPE_DECLINES).map(([, code]) => code)));
  });
});
