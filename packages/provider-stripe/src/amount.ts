import {
  CURRENCIES,
  currencyDigits,
  fromMinorAmount,
  type MinorAmount,
  type MinorUnits,
  toMinorAmount,
} from '@payment-orchestrator/provider-kit';

// https://docs.stripe.com/currencies: zero-decimal currencies, three-decimal currencies, special cases. Stripe's
// exponents differ from ISO 4217: at Stripe MGA has none instead of two, ISK and UGX have two instead of none.
const ZERO_DECIMAL = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMAL = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Sent with two decimals that must be 00. */
const WHOLE_UNITS_IN_CENTS = new Set(['ISK', 'UGX']);

function unitsOf(currency: string): MinorUnits | undefined {
  if (ZERO_DECIMAL.has(currency)) return { exponent: 0, step: 1 };
  if (THREE_DECIMAL.has(currency)) return { exponent: 3, step: 10 }; // card networks use two of the three
  if (WHOLE_UNITS_IN_CENTS.has(currency)) return { exponent: 2, step: 100 };
  return currencyDigits(currency) === 2 ? { exponent: 2, step: 1 } : undefined;
}

/** Our currencies in which Stripe accepts charges. */
export const STRIPE_CURRENCIES: readonly string[] = CURRENCIES.filter((currency) => unitsOf(currency) !== undefined);

/** Converts to Stripe's minor units, or returns why Stripe does not accept the amount. */
export const toStripeAmount = (amount: string, currency: string): MinorAmount =>
  toMinorAmount(amount, currency, unitsOf(currency), 'Stripe');

/** Decimal text in units of the currency (lower or upper case); `undefined` for a currency that we never send. */
export function fromStripeAmount(minor: number, currency: string): string | undefined {
  const units = unitsOf(currency.toUpperCase());
  return units && fromMinorAmount(minor, units);
}

/** Like `fromStripeAmount`; the minor units themselves for a currency that we never send, so they equal no amount of ours. */
export const amountText = (minor: number, currency: string): string =>
  fromStripeAmount(minor, currency) ?? String(minor);
