import { currencyDigits } from './currency-digits';

/** The largest amount of the API, with at most three decimals. */
const MAX_AMOUNT = 999_999_999_999.999;

/** An amount of the API as the text of a field, with all digits of its currency: `49.9` EUR → `49.90`. */
export const amountText = (amount: number, currency: string): string => amount.toFixed(currencyDigits(currency));

/** The difference of two amounts of the API, without the rounding errors of binary fractions. */
export const difference = (from: number, amount: number, currency: string): number =>
  Number((from - amount).toFixed(currencyDigits(currency)));

/** Why the text of a field is no amount in this currency, in the API's words; `undefined`: it is one. */
export function amountProblem(text: string, currency: string): string | undefined {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return 'must be a number';
  const amount = Number(text);
  if (amount <= 0) return 'must be greater than 0';
  if (amount > MAX_AMOUNT) return `must be at most ${MAX_AMOUNT}`;
  const digits = currencyDigits(currency);
  const decimals = fraction.replace(/0+$/, '').length;
  return decimals > digits ? `must have at most ${digits} decimals in ${currency}` : undefined;
}
