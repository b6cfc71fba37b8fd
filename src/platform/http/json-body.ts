import { isUtf8 } from 'node:buffer';
import { Problem } from '../../shared/problem.js';
import { findUnusable } from './json-value.js';

/**
 * Parses a request body. Throws `malformed_json` for what is no JSON text in UTF-8, and `validation_failed` naming the
 * field for JSON that cannot be stored or is dangerous to handle (see `findUnusable`). An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Problem('malformed_json', { detail: 'the body is not UTF-8' });
  const value = parse(bytes.toString('utf8'));
  const unusable = findUnusable(value);
  if (unusable) throw new Problem('validation_failed', { errors: [unusable] });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('malformed_json', { detail: whereItBroke(text, cause), cause });
  }
}

/** V8's message names the position, but also repeats parts of the body: only the position is passed on. */
function whereItBroke(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return 'the body ends before the JSON does, or is no JSON at all';
  const before = text.slice(0, Number(position)).split('\n');
  return `the body stops being JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
