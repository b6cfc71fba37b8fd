import fc from 'fast-check';
import { type JsonChange, type JsonNode, JsonObject, RawJson } from './json-text.js';

const MEGABYTE = 1_000_000;
const nested = (levels: number, open: string, close: string): RawJson =>
  new RawJson(open.repeat(levels) + '1' + close.repeat(levels));

/** Replaces fast-check's unit `binary`, which lists every code point to shrink texts: 1.5 s of CPU time. */
const CHARACTER = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code));

/** Names with a meaning in JavaScript, and unusual names. */
const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  '\0',
  '\ud800',
  '0',
  'a.b',
  'a[0]',
  '$where',
  'ключ',
  'k'.repeat(300),
];

const HOSTILE_TEXTS = [
  ...HOSTILE_KEYS,
  'a\0b',
  '\udc00 before',
  'after \ud83d',
  '\u202eright to left',
  '\ufeff',
  '\u2028\u2029',
  ' ',
  'null',
  "'; DROP TABLE payments; --",
  '%s%n{{7*7}}${7*7}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  'http://[::ffff:127.0.0.1]:22/',
  'file:///etc/passwd',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '😀'.repeat(1_000),
  'x'.repeat(MEGABYTE),
];

/** As JSON text: numbers at the limits of doubles, integers and decimals. */
const HOSTILE_NUMBERS = [
  '-0',
  '0',
  '-1',
  '1e308',
  '-1e308',
  '1e309',
  '1e-400',
  '5e-324',
  '0.1',
  '0.30000000000000004',
  '1234567890123456789012345678.901234567890',
  '0.1234567890123456789012345678901234567890',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775808',
  '2147483648',
  '1E2',
  '1.0',
];

const NO_JSON = [
  'NaN',
  'Infinity',
  '01',
  '1.',
  '.5',
  '0x10',
  "'text'",
  'undefined',
  '"\\x00"',
  '"\n"',
  '',
  '[1,]',
  '{',
];

const hostileScalars: fc.Arbitrary<JsonNode> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS).map((text) => new RawJson(text)) },
  { weight: 2, arbitrary: fc.constantFrom<JsonNode>(null, true, false) },
  { weight: 2, arbitrary: fc.string({ unit: CHARACTER, maxLength: 40 }) },
  { weight: 2, arbitrary: fc.double().map((value) => new RawJson(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_JSON).map((text) => new RawJson(text)) },
);

const hostileStructures: fc.Arbitrary<JsonNode> = fc.constantFrom<JsonNode>(
  [],
  new JsonObject([]),
  new JsonObject([['__proto__', new JsonObject([['admin', true]])]]),
  new JsonObject([['constructor', new JsonObject([['prototype', new JsonObject([['admin', true]])]])]]),
  nested(31, '[', ']'),
  nested(100, '{"a":', '}'),
  nested(50_000, '[', ']'),
  Array.from({ length: 5_000 }, () => 0),
  new JsonObject(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index])),
);

export const hostileValues: fc.Arbitrary<JsonNode> = fc.oneof(
  { weight: 5, arbitrary: hostileScalars },
  { weight: 1, arbitrary: hostileStructures },
);

export const hostileChanges: fc.Arbitrary<JsonChange> = fc.oneof(
  { weight: 5, arbitrary: hostileValues.map((value): JsonChange => ({ kind: 'replace', value })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...HOSTILE_KEYS, 'unknown_field'), hostileValues)
      .map(([key, value]): JsonChange => ({ kind: 'add', key, value })),
  },
  { weight: 1, arbitrary: hostileValues.map((value): JsonChange => ({ kind: 'repeat', value })) },
  { weight: 1, arbitrary: fc.constantFrom<JsonChange>({ kind: 'remove' }, { kind: 'wrap' }) },
);

/** Free-form JSON that must be stored unchanged: any text, key and number that PostgreSQL and doubles can represent. */
export const anyMetadata: fc.Arbitrary<JsonNode> = fc.letrec<{ value: JsonNode; object: JsonNode }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: CHARACTER, maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
    fc.constantFrom<JsonNode>(null, true, false, '', '\u2028', '\\u0000', 'ü😀'),
    fc.constantFrom(...HOSTILE_NUMBERS.filter((text) => text !== '1e309')).map((text) => new RawJson(text)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(
      fc.tuple(
        fc.oneof(
          fc.constantFrom('toString', 'hasOwnProperty', 'then', 'toJSON', 'length', '', '0', 'a.b', 'ключ', 'b', 'a'),
          fc.string({ maxLength: 10 }).filter((key) => !/^(__proto__|constructor)$/.test(key)),
        ),
        tie('value'),
      ),
      { selector: ([key]) => key, maxLength: 4 },
    )
    .map((entries) => new JsonObject(entries)),
})).object;

/** Path segments, percent-encoded; none is empty or leads to another route. */
export const hostileSegments: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    '0',
    '-1',
    '1.0',
    '1e3',
    '+1',
    '%201',
    '00',
    '9007199254740991',
    '9007199254740993',
    '1'.repeat(17),
    '%00',
    '%ff',
  ],
  ...['%', '%zz', '%2e%2e', '%2F', '__proto__', 'null', 'NaN', '1;drop', "1'", '%F0%9F%98%80', 'x'.repeat(501), '1%0A'],
);

/** Query values, percent-encoded. */
export const hostileQueryValues: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    '',
    '0',
    '-1',
    '1.5',
    '101',
    '1e308',
    '-0',
    'NaN',
    'Infinity',
    '0x10',
    '%00',
    '%ff',
    '%',
    '%ED%A0%80',
    'null',
    'true',
  ],
  ...['9007199254740991', '9007199254740993', '9'.repeat(40), '9'.repeat(400), '__proto__', 'x'.repeat(8_000), '1&x=1'],
  ...[
    'djE6MQ',
    'djE6OTk5OTk5OTk5OTk5OTk5OQ',
    'djE6OTAwNzE5OTI1NDc0MDk5MQ',
    'djE6MA',
    'djE6LTE',
    'v1:1',
    '%5B%5D',
    '1,2',
  ],
);

export const hostileContentTypes: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json;charset="utf-8"',
    'nonsense',
  ],
  ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'application/vnd.api+json', ';', '*/*'],
  ...['APPLICATION/JSON', 'application/json, text/plain', 'application/json; __proto__=1', 'a'.repeat(2_000)],
);
