import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { LogLine } from '../../support/app/application.js';
import { startProbeApp } from './probe-app.js';

let app: NestFastifyApplication;
let lines: () => LogLine[];

beforeAll(async () => {
  ({ app, lines } = await startProbeApp());
});
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown> & { errors?: { field: string; message: string }[] };
}

async function send(method: string, url: string, payload?: string | Buffer, headers = {}): Promise<Answer> {
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const options = { method: method as 'GET', url, headers: { ...type, ...headers }, ...(payload && { payload }) };
  const response = await app.inject(options);
  const body = response.body === '' ? {} : (JSON.parse(response.body) as Answer['body']);
  return { status: response.statusCode, headers: response.headers, body };
}

const UNKNOWN = 'is not a known field';

/** This many members, in the syntax of an object. */
const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"${index}":1`).join();

const post = (body: unknown, url = '/things') =>
  send('POST', url, typeof body === 'string' ? body : JSON.stringify(body));

/** Sends raw HTTP, for requests that no client would send. */
async function sendBytes(text: string): Promise<{ status: number; head: string; body: Record<string, unknown> }> {
  const { port } = new URL(await app.getUrl());
  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  const [head = '', body = '{}'] = received.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as Record<string, unknown> };
}

describe('A problem', () => {
  it('contains every field of RFC 9457 and our extensions', async () => {
    const { status, headers, body } = await send('GET', '/things/errors/problem?secret=1');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'urn:problem:shop_not_found',
      title: 'No such shop',
      status: 404,
      instance: '/things/errors/problem',
      success: false,
      code: 'shop_not_found',
      request_id: headers['x-request-id'],
    });
  });

  it('contains only the request id for an internal error, whose stack is logged', async () => {
    const { status, body } = await send('GET', '/things/errors/unknown', undefined, { 'x-request-id': 'mine-1' });
    expect(status).toBe(500);
    expect(body).toEqual({
      type: 'urn:problem:internal_error',
      title: 'Internal error',
      status: 500,
      instance: '/things/errors/unknown',
      success: false,
      code: 'internal_error',
      request_id: 'mine-1',
    });
    const logged = lines().find((line) => line.requestId === 'mine-1' && line.level === 'error');
    expect((logged!.err as { stack: string }).stack).toContain('a secret is in here');
  });

  it.each([
    ['text', 500, 'internal_error'],
    ['syntax', 500, 'internal_error'],
    ['refused', 503, 'dependency_unavailable'],
    ['pool', 503, 'dependency_unavailable'],
    ['shutdown', 503, 'dependency_unavailable'],
    ['redis', 503, 'dependency_unavailable'],
    ['teapot', 400, 'malformed_request'],
    ['forbidden', 403, 'insufficient_scope'],
  ])('represents the error %s: %i %s', async (kind, status, code) => {
    const answer = await send('GET', `/things/errors/${kind}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('The framework answers', () => {
  it('an unknown path: 404', async () => {
    const { status, body } = await send('GET', '/nothing/here?x=1');
    expect([status, body.code, body.instance]).toEqual([404, 'route_not_found', '/nothing/here']);
  });

  it('an unknown path before its body is read: 404', async () => {
    expect((await send('POST', '/nothing', '{broken')).status).toBe(404);
  });

  it('another method on a known path: 405 with Allow', async () => {
    const { status, headers, body } = await send('DELETE', '/things/7');
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('OPTIONS on a known path: 204 with Allow', async () => {
    const { status, headers } = await send('OPTIONS', '/things');
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  it('HEAD on a readable path: like GET, without a body', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/things/7' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect((await app.inject({ method: 'HEAD', url: '/nothing' })).statusCode).toBe(404);
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])(
    'a body of type %s: 415',
    async (type) => {
      const { status, body } = await send('POST', '/things', 'a=b', { 'content-type': type });
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('a body without a type: 415', async () => {
    const response = await app.inject({ method: 'POST', url: '/things', payload: Buffer.from('{}') });
    expect(response.statusCode).toBe(415);
  });

  it.each(['{"code":', '{code:1}', 'nope', '{"code":"a"}}', '{"a":NaN}'])('the body %s: 400', async (text) => {
    const { status, body } = await post(text);
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  it('a body that is not UTF-8: 400', async () => {
    const { status, body } = await send('POST', '/things', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  it('invalid JSON with its position, without its text', async () => {
    const { body } = await post('{\n  "password": "hunter2",\n  again: 1\n}');
    expect(body.detail).toBe('the body is not valid JSON at line 3, column 3');
    expect(JSON.stringify((await post('{"password": hunter2}')).body)).not.toContain('hunter2');
  });

  it('a path that is not valid percent-encoding: 400', async () => {
    const { status, headers, body } = await send('GET', '/things/%zz');
    expect([status, body.code]).toEqual([400, 'malformed_request']);
    expect(headers['x-request-id']).toBe(body.request_id);
    expect(headers['content-type']).toBe('application/problem+json');
  });

  it('bytes that are not HTTP: 400 on the socket', async () => {
    const { status, head, body } = await sendBytes('HELLO\r\n\r\n');
    expect([status, body.code]).toEqual([400, 'malformed_request']);
    expect(head).toContain('content-type: application/problem+json');
    expect(head).toContain(`x-request-id: ${String(body.request_id)}`);
  });

  it('a content length that does not match: 400, and the service continues', async () => {
    const bytes = 'POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: -1\r\n\r\n{}';
    expect((await sendBytes(bytes)).status).toBe(400);
    expect((await send('GET', '/things/1')).status).toBe(200);
  });
});

describe('A body', () => {
  it.each([
    ['null', 'the body must be a JSON object, got null'],
    ['[]', 'the body must be a JSON object, got an array'],
    ['"text"', 'the body must be a JSON object, got a string'],
    ['7', 'the body must be a JSON object, got a number'],
  ])('%s instead of an object: 422', async (text, detail) => {
    const { status, body } = await post(text);
    expect([status, body.code, body.detail]).toEqual([422, 'validation_failed', detail]);
  });

  it('counts as an empty object when it is missing', async () => {
    const expected = [{ field: 'code', message: 'is required and must be a string' }];
    expect((await send('POST', '/things')).body.errors).toEqual(expected);
    expect((await send('POST', '/things', '', { 'content-type': 'application/json' })).body.errors).toEqual(expected);
  });

  it('gets an error for every bad field, with the allowed and the received value', async () => {
    const parts = [{ name: 'a', weight: 0 }, { name: 7, weight: 1, size: 3 }, 'x'];
    const { status, body } = await post({ code: 'long', parts, extra: true, api_secret: 12 });
    expect(status).toBe(422);
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { field: 'code', message: 'must be shorter than or equal to 3 characters, got "long"' },
        { field: 'parts[0].weight', message: 'must not be less than 1, got 0' },
        { field: 'parts[1].name', message: 'must be a string, got 7' },
        { field: 'parts[1].size', message: UNKNOWN },
        { field: 'extra', message: UNKNOWN },
        { field: 'api_secret', message: 'must be a string' },
      ]),
    );
    expect(body.errors?.filter(({ field }) => /^parts(\[2\])?$/.test(field))).toEqual([
      { field: 'parts[2]', message: 'must be an object, got "x"' },
    ]);
  });

  it.each([
    ['{"code":"a","anything":{"x":["\\u0000"]}}', 'anything.x[0]', 'must not contain NUL characters'],
    ['{"code":"a","anything":{"x":"\\ud800"}}', 'anything.x', 'must not contain lone surrogates'],
    ['{"code":"a","anything":{"x":1e400}}', 'anything.x', 'must be a number below 1.8e308'],
    ['{"code":"a","anything":{"__proto__":{"admin":true}}}', 'anything', 'has a key that is not allowed'],
    ['{"code":"a","anything":{"constructor":{"prototype":{}}}}', 'anything', 'has a key that is not allowed'],
    ['{"code":"a","anything":{"\\u0000":1}}', 'anything', 'has a key that is not allowed'],
    ['{"__proto__":{"code":"a"}}', 'body', 'has a key that is not allowed'],
    ['{"code":"a","toString":"b"}', 'toString', UNKNOWN],
    ['{"code":"a","parts":[{"name":"a","weight":1,"constructor":{}}]}', 'parts[0].constructor', UNKNOWN],
    [`{"code":"a","anything":{"x":{${keys(3_001)}}}}`, 'anything.x', 'may have at most 3000 keys, got 3001'],
    [
      `{"code":"a","anything":{"x":[${Array(8_193).join('1,')}1]}}`,
      'anything.x',
      'may have at most 8192 items, got 8193',
    ],
    [
      `{"code":"a","anything":[${Array(7)
        .fill(`{${keys(2_900)}}`)
        .join()}]}`,
      'body',
      'may have at most 20000 keys in all its objects',
    ],
  ])('like %s: 422', async (text, field, message) => {
    const { status, body } = await post(text);
    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
  });

  it('nested deeper than 32 levels: 422, at any depth', async () => {
    const nested = (depth: number) => `{"code":"a","anything":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect((await post(nested(30))).status).toBe(201);
    expect((await post(nested(31))).status).toBe(422);
    expect((await post(nested(100_000))).body.errors?.[0]?.message).toBe('may have at most 32 levels of nesting');
  });

  it('with arrays in place of objects gets an error for each, for any content', async () => {
    const { status, body } = await post({ code: 'a', parts: [[{ name: 7 }], Array(5_000).fill('x')] });
    expect([status, body.errors?.map(({ field }) => field)]).toEqual([422, ['parts[0]', 'parts[1]']]);
  });

  it('keeps free-form objects unchanged', async () => {
    const metadata = { toString: 'a', constructor: 'b', nested: { valueOf: [1, null, { x: 'é😀' }] }, '2': 1 };
    const { status, body } = await post({ code: 'a', metadata });
    expect(status).toBe(201);
    expect((body.data as { metadata: unknown }).metadata).toEqual(metadata);
  });

  it('arrives as raw bytes on a route that asks for them, for any bytes', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x0a]);
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const { status, body } = await send('POST', '/things/raw/bytes', bytes, { 'content-type': type });
      expect([status, body.base64]).toEqual([200, bytes.toString('base64')]);
    }
  });

  it('works as a form on a route that accepts forms', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await send('POST', '/things/forms/any', 'a=1&b=x%20y&a=2', form);
    expect(body).toEqual({ a: ['1', '2'], b: 'x y' });
    expect((await send('POST', '/things/forms/any', 'a=%00', form)).status).toBe(422);
  });

  it('works as a form of at most 20 fields and 8 KiB', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = (count: number, value = '1') => Array.from({ length: count }, (_, i) => `f${i}=${value}`).join('&');
    const filled = (length: number) => fields(2).padEnd(length, 'x');
    expect((await send('POST', '/things/forms/any', fields(20), form)).status).toBe(200);
    expect((await send('POST', '/things/forms/any', filled(8_192), form)).status).toBe(200);
    const many = await send('POST', '/things/forms/any', fields(21), form);
    expect([many.status, many.body.detail]).toEqual([422, 'a form may have at most 20 fields, got 21']);
    const long = await send('POST', '/things/forms/any', filled(8_193), form);
    expect([long.status, long.body.detail]).toEqual([413, 'the body may have at most 8192 bytes, got 8193']);
  });

  it('stays unread on a route without a body', async () => {
    expect((await post('{broken', '/things/7/poke')).status).toBe(200);
  });
});

describe('The response to a bad body', () => {
  const size = (answer: Answer): number => Buffer.byteLength(JSON.stringify(answer.body));

  it('lists at most 50 fields, and says so', async () => {
    const { status, body } = await post({ code: 'a', ...(JSON.parse(`{${keys(2_000)}}`) as object) });
    expect([status, body.errors?.length]).toEqual([422, 50]);
    expect(body.detail).toBe('more than 50 fields are invalid: the first of them are in errors');
  });

  it('keeps its errors out of its detail', async () => {
    expect((await post({ code: 'long' })).body.detail).toBe('a field is invalid: see errors');
    expect((await post({ code: 'long', a: 1 })).body.detail).toBe('2 fields are invalid: see errors');
  });

  it.each([
    ['long names', 'n', 5_000],
    ['names that are six times as long in JSON', '\u0001', 900],
    ['names that are three times as long in UTF-8', '語', 1_600],
  ])('stays within 64 KiB with %s', async (_, text, length) => {
    const names = Array.from({ length: 48 }, (_each, index) => [text.repeat(length) + String(index), 1] as const);
    const answer = await post({ code: 'a', ...Object.fromEntries(names) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors!.length).toBeGreaterThan(20);
    expect(size(answer)).toBeLessThan(65_536);
  });
});

describe('A query or path', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=%00', 'cursor'],
    ['page=2', 'page'],
  ])('with %s: 400 naming %s', async (query, field) => {
    const { status, body } = await send('GET', `/things?${query}`);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'malformed_request', field]);
  });

  it('gets defaults and numbers', async () => {
    expect((await send('GET', '/things')).body.data).toEqual({ limit: 20 });
    expect((await send('GET', '/things?limit=5')).body.data).toEqual({ limit: 5 });
  });

  it.each(['0', '-1', '1.5', 'abc', '99999999999999999999'])('with the id %s: 400', async (id) => {
    expect((await send('GET', `/things/${id}`)).status).toBe(400);
  });
});

describe('Every response', () => {
  it('contains a request id: the received one, if it is valid', async () => {
    const id = async (given?: string) =>
      (await send('GET', '/things/1', undefined, given === undefined ? {} : { 'x-request-id': given })).headers[
        'x-request-id'
      ];
    expect(await id('abc-1.2:3')).toBe('abc-1.2:3');
    expect(await id()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('two words')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('writes one line to the log, without query, headers or body', async () => {
    await send('POST', '/things?token=s3cret', '{"code":"s3cret"}', {
      'x-request-id': 'line-1',
      authorization: 'Bearer s3cret',
    });
    const own = lines().filter((line) => line.requestId === 'line-1');
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ level: 'info', msg: 'request', method: 'POST', route: '/things', status: 422 });
    expect(JSON.stringify(own)).not.toContain('s3cret');
  });

  it('logs the ids in its path, named after their objects', async () => {
    await send('POST', '/things/12/poke', undefined, { 'x-request-id': 'line-2' });
    expect(lines().find((line) => line.requestId === 'line-2')).toMatchObject({
      route: '/things/:id/poke',
      thingId: 12,
    });
    await send('GET', '/things/a%0Ab', undefined, { 'x-request-id': 'line-3' });
    expect(lines().find((line) => line.requestId === 'line-3')).not.toHaveProperty('thingId');
  });

  it('counts in the metrics by route, with one label for unknown paths', async () => {
    await send('GET', '/things/1');
    await send('GET', '/nowhere');
    const body = await app.get(Metrics).render();
    expect(body).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} \d+/);
    expect(body).toMatch(/http_request_duration_seconds_count\{method="GET",route="unmatched",status="404"\} \d+/);
    expect(body).not.toContain('/nowhere');
  });
});
