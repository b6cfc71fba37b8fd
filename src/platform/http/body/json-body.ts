import { isUtf8 } from 'node:buffer';
import { Problem } from '../../../shared/problem.js';
import { findExcess } from './json-bounds.js';
import { findInexact } from './json-numbers.js';
import { findUnusable, MAX_ITEMS, MAX_KEYS } from './json-value.js';

/**
 * Without any of these, bytes that are JSON are UTF-8 and hold nothing that `findUnusable` and `findInexact` would find:
 * what is no UTF-8 has become the character U+FFFD; NUL characters and lone surrogates only come by an escape, as does a key
 * that is written in another way; a number beyond a double, or between two, has an exponent or 16 digits. What is too
 * large for its bounds is found before.
 */
const MAY_BE_UNUSABLE = /\\u|\ufffd|__proto__|constructor|\d(?:[\d.]{15}|[eE][-+\d])/;

/** A shorter body without an object or array in another has fewer keys and items than the bounds of `findExcess`. */
const SHORT_BODY = Math.min(MAX_KEYS, MAX_ITEMS);

/**
 * Parses a request body. Throws `malformed_json` for what is no JSON text in UTF-8, and `validation_failed` naming the
 * field for JSON that cannot be stored, is dangerous to handle or would come back changed (see `findUnusable`,
 * `findInexact`). An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  const mayBeUnusable = MAY_BE_UNUSABLE.test(text);
  if (mayBeUnusable && !isUtf8(bytes)) {
    throw new Problem('malformed_json', { detail: 'the body is not UTF-8' });
  }
  const excess = isShortAndFlat(text) ? undefined : findExcess(bytes);
  if (excess) throw new Problem('validation_failed', { errors: [excess] });
  const value = parse(text);
  const unusable = mayBeUnusable ? (findUnusable(value) ?? findInexact(text)) : undefined;
  if (unusable) throw new Problem('validation_failed', { errors: [unusable] });
  return value;
}

const isShortAndFlat = (text: string): boolean =>
  text.length < SHORT_BODY && text.indexOf('{', 1) < 0 && text.indexOf('[', 1) < 0;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = whereItBroke(text, cause);
    throw new Problem('malformed_json', { ...(where !== undefined && { detail: where }), cause });
  }
}

/** V8's message may name the position, but also repeats parts of the body: only the position is passed on. */
function whereItBroke(text: string, error: unknown): string | undefined {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return undefined;
  const before = text.slice(0, Number(position)).split('\n');
  return `the body stops being JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
