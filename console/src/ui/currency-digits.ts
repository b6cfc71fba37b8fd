/**
 * Minor-unit digits of currencies for which browsers follow common use and the API follows ISO 4217, for example cents of
 * the Hungarian forint.
 */
const ISO_DIGITS: Readonly<Record<string, number>> = {
  ...{ AFN: 2, ALL: 2, COP: 2, HUF: 2, IDR: 2, IQD: 3, IRR: 2, KPW: 2 },
  ...{ LAK: 2, LBP: 2, MGA: 2, MMK: 2, PKR: 2, SOS: 2, SYP: 2, YER: 2 },
};

/** Minor-unit digits of a currency, as the API counts them: `USD` 2, `JPY` 0, `BHD` 3. */
export const currencyDigits = (currency: string): number =>
  ISO_DIGITS[currency] ??
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
  2;
