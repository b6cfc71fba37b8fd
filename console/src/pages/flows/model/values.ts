import { METADATA_PREFIX } from './condition-tests';

/**
 * Converts values of definitions to typed text and back. A text that does not fit the field's type stays a text: the API then
 * reports the error at the field.
 */
export type Typed = string | number | boolean | null;

/** `undefined` for an empty text. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

/** Fields whose values are in lower case; codes of currencies and countries are in upper case. */
const LOWER_CASE = ['card.scheme', 'card.funding'];

/** The value of a test. A metadata value that is valid JSON is parsed: `12` is a number, `"12"` is a text. */
export function valueOf(field: string, text: string): Typed {
  const trimmed = text.trim();
  if (field === 'amount' || field === 'customer_id') return numberOf(text) ?? '';
  if (field.startsWith(METADATA_PREFIX)) return scalarOf(trimmed);
  if (field === 'payment_method.type') return trimmed;
  return LOWER_CASE.includes(field) ? trimmed.toLowerCase() : trimmed.toUpperCase();
}

export function textOf(field: string, value: unknown): string {
  if (!field.startsWith(METADATA_PREFIX) || typeof value !== 'string') return plain(value);
  // quoted if it would be parsed as another type
  const isPlain = scalarOf(value) === value && !/[,\n]/.test(value) && value.trim() === value;
  return isPlain ? value : JSON.stringify(value);
}

/** Parses a list that is separated by commas; a comma within quotation marks belongs to the value. */
export const listOf = (field: string, text: string): Typed[] =>
  (text.match(/\s*"(?:[^"\\]|\\.)*"\s*(?=[,\n]|$)|[^,\n]+/g) ?? [])
    .filter((part) => part.trim() !== '')
    .map((part) => valueOf(field, part));

export const textOfList = (field: string, values: unknown): string =>
  Array.isArray(values) ? values.map((value) => textOf(field, value)).join(', ') : textOf(field, values);

/** Parses the codes of a shop's conditions; `undefined` for an empty text, which means any code. */
export function codesOf(text: string): string[] | undefined {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  return codes.length === 0 ? undefined : codes;
}

const plain = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function scalarOf(text: string): Typed {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : (value as Typed);
  } catch {
    return text;
  }
}
