import type { SegmentField } from '../facts/segment.js';

const countries = new Intl.DisplayNames('en', { type: 'region' });
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 15 });
const percents = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const ands = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const ors = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** More values than this are counted: a list may contain a thousand. */
const MAX_LISTED = 12;

export const andOf = (texts: readonly string[]): string => ands.format(shortened(texts));
export const orOf = (texts: readonly string[]): string => ors.format(shortened(texts));

const shortened = (texts: readonly string[]): readonly string[] =>
  texts.length <= MAX_LISTED ? texts : [...texts.slice(0, MAX_LISTED - 1), `${texts.length - MAX_LISTED + 1} others`];

export const numberWords = (value: unknown): string =>
  typeof value === 'number' ? numbers.format(value) : String(value);

/** A share of 1, with one decimal. */
export const shareWords = (share: number): string => `${percents.format(share * 100)} %`;

/** Countries whose names take “the” inside a sentence. */
const WITH_ARTICLE = 'AE BS CF CK DO FK FO GB GM IM IO KM KY MH MP MV NL PH SB TC UM US VG VI'.split(' ');

/** Text that is no code, in a draft for example, stays as it is. */
export function countryWords(value: unknown): string {
  const code = String(value);
  const name = /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
  return WITH_ARTICLE.includes(code) ? `the ${name}` : name;
}

/** The plural, as in “in euros”. Text that is no code stays as it is. */
export function currencyWords(value: unknown): string {
  const currency = String(value);
  if (!/^[A-Z]{3}$/.test(currency)) return currency;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}

const SCHEMES: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  maestro: 'Maestro',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** The name of a card scheme; an unknown one stays as it is. */
export const schemeWords = (scheme: unknown): string => SCHEMES[String(scheme)] ?? String(scheme);

const SEGMENTS: Readonly<Record<SegmentField, string>> = {
  currency: 'currency',
  country: 'country',
  'card.scheme': 'card scheme',
  'card.funding': 'kind of card',
  'card.issuer_country': 'issuer country',
  'card.bin': 'first digits of the card',
};

/** The name of a field; one without a name stays as it is. */
export const segmentWords = (field: string): string => SEGMENTS[field as SegmentField] ?? field;

/** With a capital and a full stop. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
