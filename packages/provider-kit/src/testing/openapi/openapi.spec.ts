import { describe, expect, it } from '@jest/globals';
import type { Exchange } from '../wire.js';
import { type ApiDocument, matchesDocument } from './index.js';

const PAYMENT = {
  allOf: [
    { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^tr_' } } },
    { type: 'object', required: ['status'], properties: { status: { $ref: '#/components/status' } } },
  ],
};
const DOCUMENT = {
  servers: [{ url: 'https://api.example/v2' }],
  paths: {
    '/payments': {
      parameters: [{ name: 'testmode', in: 'query', schema: { type: 'boolean' } }],
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['amount'],
                properties: {
                  amount: { type: 'integer' },
                  mode: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
                  metadata: { type: 'object', additionalProperties: { type: 'string' } },
                },
              },
            },
          },
        },
        responses: { '201': { content: { 'application/json': { schema: PAYMENT } } } },
      },
    },
    '/payments/{id}': { get: { responses: { default: {} } } },
  },
  components: { status: { type: 'string', enum: ['paid'] } },
} as ApiDocument;

const exchange = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  answered: object = { id: 'tr_1', status: 'paid' },
): Exchange => ({
  request: {
    method,
    url: new URL(path, 'http://127.0.0.1:1'),
    headers: {},
    ...(body && { body: JSON.stringify(body) }),
  },
  line: `${method} ${path}`,
  signal: new AbortController().signal,
  answer: { statusCode: 201, headers: {}, body: Buffer.from(JSON.stringify(answered)) },
});

describe('matchesDocument', () => {
  it.each([
    [
      'a whole call',
      exchange('POST', '/v2/payments?testmode=true', { amount: 1, mode: null, metadata: { a: 'b' } }),
      [],
    ],
    ['a path with an id', exchange('GET', '/v2/payments/tr_1'), []],
    ['another path', exchange('GET', '/v2/refunds'), ['the document has no such operation']],
    ['another method', exchange('GET', '/v2/payments'), ['the document has no such operation']],
    ['an unknown parameter', exchange('GET', '/v2/payments/tr_1?a=1'), ['the parameter a is unknown']],
    [
      'another type',
      exchange('POST', '/v2/payments?testmode=7', { amount: '1' }),
      ['the parameter testmode must be boolean', 'body.amount must be integer'],
    ],
    ['an absent body', exchange('POST', '/v2/payments'), ['the body is required']],
    ['an absent field', exchange('POST', '/v2/payments', {}), ['body.amount is required']],
    ['an unknown field', exchange('POST', '/v2/payments', { amount: 1, x: 1 }), ['body.x is unknown']],
    [
      'a value outside of the enumeration',
      exchange('POST', '/v2/payments', { amount: 1, mode: 'c' }),
      ['body.mode must be one of a, b'],
    ],
    [
      'a field of another type',
      exchange('POST', '/v2/payments', { amount: 1, metadata: { a: 1 } }),
      ['body.metadata.a must be string'],
    ],
    [
      'an answer with other values',
      exchange('POST', '/v2/payments', { amount: 1 }, { id: 'x', status: 'open', more: 1 }),
      ['body.id must match ^tr_', 'body.status must be one of paid'],
    ],
    [
      'an answer that lacks a field',
      exchange('POST', '/v2/payments', { amount: 1 }, { id: 'tr_1' }),
      ['body.status is required'],
    ],
  ])('reads %s', (_name, one, faults) => {
    expect(matchesDocument([one], DOCUMENT).map(({ fault }) => fault)).toEqual(faults);
  });

  it('reads a form as its fields', () => {
    const schema = {
      type: 'object',
      properties: { amount: { type: 'integer' }, metadata: { type: 'object', properties: { a: { type: 'string' } } } },
    };
    const content = { 'application/x-www-form-urlencoded': { schema } };
    const document = { paths: { '/v1/payments': { post: { requestBody: { content }, responses: { default: {} } } } } };
    const { request, ...rest } = exchange('POST', '/v1/payments');
    const sent = (body: string) =>
      matchesDocument([{ ...rest, request: { ...request, body } }], document).map(({ fault }) => fault);
    expect(sent('amount=100&metadata[a]=b')).toEqual([]);
    expect(sent('amount=x&metadata[b]=c')).toEqual(['body.amount must be integer', 'body.metadata.b is unknown']);
  });
});
