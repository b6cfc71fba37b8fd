import { describe, expect, it } from '@jest/globals';
import { declineOf } from './decline.js';

describe("Mollie's failure reasons", () => {
  it.each([
    ['possible_fraud', 'declined', 'fraudulent'],
    ['refused_by_issuer', 'soft_declined', 'card_declined'],
    ['invalid_cvv', 'declined', 'invalid_cvc'],
    ['a reason of tomorrow', 'soft_declined', 'a_reason_of_tomorrow'],
  ])('read %j as %s %s', (failureReason, outcome, declineCode) => {
    expect(declineOf({ details: { failureReason } })).toEqual({ outcome, declineCode });
  });
});
