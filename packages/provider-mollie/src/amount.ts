import { toMinorAmount } from '@payment-orchestrator/provider-kit';
import type { Amount } from './documents.js';

/** https://docs.mollie.com/docs/multicurrency: all have two decimal places, except ISK and JPY. */
const TWO_PLACES =
  'AED AUD BGN BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR';
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...TWO_PLACES.split(' ').map((currency) => [currency, 2] as const),
  ['ISK', 0],
  ['JPY', 0],
]);
export const MOLLIE_CURRENCIES: readonly string[] = [...EXPONENTS.keys()];

/** Mollie takes decimal text with all places of the currency. */
export function toMollieAmount(
  amount: string,
  currency: string,
): { value: Amount } | { refusal: string; reason: string } {
  const exponent = EXPONENTS.get(currency);
  const units = exponent === undefined ? undefined : { exponent, step: 1 };
  const converted = toMinorAmount(amount, currency, units, 'Mollie');
  if ('refusal' in converted) return converted;
  return { value: amountOf(converted.minor, currency) };
}

/** Counts in the smallest unit of the currency. */
export const minorOf = ({ value }: Amount): number => Number(value.replace('.', ''));

export function amountOf(minor: number, currency: string): Amount {
  const exponent = EXPONENTS.get(currency) ?? 2;
  return { currency, value: (minor / 10 ** exponent).toFixed(exponent) };
}
