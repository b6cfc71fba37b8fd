import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createClient, type ClientOptions } from './client.js';
import { isRepeatable } from './repeatable.js';
import type { RetryOptions } from './retries.js';
import { ConnectionError, ProblemError, TokenError, UnexpectedAnswerError } from './errors.js';

const CREDENTIALS = { clientId: 'client_1', clientSecret: 'secret_1' };
const PAYMENT = { flow_name: 'checkout', amount: 49.9, currency: 'EUR' };

interface Sent {
  method: string;
  path: string;
  query: string;
  headers: Headers;
  body: string;
  signal: AbortSignal;
}

type Reply = Response | Error | ((sent: Sent) => Response | Promise<Response>);

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const ok = (data: unknown): Response => json(200, { success: true, data });
const token = (text: string, expiresIn = 3_600): Response =>
  json(200, { access_token: text, token_type: 'Bearer', expires_in: expiresIn, scope: 'payments:read' });

const problem = (status: number, code: string, headers?: Record<string, string>): Response =>
  json(
    status,
    { type: `urn:problem:${code}`, title: 'No', status, success: false, code, request_id: 'r-1' },
    { 'content-type': 'application/problem+json', ...headers },
  );

/** A client whose requests get these replies one after the other; a further request fails the test. */
function clientWith(replies: Reply[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const left = [...replies];
  const fetch = async (request: Request): Promise<Response> => {
    const { method, headers, signal } = request;
    const { pathname: path, search: query } = new URL(request.url);
    const one = { method, path, query, headers, signal, body: await request.text() };
    sent.push(one);
    const reply = left.shift();
    if (reply === undefined) throw new Error(`nothing replies to ${method} ${one.path}`);
    if (reply instanceof Error) throw reply;
    return typeof reply === 'function' ? reply(one) : reply;
  };
  const client = createClient({
    baseUrl: 'http://api.test/',
    credentials: { token: 'a-token' },
    fetch,
    ...options,
    retries: { firstDelayMs: 1, ...options.retries },
  });
  return { client, sent };
}

const key = ({ headers }: Sent): string | null => headers.get('idempotency-key');

describe('the client', () => {
  it('fills in paths and queries, sends JSON, and returns the body', async () => {
    const { client, sent } = clientWith([ok({ id: 7 }), ok([])]);
    expect((await client.patch('/shops/{id}', { params: { path: { id: 7 } }, body: { name: 'Berlin' } })).data.id).toBe(
      7,
    );
    await client.get('/payments', { params: { query: { status: 'failed' } } });
    expect(sent).toMatchObject([
      { method: 'PATCH', path: '/shops/7', body: '{"name":"Berlin"}' },
      { method: 'GET', path: '/payments' },
    ]);
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer a-token');
  });

  it('sends no token with the credentials "none"', async () => {
    const { client, sent } = clientWith([ok([]), problem(401, 'unauthorized')], { credentials: 'none' });
    await client.get('/shops');
    await expect(client.get('/shops')).rejects.toMatchObject({ code: 'unauthorized' });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null, null]);
  });

  it('returns undefined for an answer without a body', async () => {
    const { client } = clientWith([new Response(null, { status: 204 })]);
    expect(await client.delete('/flows/{id}', { params: { path: { id: 1 } } })).toBeUndefined();
  });

  it('throws an error with code, fields and request id when the API refuses', async () => {
    const errors = [{ field: 'amount', message: 'must be a number' }];
    const body = { title: 'No', status: 422, success: false, code: 'validation_failed', request_id: 'r-2', errors };
    const { client } = clientWith([json(422, body, { 'content-type': 'application/problem+json' })]);
    const error = await client.post('/payments', { body: PAYMENT }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'validation_failed', status: 422, fields: errors, requestId: 'r-2' });
  });

  it('reports an answer that is not from the API', async () => {
    const { client } = clientWith([new Response('<h1>Not here</h1>', { status: 404 })]);
    await expect(client.get('/shops')).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });

  const page = (ids: number[], next: string | null) =>
    json(200, {
      success: true,
      data: ids.map((id) => ({ id })),
      pagination: { next_cursor: next, has_more: !!next },
    });

  it('reads events up to the latest one, although it has a cursor', async () => {
    const last = { success: true, data: [{ id: 3 }], pagination: { next_cursor: 'e3', has_more: false } };
    const { client, sent } = clientWith([page([1, 2], 'e2'), json(200, last)]);
    const ids: unknown[] = [];
    for await (const { id } of client.list('/events', { params: { query: { last: 3 } } })) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(sent.map(({ query }) => query)).toEqual(['?last=3', '?after=e2']);
  });

  it('a cursor is that of the last page whose items were taken, where a later list begins', async () => {
    const last = { success: true, data: [{ id: 3 }], pagination: { next_cursor: 'e3', has_more: false } };
    const { client, sent } = clientWith([page([1, 2], 'e2'), json(200, last), json(200, last)]);
    const events = client.list('/events');
    const seen: unknown[] = [events.cursor];
    for await (const _ of events) seen.push(events.cursor);
    expect([...seen, events.cursor]).toEqual([undefined, undefined, undefined, 'e2', 'e3']);
    const later = client.list('/events', { params: { query: { after: events.cursor! } } });
    for await (const _ of later) break;
    expect([later.cursor, sent.at(-1)!.query]).toEqual(['e3', '?after=e3']);
  });

  it.each(['/events', '/webhooks/deliveries'] as const)('continues after empty pages of %s', async (path) => {
    const { client, sent } = clientWith([page([], 'c1'), page([7], 'c2'), page([], 'c3'), page([8], null)]);
    const ids: unknown[] = [];
    for await (const { id } of client.list(path)) ids.push(id);
    expect([ids, sent.length]).toEqual([[7, 8], 4]);
  });

  it('reads a list page by page, and no further than the loop', async () => {
    const { client, sent } = clientWith([page([5, 4], 'c1'), page([3], null), page([5, 4], 'c1')]);
    const ids: number[] = [];
    for await (const { id } of client.list('/shops', { params: { query: { limit: 2 } } })) ids.push(id);
    for await (const shop of client.list('/shops')) {
      ids.push(shop.id);
      break;
    }
    expect([ids, sent.length]).toEqual([[5, 4, 3, 5], 3]);
  });
});

describe('the idempotency key of a payment', () => {
  const NAME = 'Idempotency-Key';
  type Given = { headers?: unknown; params?: { header?: Record<string, unknown> } };
  const keysOf = async (given: Given, times = 1): Promise<(string | null)[]> => {
    const { client, sent } = clientWith(Array.from({ length: times }, () => ok({})));
    for (let time = 0; time < times; time++) await client.post('/payments', { body: PAYMENT, ...(given as object) });
    return sent.map(key);
  };

  it.each<[string, Given]>([
    ['headers', { headers: { [NAME]: 'order-1' } }],
    ['headers in lower case', { headers: { 'idempotency-key': 'order-1' } }],
    ['headers in upper case', { headers: { 'IDEMPOTENCY-KEY': 'order-1' } }],
    ['a Headers object', { headers: new Headers({ [NAME]: 'order-1' }) }],
    [
      'an array of pairs',
      {
        headers: [
          ['x-request-id', 'r'],
          ['idempotency-Key', 'order-1'],
        ],
      },
    ],
    ['headers of another implementation', { headers: new Map([[NAME, 'order-1']]) }],
    ['headers that list it', { headers: { [NAME]: ['order-1'] } }],
    ['params in lower case', { params: { header: { 'idempotency-key': 'order-1' } } }],
    [
      'both params and headers',
      { headers: { 'idempotency-key': 'order-1' }, params: { header: { [NAME]: 'order-1' } } },
    ],
    [
      'headers, with params without a key',
      { headers: { [NAME]: 'order-1' }, params: { header: { [NAME]: undefined } } },
    ],
  ])('comes from the caller in %s', async (_, given) => {
    expect(await keysOf(given, 2)).toEqual(['order-1', 'order-1']);
  });

  it('comes from a number of the caller, as a text', async () => {
    expect(await keysOf({ headers: { [NAME]: 1001 } })).toEqual(['1001']);
  });

  it.each<[string, Given]>([
    ['no options', {}],
    ['params', { params: { header: { [NAME]: undefined } } }],
    ['headers', { headers: { [NAME]: undefined } }],
    ['other headers', { headers: [['x-request-id', 'r']] }],
  ])('gets created when %s have none', async (_, given) => {
    const keys = await keysOf(given, 2);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it.each([[null], [''], ['  '], [NaN], [true], [{}], [[null]]])(
    'makes the call fail before anything is sent when it is %p',
    async (value) => {
      for (const given of [{ headers: { 'idempotency-key': value } }, { params: { header: { [NAME]: value } } }]) {
        const { client, sent } = clientWith([ok({})]);
        const paying = client.post('/payments', { body: PAYMENT, ...(given as object) });
        await expect(paying).rejects.toThrow(/^Idempotency-Key: got .+, takes /);
        expect(sent).toEqual([]);
      }
    },
  );

  it('makes the call fail when two different keys are given', async () => {
    const given = { headers: { [NAME]: 'order-1' }, params: { header: { [NAME]: 'order-2' } } };
    const { client } = clientWith([ok({})]);
    await expect(client.post('/payments', { body: PAYMENT, ...given })).rejects.toThrow('got 2 different keys');
  });

  it('leaves other headers unchanged in every form of headers', async () => {
    for (const headers of [{ 'x-a': 'b' }, new Headers({ 'x-a': 'b' }), [['x-a', 'b']]]) {
      const { client, sent } = clientWith([ok({}), ok([])]);
      await client.post('/payments', { body: PAYMENT, ...({ headers } as object) });
      await client.get('/shops', { ...({ headers } as object) });
      expect(sent.map((one) => one.headers.get('x-a'))).toEqual(['b', 'b']);
    }
  });

  it('makes createClient fail when it is passed there', () => {
    expect(() => clientWith([], { headers: { [NAME]: 'order-1' } } as object)).toThrow('does not take headers');
  });
});

describe('the token source', () => {
  it('fetches one token for concurrent requests', async () => {
    const { client, sent } = clientWith([token('t-1'), ok([]), ok([])], { credentials: CREDENTIALS });
    await Promise.all([client.get('/shops'), client.get('/flows')]);
    expect(sent.map(({ path }) => path)).toEqual(['/auth/token', '/shops', '/flows']);
    expect(Object.fromEntries(new URLSearchParams(sent[0]!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client_1',
      client_secret: 'secret_1',
    });
    expect(sent[2]!.headers.get('authorization')).toBe('Bearer t-1');
  });

  it('renews a token before it expires', async () => {
    const { client, sent } = clientWith([token('t-1', 0), ok([]), token('t-2'), ok([])], { credentials: CREDENTIALS });
    await client.get('/shops');
    await client.get('/shops');
    expect(sent[3]!.headers.get('authorization')).toBe('Bearer t-2');
  });

  it('renews a refused token once and sends the request again', async () => {
    const replies = [token('t-1'), problem(401, 'unauthorized'), token('t-2'), problem(401, 'unauthorized')];
    const { client, sent } = clientWith(replies, { credentials: CREDENTIALS });
    await expect(client.post('/payments', { body: PAYMENT })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null, 'Bearer t-1', null, 'Bearer t-2']);
    expect(sent[3]!.body).toBe(sent[1]!.body);
  });

  it('calls the function of the caller for every request', async () => {
    let calls = 0;
    const credentials = { token: () => Promise.resolve(`own-${++calls}`) };
    const { client, sent } = clientWith([ok([]), problem(401, 'unauthorized'), ok([])], { credentials });
    await client.get('/shops');
    await client.get('/shops');
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer own-1',
      'Bearer own-2',
      'Bearer own-3',
    ]);
  });

  it('reports why no token was issued, and asks again for the next request', async () => {
    const refused = json(401, { error: 'invalid_client', error_description: 'unknown' });
    const { client } = clientWith([refused, token('t-1'), ok([])], { credentials: CREDENTIALS });
    const error = await client.get('/shops').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokenError);
    expect(error).toMatchObject({ code: 'invalid_client' });
    expect(await client.get('/shops')).toMatchObject({ data: [] });
  });
});

describe('withRetries', () => {
  it('sends a payment again with the same key and body after a lost answer', async () => {
    const { client, sent } = clientWith([
      new TypeError('reset'),
      problem(503, 'dependency_unavailable'),
      ok({ id: 1 }),
    ]);
    await client.post('/payments', { body: PAYMENT });
    expect(new Set(sent.map(key)).size).toBe(1);
    expect(key(sent[0]!)).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([JSON.stringify(PAYMENT)]));
  });

  it('keeps the key of the caller, and creates a key for every other payment', async () => {
    const { client, sent } = clientWith([ok({}), ok({}), ok({})]);
    await client.post('/payments', { body: PAYMENT, params: { header: { 'Idempotency-Key': 'order-1' } } });
    await client.post('/payments', { body: PAYMENT });
    await client.post('/payments', { body: PAYMENT });
    expect(key(sent[0]!)).toBe('order-1');
    expect(key(sent[1]!)).not.toBe(key(sent[2]!));
  });

  it('waits as long as the API says, also for a key in flight', async () => {
    const waits: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }): void => void waits.push(waitMs);
    const replies = [
      problem(409, 'idempotency_key_in_flight', { 'retry-after': '0' }),
      problem(429, 'too_many_requests', { 'retry-after': '1' }),
      ok({}),
    ];
    await clientWith(replies, { retries: { onRetry } }).client.post('/payments', { body: PAYMENT });
    expect(waits).toEqual([0, 1_000]);
  });

  const IN_90_S = (): Date => new Date(Date.now() + 90_000);
  const asctime = (at: Date): string => {
    const [day, date, month, year, time] = at.toUTCString().replace(',', '').split(' ');
    return `${day} ${month} ${date!.replace(/^0/, ' ')} ${time} ${year}`;
  };
  const rfc850 = (at: Date): string => {
    const [, date, month, year, time] = at.toUTCString().replace(',', '').split(' ');
    const day = at.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    return `${day}, ${date}-${month}-${year!.slice(2)} ${time} GMT`;
  };
  const waitAfter = async (retryAfter: string, retries: RetryOptions = {}): Promise<number | undefined> => {
    let waited: number | undefined;
    const stop = new AbortController();
    const onRetry = ({ waitMs }: { waitMs: number }): void => {
      waited = waitMs;
      stop.abort(new Error('seen'));
    };
    const replies = [problem(503, 'dependency_unavailable', { 'retry-after': retryAfter }), ok([])];
    const options = { retries: { firstDelayMs: 4_000, withinMs: 1_000_000, onRetry, ...retries } };
    await clientWith(replies, options)
      .client.get('/shops', { signal: stop.signal })
      .catch(() => undefined);
    return waited;
  };

  it.each([
    ['IMF-fixdate', (at: Date) => at.toUTCString()],
    ['RFC 850', rfc850],
    ['asctime', asctime],
  ])('waits until a date in the format %s, in UTC', async (_, form) => {
    const waitMs = await waitAfter(form(IN_90_S()));
    expect(waitMs).toBeGreaterThan(80_000);
    expect(waitMs).toBeLessThanOrEqual(90_000);
  });

  it.each([
    ...['1.5', '-5', '+3', 'NaN', 'Infinity', '1e3', '0x10', 'soon', '', 'Wait 2030'],
    ...['10 s', '1, 2', '2099-01-01T00:00:00Z', 'Mon, 30 Feb 2099 00:00:00 GMT', 'Sun Nov  6 08:49:37 1994'],
    ...['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Fri, 01 Jan 2099 25:00:00 GMT'],
    ...['Fri, 01 Jan 2099 00:00:00 +0100', 'fri, 01 jan 2099 00:00:00 gmt'],
  ])('ignores the Retry-After %p', async (text) => {
    const waitMs = await waitAfter(text);
    expect(waitMs).toBeGreaterThanOrEqual(2_000);
    expect(waitMs).toBeLessThanOrEqual(4_000);
  });

  it.each(['9'.repeat(12), '9'.repeat(400)])('never retries immediately after the Retry-After %s', async (text) => {
    expect(await waitAfter(text)).toBeUndefined();
    const { client, sent } = clientWith([problem(429, 'too_many_requests', { 'retry-after': text }), ok([])], {
      retries: { withinMs: Infinity, onRetry: () => setTimeout(() => stop.abort(new Error('enough')), 20) },
    });
    const stop = new AbortController();
    await expect(client.get('/shops', { signal: stop.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  it.each(['limit', 'withinMs', 'firstDelayMs', 'timeoutMs'])('refuses a %s that is not a number', (name) => {
    for (const value of [NaN, -1, '5', null]) {
      expect(() => clientWith([], { retries: { [name]: value } })).toThrow(`retries.${name}: got ${value}`);
    }
  });

  it('repeat a refund under one key', async () => {
    const { client, sent } = clientWith([new TypeError('reset'), ok({})]);
    const refund = { params: { path: { id: 1 } }, body: { amount: 10 } };
    await client.post('/payments/{id}/refunds' as '/payments', refund as never);
    expect(sent.map(({ path }) => path)).toEqual(['/payments/1/refunds', '/payments/1/refunds']);
    expect(new Set(sent.map(key)).size).toBe(1);
    expect(key(sent[0]!)).not.toBeNull();
  });

  it('ignore a key for operations that do not support it', async () => {
    const { client, sent } = clientWith([new TypeError('reset'), ok({})]);
    const headers = { 'Idempotency-Key': 'once' };
    const rotating = client.post('/shops/{id}/webhook-secret/rotate', {
      params: { path: { id: 1 } },
      body: {},
      headers,
    });
    await expect(rotating).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(1);
  });

  it('sends no unsafe request again that may have been executed', async () => {
    const { client, sent } = clientWith([new TypeError('reset')]);
    await expect(client.post('/shops', { body: { name: 'Berlin' } })).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(1);
  });

  it('sends any request again after 429', async () => {
    const { client, sent } = clientWith([problem(429, 'too_many_requests', { 'retry-after': '0' }), ok({ id: 1 })]);
    await client.post('/shops', { body: { name: 'Berlin' } });
    expect(sent).toHaveLength(2);
  });

  it('sends no request again after a permanent refusal', async () => {
    const { client, sent } = clientWith([problem(409, 'no_available_shop')]);
    await expect(client.post('/payments', { body: PAYMENT })).rejects.toMatchObject({ code: 'no_available_shop' });
    expect(sent).toHaveLength(1);
  });

  it('ends after the limit, with the cause', async () => {
    const replies = Array.from({ length: 3 }, () => new TypeError('refused'));
    const { client, sent } = clientWith(replies, { retries: { limit: 2 } });
    const error = await client.get('/shops').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ConnectionError', tries: 3, cause: { message: 'refused' } });
    expect(sent).toHaveLength(3);
  });

  it('sends a request again until the time limit, any number of times', async () => {
    const [begin, withinMs] = [Date.now(), 200];
    const options = {
      baseUrl: 'http://api.test',
      credentials: 'none' as const,
      retries: { firstDelayMs: 1, withinMs },
    };
    const client = createClient({ ...options, fetch: () => Promise.reject(new TypeError('refused')) });
    await expect(client.get('/shops')).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(Date.now() - begin).toBeGreaterThanOrEqual(withinMs);
  });

  it('begins no retry after the time limit', async () => {
    const late = problem(503, 'dependency_unavailable', { 'retry-after': '3600' });
    const { client, sent } = clientWith([late], { retries: { withinMs: 1_000 } });
    await expect(client.get('/shops')).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect(sent).toHaveLength(1);
  });

  it('retries after an incomplete answer and after a timeout', async () => {
    const never = ({ signal }: Sent) =>
      new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const broken = new Response(
      new ReadableStream({ pull: (controller) => controller.error(new TypeError('broke off')) }),
      { headers: { 'content-type': 'application/json' } },
    );
    const { client, sent } = clientWith([broken, never, ok([])], { retries: { timeoutMs: 20 } });
    expect(await client.get('/shops')).toMatchObject({ data: [] });
    expect(sent).toHaveLength(3);
  });

  it('ends at once when the caller aborts', async () => {
    const abort = new AbortController();
    const retries = { onRetry: () => abort.abort(new Error('enough')), firstDelayMs: 60_000 };
    const { client } = clientWith([new TypeError('reset')], { retries: { ...retries, withinMs: 120_000 } });
    await expect(client.get('/shops', { signal: abort.signal })).rejects.toThrow('enough');
  });
});

interface Described {
  description?: string;
  parameters?: { name: string; in: string }[];
}

/** The document of the API, which says what can be repeated. */
const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, { post?: Described }>;
};
const SAFE =
  /safe to repeat|repeat is safe|repeat has no effect|repeated call changes nothing|repeat with the same amount/i;
const POSTS = Object.entries(DOCUMENT.paths).flatMap(([path, { post }]) => (post ? [{ path, ...post }] : []));

/** They change nothing, or set what they set before. */
const ALSO_SAFE = [
  '/auth/token',
  '/flows/simulate',
  '/flows/{id}/backtest',
  '/flows/{id}/replay',
  '/flows/{id}/versions/{version}/activate',
  '/payments/{id}/sync',
  '/webhooks/verify',
];

describe('isRepeatable', () => {
  it.each(POSTS)('repeats what the API calls safe, with a key or without: POST $path', (operation) => {
    const { path, description = '', parameters = [] } = operation;
    const url = `https://api.test/below${path.replace(/\{[^}]+\}/g, '7')}`;
    const isSafe = SAFE.test(description);
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    const request = (headers: Record<string, string>) => new Request(url, { method: 'POST', headers });
    if (isSafe || takesKey) expect(isRepeatable(request({ 'idempotency-key': 'one' }))).toBe(true);
    expect(isRepeatable(request({}))).toBe(isSafe || ALSO_SAFE.includes(path));
  });
});
