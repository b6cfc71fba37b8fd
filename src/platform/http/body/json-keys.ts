import type { FieldError } from '../../../shared/problem.js';
import type { Container } from './json-bounds.js';
import { tokensOf } from './json-tokens.js';
import { refuse } from './json-value.js';

/** Number of keys in all objects of a parsed value: fewer than in its text if a key is repeated in an object. */
export function countKeys(value: unknown): number {
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') keys += countKeys(item);
    return keys;
  }
  // a parsed object inherits nothing enumerable, so `in` is safe: it takes a third of the time of Object.values
  for (const key in value as object) {
    keys += 1;
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object') keys += countKeys(member);
  }
  return keys;
}

/**
 * The first key of a JSON text that its object already has, in any spelling: `"amount"` is `"\u0061mount"`. Parsers
 * differ in which of the two counts (RFC 8259 §4). `undefined`: there is none.
 */
export function findRepeatedKey(bytes: Buffer): FieldError | undefined {
  const keysOf = new Map<Container, Set<unknown>>();
  for (const { kind, text, container, path } of tokensOf(bytes)) {
    if (kind !== 'key') continue;
    const key: unknown = JSON.parse(text);
    const known = keysOf.get(container!) ?? new Set();
    if (known.has(key)) return refuse(path(), 'must come only once: its object has this key twice');
    keysOf.set(container!, known.add(key));
  }
  return undefined;
}
