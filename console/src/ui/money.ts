/** An amount in major units, as the API has it, in the currency's own form. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'code' }).format(amount);
