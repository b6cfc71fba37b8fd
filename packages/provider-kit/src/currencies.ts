import currencyCodes from 'currency-codes';

/** Minor-unit digits of ISO 4217. XCG is later than the library's list. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ['XCG', 2],
  ...currencyCodes.data.map(({ code, digits }) => [code, digits] as const),
]);

/** The codes of ISO 4217, also those that no payment of the service has. */
export const CURRENCIES: readonly string[] = [...DIGITS.keys()];

/** Minor-unit digits by ISO 4217: `USD` 2, `JPY` 0, `BHD` 3; `undefined` for anything else. */
export const currencyDigits = (currency: string): number | undefined => DIGITS.get(currency);
