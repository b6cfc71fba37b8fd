/** The readings of a text that a person types to find payments. */
export interface SearchReadings {
  /** In lower case. */
  text: string;
  /** Decimal texts: `1,240` may be one or a thousand. */
  amounts: string[];
  currency?: string;
  /** The last digits of a card. */
  last4?: string;
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD' };
const CURRENCY = '[A-Za-z]{3}|[€£$]';
const AMOUNT = new RegExp(`^(${CURRENCY})?\\s*(\\d[\\d.,']{0,18})\\s*(${CURRENCY})?$`);

/** Reads a text as a part of a value, an amount in any notation, with or without its currency, and the digits of a card. */
export function readSearch(given: string): SearchReadings {
  const text = given.trim();
  const [, before, number, after] = AMOUNT.exec(text) ?? [];
  const currency = before ?? after;
  return {
    text: text.toLowerCase(),
    amounts: number === undefined ? [] : amountsIn(number),
    ...(currency !== undefined && { currency: SYMBOLS[currency] ?? currency.toUpperCase() }),
    ...(/^\d{4}$/.test(text) && { last4: text }),
  };
}

/** The last separator divides decimals, unless it groups thousands. */
function amountsIn(number: string): string[] {
  const [, whole = '', decimals] = /^(.*?)(?:[.,](\d{1,4}))?$/.exec(number) ?? [];
  const digits = whole.replaceAll(/[.,']/g, '');
  if (digits === '') return [];
  const isGroup = decimals?.length === 3;
  return [
    ...(decimals === undefined ? [digits] : [`${digits}.${decimals}`]),
    ...(isGroup ? [`${digits}${decimals}`] : []),
  ];
}
