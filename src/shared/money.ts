import { Decimal } from 'decimal.js';

// routing checks amounts and currencies by the same rules
export {
  amountBoundError,
  amountError,
  CURRENCIES,
  currencyDigits,
  currencyError,
  percentError,
} from '@payment-orchestrator/routing/facts/money';

/** Returns the exact decimal text of a JSON amount, for a `numeric` column: `100.1` → `"100.1"`, never `"1e+21"`. */
export const toDecimalText = (amount: number): string => new Decimal(amount).toFixed();

/** Returns a `numeric` column's text as a JSON number. Exact, because amounts have at most 15 significant digits. */
export const toJsonAmount = (decimalText: string): number => Number(decimalText);

/** Returns the exact difference of decimal texts: `("49.90", "10.00")` → `"39.9"`. */
export const subtractAmounts = (from: string, ...amounts: string[]): string =>
  amounts.reduce((left, amount) => left.minus(amount), new Decimal(from)).toFixed();
