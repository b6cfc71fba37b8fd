import type { FieldError } from '../../../shared/problem.js';
import { MAX_DEPTH, MAX_ITEMS, MAX_KEYS, MAX_KEYS_IN_ALL, refuse } from './json-value.js';

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or array that is not yet closed. */
export interface Container {
  isArray: boolean;
  /** Commas in an array, colons in an object. */
  count: number;
  /** In an object, the positions of the last key's quotes. */
  keyFrom: number;
  keyTo: number;
}

/** Facts about a JSON text before it is parsed. */
interface Measured {
  /** The first violation of the limits of `findUnsafeValue`, if any. */
  limitError?: FieldError | undefined;
  /** Number of keys; a repeated key counts twice. */
  keys: number;
}

/**
 * Counts the parts of a JSON text in its bytes, and finds violations of the limits. Parsing 25,000 different keys takes
 * up to a hundred times as long as counting them. It does not check that the text is JSON: the parser does.
 *
 * Why not `secure-json-parse` or a reviver: both run after `JSON.parse`, which takes the time.
 */
export function measure(bytes: Buffer): Measured {
  const open: Container[] = [];
  let keys = 0;
  let [textFrom, textTo] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      [textFrom, textTo] = [at, endOfText(bytes, at)];
      at = textTo;
    } else if (byte === COLON) {
      countKey(open.at(-1), textFrom, textTo);
      keys += 1;
    } else if (byte === COMMA) {
      countItem(open.at(-1));
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (open.length === MAX_DEPTH) {
        return { limitError: refuse(pathOf(bytes, open), `may have at most ${MAX_DEPTH} levels of nesting`), keys };
      }
      open.push({ isArray: byte === OPEN_ARRAY, count: 0, keyFrom: 0, keyTo: 0 });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      const limitError = limitErrorOf(bytes, open);
      if (limitError || open.length === 0) return { limitError, keys };
      open.pop();
    }
  }
  // containers that are still open are not JSON, but must not be parsed at length either
  for (; open.length > 0; open.pop()) {
    const limitError = limitErrorOf(bytes, open);
    if (limitError) return { limitError, keys };
  }
  if (keys <= MAX_KEYS_IN_ALL) return { keys };
  return { limitError: refuse('', `may have at most ${MAX_KEYS_IN_ALL} keys in all its objects`), keys };
}

/** Position of the quote that ends the text which begins at `from`. */
export function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function countKey(inner: Container | undefined, from: number, to: number): void {
  if (!inner || inner.isArray) return;
  inner.count += 1;
  inner.keyFrom = from;
  inner.keyTo = to;
}

function countItem(inner: Container | undefined): void {
  if (inner?.isArray) inner.count += 1;
}

/** Checks the innermost open container. */
function limitErrorOf(bytes: Buffer, open: Container[]): FieldError | undefined {
  const inner = open.at(-1);
  if (!inner) return undefined;
  const { isArray, count } = inner;
  if (isArray && count >= MAX_ITEMS)
    return refuse(pathOf(bytes, open.slice(0, -1)), `may have at most ${MAX_ITEMS} items, got ${count + 1}`);
  if (!isArray && count > MAX_KEYS)
    return refuse(pathOf(bytes, open.slice(0, -1)), `may have at most ${MAX_KEYS} keys, got ${count}`);
  return undefined;
}

export const pathOf = (bytes: Buffer, open: Container[]): string =>
  open.reduce((path, { isArray, count, keyFrom, keyTo }) => {
    if (isArray) return `${path}[${count}]`;
    const key = keyOf(bytes.toString('utf8', keyFrom, keyTo + 1));
    return path === '' ? key : `${path}.${key}`;
  }, '');

function keyOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return '?';
  }
}
