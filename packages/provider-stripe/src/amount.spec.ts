import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { CURRENCIES, currencyDigits } from '@payment-orchestrator/provider-kit';
import { fromStripeAmount, toStripeAmount } from './amount.js';

const currencies = fc.constantFrom(...CURRENCIES);
const amounts = fc.integer({ min: 1, max: 10_000_000_000_000 });

describe("conversion to Stripe's minor units", () => {
  it('returns the same amount on the way back, or refuses it', () => {
    fc.assert(
      fc.property(currencies, amounts, (currency, units) => {
        const amount = new Decimal(units).div(new Decimal(10).pow(currencyDigits(currency) ?? 0)).toFixed();
        const sent = toStripeAmount(amount, currency);
        if ('minor' in sent) expect(fromStripeAmount(sent.minor, currency.toLowerCase())).toBe(amount);
        else expect(sent.reason).toContain(currency);
      }),
    );
  });

  it('accepts every whole amount of the currencies with a rule', () => {
    const ruled = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF BHD JOD KWD OMR TND ISK UGX EUR USD';
    for (const currency of ruled.split(' ')) expect(toStripeAmount('7', currency)).toHaveProperty('minor');
  });

  it('returns no amount for a currency that only Stripe uses', () => {
    expect(fromStripeAmount(100, 'lyd')).toBeUndefined();
  });
});
