import {
  CURRENCIES,
  currencyDigits,
  fromMinorAmount,
  type MinorAmount,
  type MinorUnits,
  toMinorAmount,
} from '@payment-orchestrator/provider-kit';

// https://www.checkout.com/docs/resources/calculating-the-amount
const WHOLE_UNITS = new Set('BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
/** The last of the three decimals must be 0. */
const THOUSANDTHS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const MAX_MINOR = 999_999_999;

function unitsOf(currency: string): MinorUnits | undefined {
  if (WHOLE_UNITS.has(currency)) return { exponent: 0, step: 1 };
  if (THOUSANDTHS.has(currency)) return { exponent: 3, step: 10 };
  if (currency === 'CLP') return { exponent: 2, step: 100 };
  return currencyDigits(currency) === 2 ? { exponent: 2, step: 1 } : undefined;
}

/** Our currencies in which Checkout.com takes charges. */
export const CHECKOUT_CURRENCIES: readonly string[] = CURRENCIES.filter((currency) => unitsOf(currency) !== undefined);

export function toCheckoutAmount(amount: string, currency: string): MinorAmount {
  const converted = toMinorAmount(amount, currency, unitsOf(currency), 'Checkout.com');
  if ('refusal' in converted || converted.minor <= MAX_MINOR) return converted;
  return { refusal: 'invalid_amount', reason: 'Checkout.com accepts at most nine digits' };
}

/** Decimal text; the minor units themselves for a currency that we never send, so they equal no amount of ours. */
export function fromCheckoutAmount(minor: number, currency: string): string {
  const units = unitsOf(currency);
  return units ? fromMinorAmount(minor, units) : String(minor);
}
