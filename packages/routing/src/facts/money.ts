import currencyCodes from 'currency-codes';
import { Decimal } from 'decimal.js';

/** Currencies added to ISO 4217 after the library's list of 2024-06-25. Source: ISO 4217 amendments 176 to 180. */
const LATER_CURRENCIES: ReadonlyMap<string, number> = new Map([['XCG', 2]]);

/**
 * ISO 4217 codes that no customer can pay in: precious metals, bond market units, units of account, funds codes, the test
 * code and the code for no currency. Source: ISO 4217 list one (codes that begin with X) and list two (funds).
 */
const NOT_FOR_PAYMENTS: ReadonlySet<string> = new Set([
  ...['XAU', 'XAG', 'XPT', 'XPD'],
  ...['XBA', 'XBB', 'XBC', 'XBD'],
  ...['XAD', 'XDR', 'XSU', 'XUA'],
  ...['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW'],
  ...['XTS', 'XXX'],
]);

/**
 * Currencies that ISO 4217 has withdrawn since 2000, by their successor. Source: ISO 4217 list three as of amendment 180
 * (2026-01-01), compared with CLDR 48.2.
 */
const WITHDRAWN_FOR = {
  AFN: ['AFA'],
  AZN: ['AZM'],
  BYN: ['BYR'],
  CUP: ['CUC'],
  EUR: [
    ...['ATS', 'BEF', 'DEM', 'ESP', 'FIM', 'FRF', 'GRD', 'IEP', 'ITL', 'LUF', 'NLG', 'PTE'],
    ...['SIT', 'CYP', 'MTL', 'SKK', 'EEK', 'LVL', 'LTL', 'HRK', 'BGN'],
  ],
  GHS: ['GHC'],
  MGA: ['MGF'],
  MRU: ['MRO'],
  MZN: ['MZM'],
  RON: ['ROL'],
  RSD: ['YUM', 'CSD'],
  RUB: ['RUR'],
  SDG: ['SDD'],
  SLE: ['SLL'],
  SRD: ['SRG'],
  STN: ['STD'],
  TMT: ['TMM'],
  TRY: ['TRL'],
  VES: ['VEB', 'VEF'],
  XCG: ['ANG'],
  ZMW: ['ZMK'],
  ZWG: ['ZWD', 'ZWN', 'ZWR', 'ZWL'],
};
const SUCCESSORS: ReadonlyMap<string, string> = new Map(
  Object.entries(WITHDRAWN_FOR).flatMap(([successor, codes]) => codes.map((code) => [code, successor] as const)),
);

/** Twelve integer digits and three decimals: 15 significant digits, which a JSON number (an IEEE double) holds exactly. */
const MAX_AMOUNT = new Decimal('999999999999.999');
const MAX_SIGNIFICANT_DIGITS = 15;

const isForPayments = (code: string): boolean => !NOT_FOR_PAYMENTS.has(code);

/** ISO 4217 codes that a new payment can use. */
export const CURRENCIES: readonly string[] = [...LATER_CURRENCIES.keys(), ...currencyCodes.codes()].filter(
  (code) => isForPayments(code) && !SUCCESSORS.has(code),
);

/** Minor-unit digits. Includes withdrawn currencies, because old payments in them can still be refunded. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...LATER_CURRENCIES,
  ...currencyCodes.data.filter(({ code }) => isForPayments(code)).map(({ code, digits }) => [code, digits] as const),
]);

/**
 * Returns the minor-unit digits of a currency (`USD` 2, `JPY` 0, `BHD` 3): one of `CURRENCIES`, or one that was withdrawn.
 * Returns `undefined` for anything else.
 */
export const currencyDigits = (currency: string): number | undefined => DIGITS.get(currency);

/** Returns why a new payment cannot use `currency`, or `undefined` if it can. */
export function currencyError(currency: unknown): string | undefined {
  if (typeof currency !== 'string') return NO_CURRENCY;
  const successor = SUCCESSORS.get(currency);
  if (successor) return `must be a currency in use: ${currency} was withdrawn, its successor is ${successor}`;
  return DIGITS.has(currency) ? undefined : NO_CURRENCY;
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
