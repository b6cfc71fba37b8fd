import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from '../../../scripts/breaking-changes.mjs';

type Node = Record<string, unknown>;

const text = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');

/** The document with the node at the path replaced by what `change` makes of it; `undefined` removes it. */
function changed(path: string, change: (node: never) => unknown): object {
  const document = JSON.parse(text) as Node;
  const keys = path.split(' ');
  const last = keys.pop()!;
  const holder = keys.reduce((node, key) => node[key] as Node, document);
  const value = change(holder[last] as never);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return document;
}

const gone = (): undefined => undefined;
const without = (name: string) => (names: string[]) => names.filter((each) => each !== name);
const withMore = (name: string) => (names: string[]) => [...names, name];

const PAYMENT = 'components schemas Payment';
const CREATE = 'components schemas CreatePayment';
const POST = 'paths /payments post';

const BREAKING: [string, string, (node: never) => unknown, string][] = [
  ['an operation is gone', 'paths /payments/{id}/sync post', gone, 'POST /payments/{id}/sync is gone'],
  ['a path is gone', 'paths /audit', gone, 'GET /audit is gone'],
  ['an operation has another id', `${POST} operationId`, () => 'pay', 'POST /payments has another operationId'],
  [
    'a token needs another scope',
    `${POST} security`,
    () => [{ bearer: ['payments:write', 'audit:read'] }],
    'needs audit:read now',
  ],
  ['a parameter is required', `${POST} parameters 0 required`, () => true, 'Idempotency-Key is required now'],
  ['a field of an answer is gone', `${PAYMENT} properties status`, gone, '.data.status is gone'],
  ['a field of an answer may be missing', `${PAYMENT} required`, without('status'), '.status may be missing now'],
  [
    'a field of an answer may be null',
    `${PAYMENT} properties currency`,
    () => ({ type: ['string', 'null'] }),
    'the type was string and is string,null',
  ],
  ['a field of an answer has another format', `${PAYMENT} properties id format`, () => 'int32', 'the format was int64'],
  ['a field of a request is gone', `${CREATE} properties country`, gone, 'body.country is gone'],
  ['a field of a request is required', `${CREATE} required`, withMore('country'), 'body.country is required now'],
  ['a bound of a request is tighter', `${CREATE} properties expires_in maximum`, () => 100, 'maximum is 100 now'],
  [
    'a value of a request is refused',
    'components schemas Strategy enum',
    without('sticky'),
    '"sticky" is no longer taken',
  ],
  ['an answer is another one', `${POST} responses 201`, gone, 'no longer answers 201'],
  [
    'a header of an answer is gone',
    `${POST} responses 201 headers Idempotent-Replayed`,
    gone,
    'header Idempotent-Replayed',
  ],
  ['a field of the webhook is gone', 'components schemas WebhookEvent properties metadata', gone, 'metadata is gone'],
  [
    'a header of the webhook is gone',
    'components pathItems payment.status_changed post parameters',
    (headers: never[]) => headers.slice(1),
    'the header Signature is gone',
  ],
  ['a schema has another name', 'components schemas Jwks', gone, 'schema Jwks is gone'],
];

const HARMLESS: [string, string, (node: never) => unknown][] = [
  ['a field of an answer is new', `${PAYMENT} properties risk`, () => ({ type: 'string' })],
  ['a field of a request is new', `${CREATE} properties risk`, () => ({ type: 'string' })],
  ['a bound of a request is wider', `${CREATE} properties expires_in maximum`, () => 1_000_000],
  ['a request may leave out more', `${CREATE} required`, without('currency')],
  ['an enum of answers has a new value', 'components schemas ChangeCause enum', withMore('disputed')],
  ['an operation is new', 'paths /refunds', () => ({ get: { operationId: 'Refunds_list', responses: {} } })],
  [
    'a bound of length takes the place of a pattern',
    `${CREATE} properties country`,
    () => ({ type: 'string', minLength: 1, maxLength: 64 }),
  ],
  ['words are other ones', `${POST} summary`, () => 'Pay'],
];

describe('the check for breaking changes', () => {
  it('finds nothing in a document beside itself', () => {
    expect(breakingChanges(JSON.parse(text) as object, JSON.parse(text) as object)).toEqual([]);
  });

  it.each(BREAKING)('says that %s', (_, path, change, words) => {
    const breaks = breakingChanges(JSON.parse(text) as object, changed(path, change));
    expect(breaks.filter((line) => line.includes(words))).not.toEqual([]);
  });

  it.each(HARMLESS)('lets through that %s', (_, path, change) => {
    expect(breakingChanges(JSON.parse(text) as object, changed(path, change))).toEqual([]);
  });
});
