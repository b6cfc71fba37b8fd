import { Decimal } from 'decimal.js';
import { CURRENCIES, currencyDigits, successorOf } from './currencies.js';

export { CURRENCIES, currencyDigits };

/** Twelve integer digits and three decimals: 15 significant digits, which a JSON number (an IEEE double) holds exactly. */
const MAX_AMOUNT = new Decimal('999999999999.999');
const MAX_SIGNIFICANT_DIGITS = 15;

/** Returns why a new payment cannot use `currency`, or `undefined` if it can. */
export function currencyError(currency: unknown): string | undefined {
  if (typeof currency !== 'string') return NO_CURRENCY;
  const successor = successorOf(currency);
  if (successor) return `must be a currency in use: ${currency} was withdrawn, its successor is ${successor}`;
  return currencyDigits(currency) !== undefined ? undefined : NO_CURRENCY;
}

const NO_CURRENCY = 'must be the ISO 4217 code of a currency to pay in, such as USD';

/** Returns why a payment in `currency` cannot have this `amount`, or `undefined` if it can. */
export function amountError(amount: number, currency: string): string | undefined {
  if (!Number.isFinite(amount)) return 'must be a number';
  const decimal = new Decimal(amount);
  if (decimal.lte(0)) return 'must be greater than 0';
  if (decimal.gt(MAX_AMOUNT)) return `must be at most ${MAX_AMOUNT.toFixed()}`;
  const digits = currencyDigits(currency);
  if (digits === undefined) return undefined; // the currency field has its own error
  if (decimal.decimalPlaces() > digits) return `must have at most ${digits} decimals in ${currency}`;
  if (decimal.precision() > MAX_SIGNIFICANT_DIGITS) return `must have at most ${MAX_SIGNIFICANT_DIGITS} digits`;
  return undefined;
}

/** One more than any currency has, so that a bound can be between two adjacent amounts. */
const MAX_DECIMALS = 4;

/** Returns why `amount` cannot be a bound for amounts in any currency, or `undefined` if it can. */
export function amountBoundError(amount: number): string | undefined {
  if (!Number.isFinite(amount)) return 'must be a number';
  const decimal = new Decimal(amount);
  if (decimal.lt(0)) return 'must not be negative';
  if (decimal.gt(MAX_AMOUNT)) return `must be at most ${MAX_AMOUNT.toFixed()}`;
  if (decimal.decimalPlaces() > MAX_DECIMALS) return `must have at most ${MAX_DECIMALS} decimals`;
  if (decimal.precision() > MAX_SIGNIFICANT_DIGITS) return `must have at most ${MAX_SIGNIFICANT_DIGITS} digits`;
  return undefined;
}

/** Returns why `percent` cannot be a share with so many `decimals`, or `undefined` if it can. */
export function percentError(percent: number, decimals = MAX_DECIMALS): string | undefined {
  if (!(percent >= 0 && percent <= 100)) return 'must be from 0 to 100';
  return new Decimal(percent).decimalPlaces() > decimals ? `must have at most ${decimals} decimals` : undefined;
}
