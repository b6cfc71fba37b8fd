import { METADATA_PREFIX } from './condition-tests';

/**
 * Values of definitions as text that is typed, and back. What cannot be read as the field's type stays text: the API then
 * says what is wrong, at the field.
 */
export type Typed = string | number | boolean | null;

/** `undefined`: left out. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

/** What a test of the field is compared with. Of metadata, what reads as JSON is no text: `12` is a number, `"12"` is text. */
export function valueOf(field: string, text: string): Typed {
  const trimmed = text.trim();
  if (field === 'amount' || field === 'customer_id') return numberOf(text) ?? '';
  if (field.startsWith(METADATA_PREFIX)) return scalarOf(trimmed);
  return trimmed.toUpperCase();
}

export function textOf(field: string, value: unknown): string {
  if (!field.startsWith(METADATA_PREFIX) || typeof value !== 'string') return plain(value);
  // quoted where it would be read as something else
  const isPlain = scalarOf(value) === value && !/[,\n]/.test(value) && value.trim() === value;
  return isPlain ? value : JSON.stringify(value);
}

/** Separated by commas; a comma within quotation marks is part of a value. */
export const listOf = (field: string, text: string): Typed[] =>
  (text.match(/\s*"(?:[^"\\]|\\.)*"\s*(?=[,\n]|$)|[^,\n]+/g) ?? [])
    .filter((part) => part.trim() !== '')
    .map((part) => valueOf(field, part));

export const textOfList = (field: string, values: unknown): string =>
  Array.isArray(values) ? values.map((value) => textOf(field, value)).join(', ') : textOf(field, values);

/** Codes as shops' conditions have them; `undefined`: none, which takes any. */
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
