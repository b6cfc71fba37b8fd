import {
  CURRENCIES,
  currencyDigits,
  fromMinorAmount,
  type MinorAmount,
  type MinorUnits,
  toMinorAmount,
} from '@payment-orchestrator/provider-kit';

/**
 * Currencies whose decimals at Adyen differ from ISO 4217
 * (https://docs.adyen.com/development-resources/currency-codes).
 */
const DIFFERENT: ReadonlyMap<string, number> = new Map([
  ['CLP', 2],
  ['CVE', 0],
  ['IDR', 0],
  ['ISK', 2],
]);
/** Adyen lists no currency with four, such as CLF. */
const MAX_DECIMALS = 3;

function unitsOf(currency: string): MinorUnits | undefined {
  const exponent = DIFFERENT.get(currency) ?? currencyDigits(currency);
  return exponent === undefined || exponent > MAX_DECIMALS ? undefined : { exponent, step: 1 };
}

/** Our currencies in which Adyen accepts payments. */
export const ADYEN_CURRENCIES: readonly string[] = CURRENCIES.filter((currency) => unitsOf(currency) !== undefined);

/** Converts to Adyen's minor units, or returns why Adyen does not accept the amount. */
export const toAdyenAmount = (amount: string, currency: string): MinorAmount =>
  toMinorAmount(amount, currency, unitsOf(currency), 'Adyen');

/** Decimal text in units of the currency; `undefined` for a currency that we never send. */
export function fromAdyenAmount(minor: number, currency: string): string | undefined {
  const units = unitsOf(currency);
  return units && fromMinorAmount(minor, units);
}
