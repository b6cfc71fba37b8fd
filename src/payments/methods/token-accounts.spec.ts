import { describe, expect, it } from '@jest/globals';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { mayHaveToken, type TokenAttempt } from './token-accounts.js';

const aShop = (provider: string, account: string, fields: Partial<ShopSummary> = {}): ShopSummary => ({
  id: 1,
  name: 'Berlin',
  provider,
  enabled: true,
  account,
  ...fields,
});
const attempt = (
  shop: ShopSummary,
  outcome: TokenAttempt['outcome'],
  declineCode: string | null = null,
): TokenAttempt => ({ shop, outcome, declineCode });

const adyen = aShop('adyen', 'eu');
const stripe = aShop('stripe', 'eu');
const otherStripe = aShop('stripe', 'us');
const unusable = (shop: ShopSummary) => attempt(shop, 'soft_declined', 'payment_method_unusable');

describe('mayHaveToken', () => {
  it.each([
    ['any shop before the first attempt', stripe, [], true],
    ['another account after the first does not have it', stripe, [unusable(adyen)], true],
    ['a shop of the account that does not have it', stripe, [unusable(stripe)], false],
    ['a third account after two do not have it', otherStripe, [unusable(adyen), unusable(stripe)], true],
    ['a shop of the account whose issuer declined', adyen, [attempt(adyen, 'soft_declined', 'do_not_honor')], true],
    ['another account after an issuer declined', stripe, [attempt(adyen, 'soft_declined', 'do_not_honor')], false],
    ['another account after an acquirer failed', stripe, [attempt(adyen, 'soft_declined', 'processing_error')], false],
    ['another account with the same label', adyen, [attempt(stripe, 'soft_declined', 'card_declined')], false],
    ['another account after an unavailable provider', stripe, [attempt(adyen, 'unavailable')], true],
    ['the account of an unavailable provider', adyen, [attempt(adyen, 'unavailable')], true],
    ['another account after a decline without a reason', stripe, [attempt(adyen, 'declined')], false],
    [
      'another account after a wrong configuration',
      stripe,
      [attempt(adyen, 'soft_declined', 'configuration_error')],
      true,
    ],
    ['another account after a refused amount', stripe, [attempt(adyen, 'soft_declined', 'invalid_amount')], true],
    [
      'the account that declined, after one that does not have it',
      stripe,
      [unusable(adyen), attempt(stripe, 'soft_declined', 'do_not_honor')],
      true,
    ],
  ] as const)('%s', (_, shop, attempts, expected) => {
    expect(mayHaveToken(shop, attempts)).toBe(expected);
  });

  it('a shop for any token takes it always, and says nothing about other accounts', () => {
    const any = aShop('sandbox', 'any', { acceptsAnyToken: true });
    expect(mayHaveToken(any, [attempt(adyen, 'soft_declined', 'do_not_honor')])).toBe(true);
    expect(mayHaveToken(stripe, [attempt(any, 'soft_declined', 'do_not_honor')])).toBe(true);
    expect(mayHaveToken(any, [unusable(any)])).toBe(true);
  });
});
