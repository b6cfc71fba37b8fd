import { isUtf8 } from 'node:buffer';
import { Problem } from '../../../shared/problem.js';
import { measure } from './json-bounds.js';
import { countKeys, findRepeatedKey } from './json-keys.js';
import { findLossyNumber } from './json-numbers.js';
import { findUnsafeValue } from './json-value.js';

/**
 * Without any of these, bytes that are JSON are UTF-8 and hold nothing that `findUnsafeValue` and `findLossyNumber` would find:
 * what is no UTF-8 has become the character U+FFFD; NUL characters and lone surrogates only come by an escape, as does a key
 * that is written in another way; a number beyond a double, or between two, has an exponent or 16 digits. What is too
 * large for its bounds is found before.
 */
const MAY_BE_UNUSABLE = /\\u|\ufffd|__proto__|constructor|\d(?:[\d.]{15}|[eE][-+\d])/;

/**
 * Parses a request body. Throws `malformed_json` for what is no JSON text in UTF-8, and `validation_failed` naming the
 * field for JSON that cannot be stored, is dangerous to handle, would come back changed (see `findUnsafeValue`,
 * `findLossyNumber`) or can be read in two ways (see `findRepeatedKey`). An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const { value, keys } = parsed(bytes);
  const repeated = countKeys(value) < keys ? findRepeatedKey(bytes) : undefined;
  if (repeated) throw new Problem('validation_failed', { errors: [repeated] });
  return value;
}

/**
 * As `parseJsonBody`, but of a key that comes twice in an object the last one counts, as in the providers' own libraries. For
 * what a provider has signed: to refuse it would lose what it says of a payment.
 */
export const parseSignedJson = (bytes: Buffer): unknown => parsed(bytes).value;

/** `keys`: how many the text has. */
function parsed(bytes: Buffer): { value: unknown; keys: number } {
  if (bytes.length === 0) return { value: undefined, keys: 0 };
  const text = bytes.toString('utf8');
  const mayBeUnusable = MAY_BE_UNUSABLE.test(text);
  if (mayBeUnusable && !isUtf8(bytes)) {
    throw new Problem('malformed_json', { detail: 'the body is not UTF-8' });
  }
  const { limitError, keys } = measure(bytes);
  if (limitError) throw new Problem('validation_failed', { errors: [limitError] });
  const value = parse(text);
  const unusable = mayBeUnusable ? (findUnsafeValue(value) ?? findLossyNumber(text)) : undefined;
  if (unusable) throw new Problem('validation_failed', { errors: [unusable] });
  return { value, keys };
}

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
