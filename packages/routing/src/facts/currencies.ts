// The currencies of ISO 4217: no I/O, also for browsers.
import currencyCodes from 'currency-codes';

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

/** The currency that replaced a withdrawn one; `undefined`: it was not withdrawn. */
export const successorOf = (currency: string): string | undefined => SUCCESSORS.get(currency);
