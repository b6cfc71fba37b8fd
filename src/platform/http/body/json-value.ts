import { hasCardNumber } from '../../../shared/card-number.js';
import type { FieldError } from '../../../shared/problem.js';

/** Deepest nesting of objects and arrays in a request body. */
export const MAX_DEPTH = 32;
/** The most that fits into 16 KiB of metadata, the largest free-form field. */
export const MAX_KEYS = 3_000;
export const MAX_ITEMS = 8_192;
/** Twice the keys of a flow with 300 shops and 100 rules with all their conditions. */
export const MAX_KEYS_IN_ALL = 20_000;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The first place in a parsed JSON value that cannot be stored or is dangerous to handle; `undefined`: there is none.
 * One pass, before any other code uses the value. It finds:
 * - NUL characters and lone surrogates, which PostgreSQL does not accept
 * - numbers beyond a double
 * - keys that reach an object's prototype
 * - more levels, keys or array items than any documented body has
 *
 * Why not `secure-json-parse`: it only looks for prototypes.
 */
export const findUnsafeValue = (value: unknown): FieldError | undefined => check(value, '', 0, { keys: 0 });

/** Number of keys in the objects so far. */
interface Seen {
  keys: number;
}

function check(value: unknown, path: string, depth: number, seen: Seen): FieldError | undefined {
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : refuse(path, 'must be a number below 1.8e308');
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return refuse(path, `may have at most ${MAX_DEPTH} levels of nesting`);
  return Array.isArray(value) ? checkItems(value, path, depth, seen) : checkMembers(value, path, depth, seen);
}

function checkItems(items: unknown[], path: string, depth: number, seen: Seen): FieldError | undefined {
  if (items.length > MAX_ITEMS) return refuse(path, `may have at most ${MAX_ITEMS} items, got ${items.length}`);
  for (const [index, item] of items.entries()) {
    const found = isSafe(item) ? undefined : check(item, `${path}[${index}]`, depth + 1, seen);
    if (found) return found;
  }
  return undefined;
}

function checkMembers(members: object, path: string, depth: number, seen: Seen): FieldError | undefined {
  const entries = Object.entries(members);
  if (entries.length > MAX_KEYS) return refuse(path, `may have at most ${MAX_KEYS} keys, got ${entries.length}`);
  seen.keys += entries.length;
  if (seen.keys > MAX_KEYS_IN_ALL) return refuse('', `may have at most ${MAX_KEYS_IN_ALL} keys in all its objects`);
  for (const [key, value] of entries) {
    if (isUnsafeKey(key, value)) return refuse(path, 'has a key that is not allowed');
    const found = isSafe(value) ? undefined : check(value, path === '' ? key : `${path}.${key}`, depth + 1, seen);
    if (found) return found;
  }
  return undefined;
}

/** Avoids building a path for the values of most fields. */
const isSafe = (value: unknown): boolean =>
  typeof value === 'boolean' || value === null || (typeof value === 'number' && Number.isFinite(value));

const isUnsafeKey = (key: string, value: unknown): boolean =>
  key === '__proto__' || (key === 'constructor' && hasPrototype(value)) || checkText(key, '') !== undefined;

const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');

function checkText(text: string, path: string): FieldError | undefined {
  if (text.includes('\0')) return refuse(path, 'must not contain NUL characters');
  return LONE_SURROGATE.test(text) ? refuse(path, 'must not contain lone surrogates') : undefined;
}

/** `path`: empty for the body itself. It ends before a key with a card number, because answers repeat it. */
export function refuse(path: string, message: string): FieldError {
  const keys = path.split('.');
  const withNumber = keys.findIndex(hasCardNumber);
  const shown = withNumber === -1 ? path : keys.slice(0, withNumber).join('.');
  return { field: shown === '' ? 'body' : shown, message };
}
