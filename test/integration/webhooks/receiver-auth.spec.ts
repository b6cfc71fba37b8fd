import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { startTracing } from '../../../src/platform/tracing/start-tracing.js';
import { type Tracing, traceWith, tracing } from '../../../src/platform/tracing/tracing.js';
import { ApiClient } from '../../support/app/api-client.js';
import { testConfig } from '../../support/app/application.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type Behaviour, type ReceivedRequest, type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/servers/token-endpoint.js';
import { startTraceSink, type TraceSink } from '../../support/servers/trace-sink.js';

const CLIENT = { id: 'or:ders', secret: 'marker-client secret %', scope: 'hooks:write', expiresIn: 3_600 };
const SECRETS = { header: 'marker-header', password: 'marker-password', bearer: 'marker-bearer' };

let database: TestDatabase;
const withoutTraces = tracing;
let started: Tracing;
let service: InProcessService;
let client: ApiClient;
let merchant: Merchant;
let receiver: Receiver;
let tokens: TokenEndpoint;
let sink: TraceSink;

beforeAll(async () => {
  [database, receiver, tokens, sink] = await Promise.all([
    createTestDatabase(),
    startReceiver(),
    startTokenEndpoint(CLIENT),
    startTraceSink(),
  ]);
  const traced = testConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
  started = await startTracing(traced.tracing!, createLogger('fatal'));
  const env = { WEBHOOK_RETRY_DELAYS_MS: '1200,1200,1200,1200,1200,1200', LOG_LEVEL: 'debug' };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  client = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  merchant = new Merchant(client);
  const shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
});
afterAll(async () => {
  await service.stop();
  traceWith(withoutTraces);
  await started.stop();
  await Promise.all([receiver.stop(), tokens.stop(), sink.stop()]);
  await database.drop();
});
beforeEach(async () => {
  for (const { id } of dataOf<{ id: number }[]>(await client.get('/webhooks/endpoints?kind=standing')))
    await client.delete(`/webhooks/endpoints/${id}`);
  tokens.misbehave(undefined);
  receiver.respondWith(200);
  receiver.requests.length = tokens.requests.length = tokens.issued.length = 0;
});

const create = async (fields: object = {}): Promise<{ id: number; secret: string }> =>
  dataOf(await client.post('/webhooks/endpoints', { url: `${receiver.url}/hooks`, ...fields }));
const oauth = ({ url } = tokens) => ({
  type: 'oauth2_client_credentials',
  token_url: url,
  client_id: CLIENT.id,
  client_secret: CLIENT.secret,
  scope: CLIENT.scope,
});
const at = (path: string): ReceivedRequest[] => receiver.requests.filter(({ url }) => url === path);
const first = (path = '/hooks'): Promise<ReceivedRequest> => eventually(() => at(path)[0] ?? false);

async function attempts(endpointId: number): Promise<{ status_code: number | null; error: string | null }[]> {
  const { rows } = await database.pool.query<{ status_code: number | null; error: string | null }>(
    `SELECT a.status_code, a.error FROM webhook_attempts a JOIN all_deliveries d ON d.id = a.delivery_id
     WHERE d.endpoint_id = $1 ORDER BY a.started_at`,
    [endpointId],
  );
  return rows;
}

describe('authentication to a receiver', () => {
  it('sends basic credentials, and custom headers', async () => {
    const auth = { type: 'basic', username: 'orders', password: SECRETS.password };
    await create({ auth, headers: { 'X-Api-Key': SECRETS.header } });
    await merchant.pay('checkout');
    const { headers } = await first();
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`orders:${SECRETS.password}`).toString('base64')}`);
    expect(headers['x-api-key']).toBe(SECRETS.header);
    expect(headers.traceparent).toMatch(/^00-/);
  });

  it('sends a bearer token', async () => {
    await create({ auth: { type: 'bearer', token: SECRETS.bearer } });
    await merchant.pay('checkout');
    expect((await first()).headers.authorization).toBe(`Bearer ${SECRETS.bearer}`);
  });

  it('gets one token for many deliveries, and the receiver accepts each', async () => {
    receiver.respondWith(({ headers }) => (tokens.accepts(headers.authorization) ? 200 : 401));
    const { id } = await create({ auth: oauth() });
    await Promise.all(Array.from({ length: 10 }, () => merchant.pay('checkout')));
    await eventually(async () => expect((await attempts(id)).length).toBeGreaterThanOrEqual(10));
    expect(tokens.issued).toHaveLength(1);
    expect(new Set((await attempts(id)).map(({ status_code }) => status_code))).toEqual(new Set([200]));
  });

  it.each([401, 403])('gets a new token after the receiver has refused one with %i', async (refusal) => {
    receiver.respondWith(({ headers }) => (tokens.accepts(headers.authorization) ? 200 : refusal));
    const { id } = await create({ auth: oauth() });
    await merchant.pay('checkout');
    await eventually(async () => expect((await attempts(id)).length).toBeGreaterThanOrEqual(1));
    tokens.revokeAll();
    await merchant.pay('checkout');
    await eventually(async () => expect((await attempts(id)).map(({ status_code }) => status_code)).toContain(refusal));
    await eventually(async () => expect((await attempts(id)).at(-1)).toEqual({ status_code: 200, error: null }));
    expect(tokens.issued).toHaveLength(2);
  });

  const HOSTILE: [string, Behaviour, RegExp][] = [
    [
      'refuses the client',
      () => ({ status: 401, body: '{"error":"invalid_client"}' }),
      /answered 401 \(invalid_client\)/,
    ],
    ['never answers', () => ({ misbehaviour: 'hang' }), /gave no answer \(timeout\)|did not answer in time/],
    ['sends a body without end', () => ({ misbehaviour: 'endless' }), /is not a JSON object/],
    [
      'sends a body byte by byte',
      () => ({ misbehaviour: 'slow-body' }),
      /gave no answer \(timeout\)|did not answer in time/,
    ],
    ['closes the connection', () => ({ misbehaviour: 'reset' }), /gave no answer \(connection_reset\)/],
    ['redirects', () => ({ status: 307, headers: { location: `${receiver.url}/elsewhere` } }), /answered 307/],
    [
      'sends a header in its token',
      () => ({ body: '{"access_token":"a\\r\\nx: y","token_type":"bearer"}' }),
      /access_token of the token endpoint is not/,
    ],
  ];

  it('fails as auth_failed, and stops nothing else, when a token endpoint misbehaves', async () => {
    const broken = await Promise.all(
      HOSTILE.map(async ([what, behaviour, reason], index) => {
        const path = `/broken-${index}`;
        const endpoint = await startTokenEndpoint(CLIENT);
        endpoint.misbehave(behaviour);
        const { id } = await create({ url: `${receiver.url}${path}`, auth: oauth(endpoint) });
        return { what, reason, path, endpoint, id };
      }),
    );
    await create({ url: `${receiver.url}/healthy` });
    await merchant.pay('checkout');
    await first('/healthy');
    for (const { what, id, path, reason } of broken) {
      const failed = { status_code: null, error: 'auth_failed' };
      await eventually(async () => expect([what, (await attempts(id))[0]]).toEqual([what, failed]));
      expect([what, at(path), at('/elsewhere')]).toEqual([what, [], []]);
      await eventually(() => expect(service.logs()).toMatch(reason));
      const test = dataOf<{ error_message: string }>(await client.post(`/webhooks/endpoints/${id}/test`, {}));
      expect([what, test.error_message]).toEqual([what, expect.stringMatching(reason)]);
      const deliveries = dataOf<{ id: number; attempt_count: number }[]>(
        await client.get(`/webhooks/deliveries?endpoint_id=${id}`),
      );
      const delivery = deliveries.find(({ attempt_count: made }) => made > 0);
      const detail = dataOf<{ attempts: object[] }>(await client.get(`/webhooks/deliveries/${delivery!.id}`));
      expect([what, detail.attempts[0]]).toMatchObject([what, { error_message: expect.stringMatching(reason) }]);
      await eventually(async () => {
        const page = dataOf<{ errors: object[] }>(await client.get(`/webhooks/endpoints/${id}`));
        expect([what, page.errors[0]]).toMatchObject([what, { last_message: expect.stringMatching(reason) }]);
      });
    }
    for (const { endpoint } of broken) endpoint.misbehave(undefined);
    for (const { path } of broken) await first(path);
    await Promise.all(broken.map(({ endpoint }) => endpoint.stop()));
  });

  it('leaves no secret and no token in logs, tables, spans and answers', async () => {
    const auth = { type: 'basic', username: 'orders', password: SECRETS.password };
    await create({ url: `${receiver.url}/basic`, auth, headers: { 'X-Api-Key': SECRETS.header } });
    await create({ url: `${receiver.url}/bearer`, auth: { type: 'bearer', token: SECRETS.bearer } });
    await create({ url: `${receiver.url}/oauth`, auth: oauth() });
    receiver.respondWith(({ url }) => (url === '/basic' ? 500 : 200));
    await merchant.pay('checkout');
    for (const path of ['/basic', '/bearer', '/oauth']) await first(path);
    await eventually(() => expect(sink.named('webhook.attempt').length).toBeGreaterThanOrEqual(3));
    const answers = await Promise.all([
      client.get('/webhooks/endpoints'),
      client.get('/webhooks/deliveries'),
      client.get('/audit'),
    ]);
    const basic = Buffer.from(`orders:${SECRETS.password}`).toString('base64');
    const secrets = ['marker', basic, ...tokens.issued];
    expect(tokens.issued).not.toEqual([]);
    const dump = await tableTexts();
    expect(dump).toContain(`${receiver.url}/bearer`);
    const places = {
      logs: service.logs(),
      spans: sink.text(),
      answers: JSON.stringify(answers.map(({ body }) => body)),
      dump,
    };
    for (const [place, text] of Object.entries(places))
      for (const secret of secrets) expect([place, secret, text.includes(secret)]).toEqual([place, secret, false]);
  });
});

/** All rows of all tables as text. */
async function tableTexts(): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ text: string | null }>(
      `SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`,
    );
    texts.push(rows[0]?.text ?? '');
  }
  return texts.join('\n');
}

describe('an endpoint of format slack', () => {
  it('gets a signed message, while the stored body stays', async () => {
    const { id, secret } = await create({ format: 'slack' });
    const { id: paymentId } = await merchant.pay('checkout');
    const request = await first();
    expect(request.headers.signature).toBe(createHmac('sha256', secret).update(request.body).digest('hex'));
    const { text, ...others } = request.json<{ text: string }>();
    expect(others).toEqual({});
    expect(text).toMatch(new RegExp(`^\\*Payment .+\\* · .+ · payment ${paymentId}$`));
    const { rows } = await database.pool.query<{ request_body: string }>(
      'SELECT request_body FROM all_deliveries WHERE endpoint_id = $1',
      [id],
    );
    expect(JSON.parse(rows[0]!.request_body)).toMatchObject({ event: 'payment.status_changed' });
  });
});

describe('an endpoint with max_per_second', () => {
  it('gets its deliveries at that rate, and faster after a change', async () => {
    const { id } = await create({ max_per_second: 2 });
    await Promise.all(Array.from({ length: 4 }, () => merchant.pay('checkout')));
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(5));
    const [start] = receiver.requests;
    const early = receiver.requests.filter(({ arrivedAt }) => arrivedAt < start!.arrivedAt + 1_000);
    expect(early.length).toBeLessThanOrEqual(4);
    await client.patch(`/webhooks/endpoints/${id}`, { max_per_second: null });
    await eventually(async () => {
      const { rows } = await database.pool.query('SELECT FROM pending_deliveries WHERE endpoint_id = $1', [id]);
      expect(rows).toHaveLength(0);
    });
    expect(receiver.requests.length).toBeGreaterThanOrEqual(8);
  });
});
