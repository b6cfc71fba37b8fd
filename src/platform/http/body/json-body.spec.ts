import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { parseJsonBody, parseSignedJson } from './json-body.js';
import { findLossyNumber } from './json-numbers.js';
import { findUnsafeValue } from './json-value.js';

/** JSON.stringify escapes only NUL and lone surrogates in this form. */
const UNSTORABLE = /(?<!\\)(\\\\)*\\u(0000|d[89a-f])|"__proto__":/i;
const isStorable = (value: unknown): boolean => !UNSTORABLE.test(JSON.stringify(value));

describe('parseJsonBody', () => {
  it('returns every value that was serialised, except values that cannot be stored', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' }), (value) => {
        const parse = () => parseJsonBody(Buffer.from(JSON.stringify(value)));
        if (isStorable(value)) expect(parse()).toEqual(JSON.parse(JSON.stringify(value)));
        else expect(parse).toThrow();
      }),
      { numRuns: runs(40) },
    );
  });

  it('throws nothing but problems, for any bytes', () => {
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

  it.each([
    ['{"a":"\\u0000"}', 'a'],
    ['{"a":["\\ud800"]}', 'a[0]'],
    ['{"a":{"__proto__":1}}', 'a'],
    ['{"a":{"\\u005f_proto__":1}}', 'a'],
    ['{"a":{"constructor":{"prototype":1}}}', 'a'],
    ['{"a":1e400}', 'a'],
    [`{"a":${'9'.repeat(400)}}`, 'a'],
    ['{"a":0.1234567890123456789}', 'a'],
  ])('names the path in %s', (text, field) => {
    const problem = { code: 'validation_failed', errors: [expect.objectContaining({ field })] };
    expect(() => parseJsonBody(Buffer.from(text))).toThrow(expect.objectContaining(problem));
  });

  it.each([
    ['levels in a short body', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['levels in a body that ends early', '{"a":'.repeat(33)],
    ['keys in a flat body', JSON.stringify(Object.fromEntries(Array.from({ length: 3_001 }, (_, i) => [i, 0])))],
    ['keys without names', `{${'"":0,'.repeat(3_000)}"":0}`],
    ['items in a flat body', `[${'0,'.repeat(8_192)}0]`],
  ])('refuses too many %s', (_what, text) => {
    expect(() => parseJsonBody(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });

  it('refuses a body that is not UTF-8, and accepts the replacement character', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      expect.objectContaining({ code: 'malformed_json', detail: 'the body is not UTF-8' }),
    );
    expect(parseJsonBody(Buffer.from('"\ufffd"'))).toBe('\ufffd');
  });

  it('returns undefined for an empty body', () => {
    expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
  });
});

const REPEATED: [text: string, field: string][] = [
  ['{"amount":1,"amount":1}', 'amount'],
  ['{"amount":1,"\\u0061mount":2}', 'amount'],
  ['{"\\u0061mount":1,"b":":","amount" \n:2}', 'amount'],
  ['{"customer":{"email":"a","name":"b","email":"c"}}', 'customer.email'],
  ['{"rules":[{},{"when":{"a":1,"b":[],"a":2}}]}', 'rules[1].when.a'],
  ['[{"a":{},"a":{"a":1}}]', '[0].a'],
  ['{"a":{"x":1},"a":{"y":{"z":1,"z":1}}}', 'a'],
  ['{"a":{"z":1,"z":1},"b":{}}', 'a.z'],
  ['{"":1,"":2}', 'body'],
  ['{"1":1,"0":1,"1":2}', '1'],
  ['{"constructor":1,"constructor":2}', 'constructor'],
  ['{"toString":null,"toString":{}}', 'toString'],
  ['{"\\"":1,"\\u0022":2}', '"'],
  ['{"a\\\\":1,"a\\u005c":2}', 'a\\'],
  ['{"😀":1,"\\ud83d\\ude00":2}', '😀'],
  [`{"long":"${'x'.repeat(100_000)}","a":[{"a":1}],"a":1}`, 'a'],
];

describe('A repeated key in an object', () => {
  it.each(REPEATED)('makes parseJsonBody refuse the body and name the path: %#', (text, field) => {
    const error = { field, message: 'must come only once: its object has this key twice' };
    expect(() => parseJsonBody(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors: [error] }),
    );
  });

  it.each([
    ['{"a":{"4111 1111 1111 1111":1,"4111 1111 1111 1111":2}}', 'a'],
    ['{"a":{"x4111111111111111":{"b":[1e400]}}}', 'a'],
    ['{"4111111111111111":{"b":"\\u0000"}}', 'body'],
  ])('in a body with a card number as a key names only the path before it: %#', (text, field) => {
    expect(() => parseJsonBody(Buffer.from(text))).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ field, message: expect.any(String) as unknown }],
      }),
    );
  });

  it.each(REPEATED)('keeps its last value with parseSignedJson: %#', (text) => {
    expect(parseSignedJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]', '{"a":"a\\":1,\\"a","A":":","a ":"\\"a\\":"}'])(
    'differs from equal keys in different objects, which parseJsonBody accepts: %s',
    (text) => {
      expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
    },
  );

  it('makes parseJsonBody refuse the body at any place in any object', () => {
    const objects = fc.dictionary(fc.string({ unit: 'binary' }).filter(isStorable), fc.jsonValue({ maxDepth: 3 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(objects.filter(isStorable), fc.nat(), (object, seed) => {
        const keys = Object.keys(object);
        const key = keys[seed % keys.length]!;
        const text = `{"in":[${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:1}]}`;
        expect(() => parseJsonBody(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'validation_failed' }));
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('findUnsafeValue', () => {
  it.each([
    [{ a: [{ b: '\0' }] }, 'a[0].b'],
    [['ok', '\udc00'], '[1]'],
    [{ a: { b: Infinity } }, 'a.b'],
    [JSON.parse('{"a":{"__proto__":1}}'), 'a'],
    ['\0', 'body'],
  ])('names the path in %j', (value: unknown, field) => {
    expect(findUnsafeValue(value)?.field).toBe(field);
  });

  it.each<[unknown]>([[null], [true], [0], ['é😀'], [{ constructor: 'a name' }], [[[]]], [{}]])(
    'accepts %j',
    (value) => {
      expect(findUnsafeValue(value)).toBeUndefined();
    },
  );
});

/** The value of the text that JavaScript writes for a large double, which may be less exact than the double. */
function writtenValue(integer: number): bigint {
  const [digits, exponent = '0'] = String(integer).split('e');
  const [whole, fraction = ''] = digits!.split('.');
  return BigInt(whole! + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

describe('findLossyNumber', () => {
  it.each([
    ['{"a":{"b":[1,12345678901234567890]}}', 'a.b[1]'],
    ['{"a":9007199254740993}', 'a'],
    ['[0.1234567890123456789]', '[0]'],
    ['{"a":"1e400","b":1e-400}', 'b'],
    ['{"a":[{"\\"k":1.00000000000000001}]}', 'a[0]."k'],
    ['-100000000000000000001', 'body'],
  ])('names the path in %s', (text, field) => {
    expect(findLossyNumber(text)?.field).toBe(field);
    expect(() => parseJsonBody(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });

  it.each(['{"a":1.50e+2,"b":[100000000000000000000,0.10000000000000000000,-0.0,0e999]}', '["12345678901234567890"]'])(
    'accepts %s',
    (text) => {
      expect(findLossyNumber(text)).toBeUndefined();
    },
  );

  it('accepts exactly the numbers that JavaScript writes for a double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(findLossyNumber(JSON.stringify({ number }))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (integer) => {
        expect(findLossyNumber(`{"a":${integer}}`) === undefined).toBe(writtenValue(Number(integer)) === integer);
      }),
    );
  });
});
