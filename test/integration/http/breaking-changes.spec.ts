import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from '../../../scripts/breaking-changes.mjs';

type Node = Record<string, unknown>;

const whole = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Node;
  webhooks: Node;
};
const only = (node: Node, ...names: string[]): Node => Object.fromEntries(names.map((name) => [name, node[name]]));
/** The document, as far as it is compared here. */
const text = JSON.stringify({
  ...whole,
  paths: only(whole.paths, '/payments', '/payments/{id}/sync', '/audit', '/flows'),
  webhooks: only(whole.webhooks, 'payment.status_changed'),
});

/** The document with the node at the path replaced by the result of `change`; `undefined` removes the node. */
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

const removed = (): undefined => undefined;
const without = (name: string) => (names: string[]) => names.filter((each) => each !== name);
const withMore = (name: string) => (names: string[]) => [...names, name];

const PAYMENT = 'components schemas Payment';
const CREATE = 'components schemas CreatePayment';
const POST = 'paths /payments post';

const BREAKING: [string, string, (node: never) => unknown, string][] = [
  ['an operation is removed', 'paths /payments/{id}/sync post', removed, 'POST /payments/{id}/sync was removed'],
  ['a path is removed', 'paths /audit', removed, 'GET /audit was removed'],
  ['an operation has another id', `${POST} operationId`, () => 'pay', 'POST /payments has another operationId'],
  [
    'a token needs another scope',
    `${POST} security`,
    () => [{ bearer: ['payments:write', 'audit:read'] }],
    'needs audit:read now',
  ],
  ['a parameter is required', `${POST} parameters 0 required`, () => true, 'Idempotency-Key is required now'],
  ['a field of a response is removed', `${PAYMENT} properties status`, removed, '.data.status was removed'],
  ['a field of a response may be missing', `${PAYMENT} required`, without('status'), '.status may be missing now'],
  [
    'a field of a response may be null',
    `${PAYMENT} properties currency`,
    () => ({ type: ['string', 'null'] }),
    'the type was string and is string,null',
  ],
  [
    'a field of a response has another format',
    `${PAYMENT} properties id format`,
    () => 'int32',
    'the format was int64',
  ],
  ['a field of a request is removed', `${CREATE} properties country`, removed, 'body.country was removed'],
  ['a field of a request is required', `${CREATE} required`, withMore('country'), 'body.country is required now'],
  ['a limit of a request is tighter', `${CREATE} properties expires_in maximum`, () => 100, 'maximum is 100 now'],
  [
    'a value of a request is refused',
    'components schemas Strategy enum',
    without('sticky'),
    '"sticky" is no longer accepted',
  ],
  ['a response is removed', `${POST} responses 201`, removed, 'no longer answers 201'],
  [
    'a header of a response is removed',
    `${POST} responses 201 headers Idempotent-Replayed`,
    removed,
    'header Idempotent-Replayed',
  ],
  [
    'a field of the webhook is removed',
    'components schemas WebhookEvent properties metadata',
    removed,
    'metadata was removed',
  ],
  [
    'a header of the webhook is removed',
    'components pathItems payment.status_changed post parameters',
    (headers: never[]) => headers.slice(1),
    'the header Signature was removed',
  ],
  ['a schema has another name', 'components schemas Jwks', removed, 'schema Jwks was removed'],
];

const HARMLESS: [string, string, (node: never) => unknown][] = [
  ['a field of a response is new', `${PAYMENT} properties risk`, () => ({ type: 'string' })],
  ['a field of a request is new', `${CREATE} properties risk`, () => ({ type: 'string' })],
  ['a limit of a request is wider', `${CREATE} properties expires_in maximum`, () => 1_000_000],
  ['a field of a request becomes optional', `${CREATE} required`, without('currency')],
  ['an enum of responses has a new value', 'components schemas ChangeCause enum', withMore('disputed')],
  ['an operation is new', 'paths /payouts', () => ({ get: { operationId: 'Payouts_list', responses: {} } })],
  [
    'a limit of length replaces a pattern',
    `${CREATE} properties country`,
    () => ({ type: 'string', minLength: 1, maxLength: 64 }),
  ],
  ['a text changes', `${POST} summary`, () => 'Pay'],
];

describe('breakingChanges', () => {
  it('finds nothing between equal documents', () => {
    expect(breakingChanges(JSON.parse(text) as object, JSON.parse(text) as object)).toEqual([]);
  });

  it.each(BREAKING)('reports that %s', (_, path, change, words) => {
    const breaks = breakingChanges(JSON.parse(text) as object, changed(path, change));
    expect(breaks.filter((line) => line.includes(words))).not.toEqual([]);
  });

  it.each(HARMLESS)('accepts that %s', (_, path, change) => {
    expect(breakingChanges(JSON.parse(text) as object, changed(path, change))).toEqual([]);
  });
});
