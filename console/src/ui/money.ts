import { currencyDigits } from './currency-digits';

/** Formats an amount of the API, which is in major units, with all digits of its currency. */
export function money(amount: number, currency: string): string {
  const digits = currencyDigits(currency);
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
