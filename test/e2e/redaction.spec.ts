import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Encryption } from '../../src/platform/encryption/encryption.js';
import { SystemRandom } from '../../src/shared/random.js';
import { CuttableProxy } from '../integration/http/cuttable-proxy.js';
import { ApiClient, type ApiResponse, served } from '../support/app/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import { ENCODINGS, Markers } from '../support/fuzz/markers.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../support/app/merchant.js';
import { type Receiver, type Reply, startReceiver } from '../support/servers/receiver.js';
import { startTraceSink, type TraceSink } from '../support/servers/trace-sink.js';
import { builtFile, preloading, type RunningService, startService } from '../support/app/service.js';

const markers = new Markers();
const marker = (name: string) => markers.create(name);
const secret = (name: string, text: string) => markers.add(name, text);

const NOTIFICATION_SECRET = marker('notification secret');
const ENCRYPTION_KEY = randomBytes(32);
/** Refused in each spelling, so that it is stored nowhere. */
const CARD_NUMBERS = ['4929 0551-1740 3216', '4929055117403216'];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const CLIENT = { id: 'redaction', secret: marker('client secret') };
const aCustomer = () => ({
  email: `${marker('e-mail')}@example.com`,
  phone: secret('phone', `+${randomInt(1e14, 2 ** 48)}`),
  first_name: marker('first name'),
  last_name: marker('last name'),
  full_name: marker('full name'),
  address: marker('address'),
  city: marker('city'),
  company: marker('company'),
  vat_number: marker('VAT number'),
});

let database: TestDatabase;
let proxy: CuttableProxy;
let sink: TraceSink;
let receiver: Receiver;
/** API and worker in one process. */
let service: RunningService;
let client: ApiClient;
let merchant: Merchant;
let shop: ShopAnswer;
/** Waits for the text, because log lines arrive through a pipe a moment later. */
const logged = (text: string) => eventually(() => service.logs().includes(text));

beforeAll(async () => {
  [database, receiver, sink] = await Promise.all([createTestDatabase(), startReceiver(), startTraceSink()]);
  const url = new URL(database.url);
  expect(url.password.length).toBeGreaterThan(12);
  secret('database password', url.password);
  proxy = await CuttableProxy.before(url);
  // a query parameter that the servers ignore: the whole URL must stay out of the logs, not only the password
  url.searchParams.set('application_name', marker('query of DATABASE_URL').slice(0, 40));
  service = await startService({
    entry: 'all',
    databaseUrl: proxy.through(url.href),
    env: {
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      BOOTSTRAP_CLIENT_ID: CLIENT.id,
      BOOTSTRAP_CLIENT_SECRET: CLIENT.secret,
      JWT_SECRET: `${marker('JWT secret')}-of-the-tests`,
      ENCRYPTION_KEY: secret('encryption key', ENCRYPTION_KEY.toString('base64')),
      // payments that should succeed must do so on a busy machine as well
      PROVIDER_TIMEOUT_MS: '2000',
      WEBHOOK_TIMEOUT_MS: '400',
      WEBHOOK_RETRY_DELAYS_MS: '100',
      NODE_OPTIONS: preloading('throwing-sandbox.mjs'),
      SANDBOX_MODULE: builtFile('packages/payment-orchestrator-provider-sandbox.js'),
    },
  });
  client = await ApiClient.login(service.url, CLIENT.id, CLIENT.secret);
  const [, payload = '', signature = ''] = secret('access token', client.token!).split('.');
  secret('payload of the access token', payload);
  secret('signature of the access token', signature);
  merchant = new Merchant(client);
  shop = await merchant.createShop('Berlin', {
    webhook_secret: marker('webhook secret').padEnd(30, 'x'),
    provider_credentials: { notification_secret: NOTIFICATION_SECRET },
  });
  await merchant.createFlow('checkout', [shop.id]);
});

afterAll(async () => {
  await service.kill();
  await Promise.all([receiver.stop(), sink.stop(), proxy.cut()]);
  await database.drop();
});

const endpoint = () =>
  `${receiver.url}/${marker('path of the endpoint')}?key=${marker('query of the endpoint')}#${marker('fragment')}`;
const aPayment = (fields: Record<string, unknown> = {}) => ({
  flow_name: 'checkout',
  amount: 49.9,
  currency: 'EUR',
  customer: aCustomer(),
  metadata: { [marker('key of metadata')]: marker('metadata') },
  payment_session_id: marker('payment session'),
  webhook_endpoint: endpoint(),
  ...fields,
});
const idempotencyKey = () => ({ 'idempotency-key': marker('Idempotency-Key') });
const pay = (fields: Record<string, unknown> = {}, headers = idempotencyKey()) =>
  client.post('/payments', aPayment(fields), headers);
const codeOf = ({ status, body }: ApiResponse) => [status, (body as { code?: string } | undefined)?.code];

async function settled(paymentId: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await database.pool.query(`SELECT 1 FROM pending_deliveries WHERE payment_id = $1`, [paymentId]);
    expect(rows).toHaveLength(0);
  });
}

/** Returns every operation of the document that has a body and needs a token. */
async function writingOperations(): Promise<{ method: string; path: string; fields: string[] }[]> {
  interface Schema {
    $ref?: string;
    properties?: Record<string, unknown>;
  }
  interface Document {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Record<string, Schema> };
  }
  const { body: document } = await client.get<Document>('/openapi.json');
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (!schema) return [];
      const { properties = {} } = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
      const id = path.includes('/payments/') || path.includes('/flows/') ? '1' : String(shop.id);
      return [
        {
          method,
          path: path.replaceAll(/\{provider\}/g, 'sandbox').replaceAll(/\{\w+\}/g, id),
          fields: Object.keys(properties),
        },
      ];
    }),
  );
}

// every-operation.spec.ts searches the logs of refused bodies of every operation.
describe('the logs of API and worker at level trace, and their spans', () => {
  const requestsThatSucceed = async (): Promise<void> => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
    });
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
    for (const [body, headers] of [
      [form.toString(), FORM],
      ['grant_type=client_credentials', { ...FORM, authorization: `Basic ${basic}` }],
    ] as const) {
      const { access_token } = (
        await new ApiClient(service.url).post<{ access_token: string }>('/auth/token', body, headers)
      ).body;
      secret('another access token', access_token);
    }
    receiver.respondWith({ body: marker('answer of the receiver') });
    const headers = idempotencyKey();
    const body = aPayment({ payment_method: { token: 'tok_pending' } });
    const payment = dataOf<PaymentAnswer>(await client.post('/payments', body, headers));
    expect((await client.post('/payments', body, headers)).headers.get('idempotent-replayed')).toBe('true');
    const data = { [marker('key of a notification')]: marker('data of a notification') };
    const { status } = await merchant.notify(payment, { id: 'evt_1', status: 'completed', data }, NOTIFICATION_SECRET);
    expect(status).toBe(200);
    const reason = marker('reason');
    dataOf(await served(() => client.post(`/payments/${payment.id}/refund`, { reason })));
    await settled(payment.id);
    const rotated = dataOf<ShopAnswer>(await client.post(`/shops/${shop.id}/webhook-secret/rotate`, {}));
    secret('rotated webhook secret', rotated.webhook_secret);
    const sample = await client.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint: endpoint() });
    expect(sample.status).toBe(200);
    for (const path of [
      `/payments/${payment.id}`,
      `/webhooks/shop/${shop.id}/stats`,
      `/webhooks/shop/${shop.id}/deliveries`,
    ]) {
      expect((await client.get(path)).status).toBe(200);
    }
    expect((await client.get(`/payments?cursor=${marker('cursor')}`)).status).toBe(400);
    expect((await client.get(`/nowhere?email=${marker('query of an unknown path')}`)).status).toBe(404);
    const requests = receiver.requests.map((request) => [
      request.headers['signature'],
      request.headers['webhook-signature'],
    ]);
    expect(requests.length).toBeGreaterThanOrEqual(4);
    for (const signature of requests.flat()) secret('signature of a webhook', String(signature));
  };

  const requestsThatAreRefused = async (): Promise<void> => {
    for (const number of CARD_NUMBERS) {
      secret('card number', number);
      const places = [
        { token: number },
        { options: [{ provider: 'sandbox', token: 't', data: { [number]: number } }] },
      ];
      for (const payment_method of places) {
        expect(codeOf(await pay({ payment_method }))).toEqual([422, 'validation_failed']);
      }
    }
    const credentials = `http://${marker('user of a URL')}:${marker('password of a URL')}@127.0.0.1:${receiver.port}/`;
    expect(codeOf(await pay({ webhook_endpoint: credentials }))).toEqual([422, 'validation_failed']);
    expect(codeOf(await client.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint: credentials }))).toEqual([
      422,
      'validation_failed',
    ]);
    const stranger = new ApiClient(service.url);
    for (const authorization of [
      `Bearer ${marker('bad token')}`,
      `Bearer a.${marker('payload')}.b`,
      `Basic ${marker('bad Basic')}`,
    ]) {
      expect((await stranger.get('/payments', { authorization })).status).toBe(401);
      const answer = await stranger.post('/auth/token', 'grant_type=client_credentials', { ...FORM, authorization });
      expect(answer.status).toBe(401);
    }
    const wrong = { grant_type: 'client_credentials', client_id: CLIENT.id, client_secret: marker('wrong secret') };
    expect((await stranger.post('/auth/token', wrong)).status).toBe(401);
    const signature = createHmac('sha256', marker('wrong notification secret')).update('{}').digest('hex');
    expect((await client.post(`/providers/sandbox/notifications/${shop.id}`, '{}', { signature })).status).toBe(401);
  };

  const whatNodesParserRefuses = async (): Promise<void> => {
    for (const text of [
      `GET /?x=${marker('bad request line')} HTP/1.1\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: x\r\n${marker('bad header')}\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${marker('large header')}${'x'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
      socket.resume().end(text);
      await once(socket, 'close');
    }
  };

  const errorsOfProvidersAndReceivers = async (): Promise<void> => {
    const tokens = [
      `tok_throw_${marker('token of a payment method')}`,
      'tok_timeout',
      'tok_unavailable',
      marker('unknown token'),
    ];
    const paid = await Promise.all(tokens.map((token) => pay({ payment_method: { token } })));
    expect(paid.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await logged('provider gave no answer');
    const replies: Reply[] = [
      { status: 500, body: marker('answer of 500'), headers: { 'x-reason': marker('header of an answer') } },
      { status: 302, headers: { location: `http://127.0.0.1/?x=${marker('redirect')}` } },
      { misbehaviour: 'reset' },
      { misbehaviour: 'hang' },
    ];
    for (const reply of replies) {
      receiver.respondWith(reply);
      const { id } = dataOf<PaymentAnswer>(await pay());
      await settled(id);
    }
    // as it may have been stored before the service refused addresses with credentials
    receiver.respondWith(200);
    const { id } = dataOf<PaymentAnswer>(await pay());
    await settled(id);
    const old = `http://${marker('user of an old URL')}:${marker('password of an old URL')}@127.0.0.1:${receiver.port}/?x=1`;
    await database.pool.query('UPDATE webhook_deliveries SET webhook_endpoint = $2 WHERE payment_id = $1', [id, old]);
    const { rows } = await database.pool.query<{ id: number }>(
      'SELECT id FROM all_deliveries WHERE payment_id = $1 LIMIT 1',
      [id],
    );
    expect((await client.post(`/webhooks/deliveries/${rows[0]!.id}/retry`)).status).toBe(202);
    await settled(id);
    await logged('"error":"invalid_url"');
  };

  const ourOwnErrors = async (): Promise<void> => {
    const broken = async (sql: string, undo: string, send: () => Promise<ApiResponse>) => {
      await database.pool.query(sql);
      try {
        expect(codeOf(await send())).toEqual([500, 'internal_error']);
      } finally {
        await database.pool.query(undo);
      }
    };
    // PostgreSQL includes the row in the detail of the error …
    await broken(
      'ALTER TABLE customers ADD CONSTRAINT broken CHECK (email IS NULL) NOT VALID',
      'ALTER TABLE customers DROP CONSTRAINT broken',
      () => pay(),
    );
    const customer = aCustomer();
    expect((await pay({ customer })).status).toBe(201);
    await broken('CREATE UNIQUE INDEX broken ON customers (company)', 'DROP INDEX broken', () => pay({ customer }));
    // … and the value in its message
    await broken(
      `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM NEW.payment_session_id::int; RETURN NEW; END';
       CREATE TRIGGER broken BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION broken()`,
      'DROP TRIGGER broken ON payments; DROP FUNCTION broken',
      () => pay(),
    );
    await logged('invalid input syntax for type integer');
    // V8 repeats the text that it cannot parse, in this case the credentials of a shop
    const encryption = new Encryption({ encryptionKeys: [ENCRYPTION_KEY] }, new SystemRandom());
    const damaged = await merchant.createShop('Damaged');
    await database.pool.query('UPDATE shops SET provider_credentials = $2 WHERE id = $1', [
      damaged.id,
      encryption.encrypt(`${marker('credentials')} that are no JSON`, 'shop:provider_credentials'),
    ]);
    const path = `/providers/sandbox/notifications/${damaged.id}`;
    expect(codeOf(await client.post(path, '{}', { signature: marker('signature') }))).toEqual([500, 'internal_error']);
    // a secret that the service can no longer decrypt
    const lost = new Encryption({ encryptionKeys: [randomBytes(32)] }, new SystemRandom());
    const encrypted = lost.encrypt(marker('lost webhook secret'), 'shop:webhook_secret');
    await database.pool.query('UPDATE shops SET webhook_secret = $2 WHERE id = $1', [damaged.id, encrypted]);
    await merchant.createFlow('damaged', [damaged.id]);
    await database.pool.query('UPDATE shops SET provider_credentials = $2 WHERE id = $1', [
      damaged.id,
      encryption.encrypt('{}', 'shop:provider_credentials'),
    ]);
    expect((await pay({ flow_name: 'damaged' })).status).toBe(201);
    await logged('cannot decrypt webhook secrets');
  };

  const aDatabaseOutage = async (): Promise<void> => {
    const operations = await writingOperations();
    await proxy.cut();
    try {
      const sent = operations.map(({ method, path, fields }) => {
        const body =
          path === '/payments' ? aPayment() : Object.fromEntries(fields.map((field) => [field, marker(field)]));
        return client.request(method.toUpperCase(), path, body, {
          ...idempotencyKey(),
          signature: marker('signature'),
        });
      });
      const statuses = (await Promise.all([...sent, pay(), client.get('/payments')])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(2);
      expect(statuses.filter((status) => status === 500)).toEqual([]);
    } finally {
      await proxy.restore();
    }
    await eventually(async () => expect((await pay()).status).toBe(201));
  };

  it('contain every other field and no secret in any situation', async () => {
    await requestsThatSucceed();
    await requestsThatAreRefused();
    await whatNodesParserRefuses();
    await errorsOfProvidersAndReceivers();
    await ourOwnErrors();
    await aDatabaseOutage();
    const id = `request-${randomBytes(8).toString('hex')}`;
    await client.get('/shops', { 'x-request-id': id });
    await logged(id);
    expect(await service.stop()).toBe(0);
    const everything = service.logs();
    const lines = everything.split('\n').filter((line) => line.startsWith('{'));
    const count = (text: string) => lines.filter((line) => line.includes(text)).length;
    expect([count('"msg":"request"') > 50, count('"msg":"webhook attempt"') > 10]).toEqual([true, true]);
    expect([count('"level":"error"') > 3, count('"level":"debug"') > 0]).toEqual([true, true]);
    expect(markers.size).toBeGreaterThan(200);
    expect(markers.leaksIn(everything)).toEqual([]);
    expect(sink.named('payment.insert').length).toBeGreaterThan(5);
    expect(markers.leaksIn(sink.text())).toEqual([]);

    // the check itself finds a marker in every encoding
    const text = marker('a planted marker');
    const found = [expect.stringMatching(/^a planted marker /)];
    // a part of the logs, to save time
    const some = everything.slice(-50_000);
    for (const encode of ENCODINGS) {
      expect(markers.leaksIn(`${some}\n{"msg":"x ${encode(text)}y"}\n`)).toEqual(found);
    }
    for (const shift of ['', '1', '12', '123']) {
      expect(markers.leaksIn(Buffer.from(`{"x":"${shift}${text}"}`).toString('base64'))).toEqual(found);
    }
  }, 600_000);
});
