import { isUtf8 } from 'node:buffer';
import { Problem } from '../../../shared/problem.js';
import { measure } from './json-bounds.js';
import { countKeys, findRepeatedKey } from './json-keys.js';
import { findLossyNumber } from './json-numbers.js';
import { findUnsafeValue } from './json-value.js';

/**
 * Finds bodies that need the slow checks. JSON without a match is UTF-8 and holds nothing that `findUnsafeValue` and
 * `findLossyNumber` would find:
 * - Bytes that are not UTF-8 have become the character U+FFFD.
 * - NUL characters, lone surrogates and keys in another spelling need an escape.
 * - A number beyond a double, or between two doubles, has an exponent or 16 digits.
 *
 * JSON beyond the size limits has been refused before.
 */
const MAY_BE_UNSAFE = /\\u|\ufffd|__proto__|constructor|\d(?:[\d.]{15}|[eE][-+\d])/;

/**
 * Parses a request body. Throws `malformed_json` if the body is not JSON text in UTF-8. Throws `validation_failed`,
 * naming the field, for JSON that cannot be stored, is dangerous to handle, would be changed (see `findUnsafeValue`,
 * `findLossyNumber`) or is ambiguous (see `findRepeatedKey`). An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const { value, keys } = parsed(bytes);
  const repeated = countKeys(value) < keys ? findRepeatedKey(bytes) : undefined;
  if (repeated) throw new Problem('validation_failed', { errors: [repeated] });
  return value;
}

/**
 * Same contract as {@link parseJsonBody}, except that the last value of a repeated key counts, as in the providers' own
 * libraries. For bodies signed by a provider: refusing one would lose its news about a payment.
 */
export const parseSignedJson = (bytes: Buffer): unknown => parsed(bytes).value;

/** `keys`: the number of keys in the text. */
function parsed(bytes: Buffer): { value: unknown; keys: number } {
  if (bytes.length === 0) return { value: undefined, keys: 0 };
  const text = bytes.toString('utf8');
  const mayBeUnsafe = MAY_BE_UNSAFE.test(text);
  if (mayBeUnsafe && !isUtf8(bytes)) {
    throw new Problem('malformed_json', { detail: 'the body is not UTF-8' });
  }
  const { limitError, keys } = measure(bytes);
  if (limitError) throw new Problem('validation_failed', { errors: [limitError] });
  const value = parse(text);
  const unsafe = mayBeUnsafe ? (findUnsafeValue(value) ?? findLossyNumber(text)) : undefined;
  if (unsafe) throw new Problem('validation_failed', { errors: [unsafe] });
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

/** V8's message may contain the position, but also parts of the body: only the position is passed on. */
function whereItBroke(text: string, error: unknown): string | undefined {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return undefined;
  const before = text.slice(0, Number(position)).split('\n');
  return `the body is not valid JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
