import { toMinorAmount } from '@payment-orchestrator/provider-kit';
import type { Money } from './documents.js';

/** https://developer.paypal.com/reference/currency-codes/: all have two decimal places, except HUF, JPY and TWD. */
export const PAYPAL_CURRENCIES: readonly string[] =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' ');
const WITHOUT_PLACES: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);

const placesOf = (currency: string): number => (WITHOUT_PLACES.has(currency) ? 0 : 2);

/** PayPal takes decimal text with all places of the currency. */
export function toMoney(amount: string, currency: string): { value: Money } | { refusal: string; reason: string } {
  const exponent = placesOf(currency);
  const units = PAYPAL_CURRENCIES.includes(currency) ? { exponent, step: 1 } : undefined;
  const converted = toMinorAmount(amount, currency, units, 'PayPal');
  if ('refusal' in converted) return converted;
  return { value: moneyOf(converted.minor, currency) };
}

export function moneyOf(minor: number, currency: string): Money {
  const places = placesOf(currency);
  return { currency_code: currency, value: (minor / 10 ** places).toFixed(places) };
}

/** Counts in the smallest unit of the currency. */
export const minorOf = ({ currency_code: currency, value }: Money): number =>
  Math.round(Number(value) * 10 ** placesOf(currency));
