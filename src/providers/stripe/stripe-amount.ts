import { Decimal } from 'decimal.js';
import { currencyDigits } from '../../shared/money.js';

// https://docs.stripe.com/currencies: zero-decimal currencies, three-decimal currencies, special cases. Stripe's exponents
// are not ISO 4217's: MGA has two digits there and none here, ISK and UGX none there and two here.
const ZERO_DECIMAL = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMAL = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Sent with two decimals that must be 00. */
const WHOLE_UNITS_IN_CENTS = new Set(['ISK', 'UGX']);

interface StripeUnits {
  exponent: number;
  /** What the amount in minor units has to be a multiple of. */
  step: number;
}

function unitsOf(currency: string): StripeUnits | undefined {
  if (ZERO_DECIMAL.has(currency)) return { exponent: 0, step: 1 };
  if (THREE_DECIMAL.has(currency)) return { exponent: 3, step: 10 }; // card networks take two of the three
  if (WHOLE_UNITS_IN_CENTS.has(currency)) return { exponent: 2, step: 100 };
  return currencyDigits(currency) === 2 ? { exponent: 2, step: 1 } : undefined;
}

/** What Stripe is told, or why it cannot take the amount. */
export type StripeAmount = { minor: number } | { refusal: 'currency_not_supported' | 'invalid_amount'; reason: string };

/** Decimal text in units of the currency, in Stripe's minor units. What has no exact counterpart is refused, never rounded. */
export function toStripeAmount(amount: string, currency: string): StripeAmount {
  const units = unitsOf(currency);
  if (!units) return { refusal: 'currency_not_supported', reason: `Stripe takes no ${currency}` };
  const minor = new Decimal(amount).times(new Decimal(10).pow(units.exponent));
  if (minor.isInteger() && minor.mod(units.step).isZero()) return { minor: minor.toNumber() };
  const step = new Decimal(units.step).div(new Decimal(10).pow(units.exponent)).toFixed();
  return { refusal: 'invalid_amount', reason: `Stripe takes ${currency} in multiples of ${step}` };
}

/** Decimal text in units of the currency (lower or upper case). Throws for a currency that we never send. */
export function fromStripeAmount(minor: number, currency: string): string {
  const units = unitsOf(currency.toUpperCase());
  if (!units) throw new Error(`Stripe sent an amount in ${currency}`);
  return new Decimal(minor).div(new Decimal(10).pow(units.exponent)).toFixed();
}
