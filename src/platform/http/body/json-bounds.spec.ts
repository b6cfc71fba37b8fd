import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { parseJsonBody } from './json-body.js';
import { measure } from './json-bounds.js';
import { findUnsafeValue, MAX_DEPTH, MAX_ITEMS, MAX_KEYS, MAX_KEYS_IN_ALL } from './json-value.js';

const limitErrorOf = (text: string) => measure(Buffer.from(text)).limitError;
const objectOf = (keys: number): string => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join()}}`;

describe('measure', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['an object of too many keys', `{"a":[0,{"b\\"":${objectOf(MAX_KEYS + 1)}}]}`],
    [
      'an array of too many items',
      `{"a":"]","b":[[${Array(MAX_ITEMS + 1)
        .fill('[]')
        .join()}]]}`,
    ],
    ['too many levels', `{"a":[1,${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}]}`],
    [
      'too many keys in all',
      `[${Array(8)
        .fill(objectOf(MAX_KEYS_IN_ALL / 7))
        .join()}]`,
    ],
  ])('reports the same error for %s as findUnsafeValue', (_, text) => {
    expect(limitErrorOf(text)).toBeDefined();
    expect(limitErrorOf(text)).toEqual(findUnsafeValue(JSON.parse(text)));
  });

  it('finds nothing in JSON within the limits, for any texts in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' }), (value) => {
        expect(limitErrorOf(JSON.stringify(value))).toBeUndefined();
      }),
      { numRuns: runs(40) },
    );
    expect(limitErrorOf(JSON.stringify({ a: '\\",[{:'.repeat(MAX_ITEMS) }))).toBeUndefined();
  });

  it('leaves text that is not JSON to the parser', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\') }), (text) => {
        expect(limitErrorOf(text)).toBeUndefined();
      }),
    );
  });

  it.each([
    ['that is not closed', objectOf(MAX_KEYS + 1).slice(0, -1)],
    ['that is closed by another bracket', `${objectOf(MAX_KEYS + 1).slice(0, -1)}]`],
    ['that is complete', objectOf(MAX_KEYS + 1)],
  ])('refuses a large object %s before it is parsed', (_, text) => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => parseJsonBody(Buffer.from(text))).toThrow();
    expect(parse).not.toHaveBeenCalled();
  });
});
