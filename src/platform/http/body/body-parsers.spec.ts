import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from './body-parsers.js';
import { findUnusable } from './json-value.js';

/** JSON.stringify writes NUL and lone surrogates, and nothing else like them, as escapes. */
const UNSTORABLE = /(?<!\\)(\\\\)*\\u(0000|d[89a-f])|"__proto__":/i;
const isStorable = (value: unknown): boolean => !UNSTORABLE.test(JSON.stringify(value));

describe('parseJsonBody', () => {
  it('gives back what was serialised, but for what cannot be stored', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' }), (value) => {
        const parse = () => parseJsonBody(Buffer.from(JSON.stringify(value)));
        if (isStorable(value)) expect(parse()).toEqual(JSON.parse(JSON.stringify(value)));
        else expect(parse).toThrow();
      }),
    );
  });

  it('never throws anything but a problem, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          parseJsonBody(Buffer.from(bytes));
        } catch (error) {
          expect((error as Error).name).toBe('Problem');
        }
      }),
    );
  });

  it('takes an empty body as none', () => {
    expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
  });
});

describe('findUnusable', () => {
  it.each([
    [{ a: [{ b: '\0' }] }, 'a[0].b'],
    [['ok', '\udc00'], '[1]'],
    [{ a: { b: Infinity } }, 'a.b'],
    [JSON.parse('{"a":{"__proto__":1}}'), 'a'],
    ['\0', 'body'],
  ])('names the place in %j', (value: unknown, field) => {
    expect(findUnusable(value)?.field).toBe(field);
  });

  it.each<[unknown]>([[null], [true], [0], ['é😀'], [{ constructor: 'a name' }], [[[]]], [{}]])('takes %j', (value) => {
    expect(findUnusable(value)).toBeUndefined();
  });
});
