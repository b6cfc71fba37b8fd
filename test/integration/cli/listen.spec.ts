import { cursorBehind } from '../events/events-harness.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { listen, type ListenSettings } from '@payment-orchestrator/client/cli/listen/listen';
import { signBody } from '@payment-orchestrator/receiver/signing';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import { insertClient } from '../../support/app/insert-client.js';
import { Merchant } from '../../support/app/merchant.js';
import { builtFile } from '../../support/app/service.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { temporaryFolder } from '../../support/servers/servers.js';
import { CuttableProxy } from '../http/cuttable-proxy.js';

const SECRET = `whsec_${Buffer.from('a secret of this session').toString('base64')}`;
const main = builtFile('cli', 'main.js');

let api: TestApi;
let credentials: { id: string; secret: string };
let client: ApiClient;
let merchant: Merchant;
let shopId: number;
let receiver: Receiver;
let sessions: Session[] = [];

beforeAll(async () => {
  api = await sharedApi();
  credentials = await insertClient(api.database);
  client = await ApiClient.login(api.url, credentials.id, credentials.secret);
  merchant = new Merchant(client);
  shopId = (await merchant.createShop('Berlin')).id;
  await merchant.createFlow('checkout', [shopId]);
});
afterAll(() => api.stop());

beforeEach(async () => {
  await earlierTransactions(api.database);
  receiver = await startReceiver({ body: 'thanks' });
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.stop()));
  sessions = [];
  await receiver.stop();
});

interface Session {
  out: string;
  err: string;
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Listens in this process until it is stopped or fails. */
function start(given: Partial<ListenSettings> = {}): Session {
  const controller = new AbortController();
  const session: Session = {
    out: '',
    err: '',
    ended: Promise.resolve(),
    stop: async () => {
      controller.abort();
      await session.ended.catch(() => undefined);
    },
  };
  const terminal = {
    environment: () => ({}),
    out: (text: string) => void (session.out += text),
    err: (text: string) => void (session.err += text),
  };
  const settings: ListenSettings = {
    service: { url: api.url, credentials: { token: client.token! } },
    target: { url: `${receiver.url}/webhooks`, secret: SECRET },
    shopId: undefined,
    types: undefined,
    print: 'text',
    replayLast: 0,
    ...given,
  };
  session.ended = listen(settings, terminal, controller.signal);
  session.ended.catch(() => undefined);
  sessions.push(session);
  return session;
}

async function started(given: Partial<ListenSettings> = {}): Promise<Session> {
  const session = start(given);
  await eventually(() => session.err.includes('connected'));
  return session;
}

const received = (count: number) => eventually(() => receiver.requests.length >= count && receiver.requests);

describe('listen', () => {
  it('posts the exact bytes of each webhook, signed with the secret that it shows', async () => {
    const session = await started();
    expect(session.err).toContain(`Webhook secret of this session: ${SECRET}`);
    const payment = await merchant.pay('checkout', {
      webhook_endpoint: 'http://127.0.0.1:4000/',
      metadata: { '2': 'ü', '1': 1e21 },
    });
    await received(2);
    const deliveries = await api.deliveriesOf(payment.id);
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual(deliveries.map((one) => one.request_body));
    for (const { url, headers, body } of receiver.requests) {
      expect([url, headers['signature'], headers['webhook-shop-id']]).toEqual([
        '/webhooks',
        signBody(SECRET, body),
        `${shopId}`,
      ]);
      const verified = new Webhook(SECRET).verify(body.toString(), headers as Record<string, string>);
      expect(verified).toMatchObject({ payment: { id: payment.id } });
    }
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
  });

  it('shows each event with status, latency and response', async () => {
    receiver.respondWith((_, index) => (index === 0 ? { body: 'thanks' } : { status: 500, body: 'no such\norder' }));
    const session = await started();
    const { id } = await merchant.pay('checkout');
    await eventually(() => session.out.includes('no such order'));
    expect(session.out.replace(/\d\d:\d\d:\d\d/g, 'TIME').replace(/\d+ ms/g, 'N ms')).toBe(
      `TIME  payment ${id}  processing  shop ${shopId}  ->  200 OK  N ms\n          thanks\n` +
        `TIME  payment ${id}  completed   shop ${shopId}  ->  500 Internal Server Error  N ms\n          no such order\n`,
    );
    await session.stop();
    expect(session.err).toContain('stopped: 2 events, 2 forwarded, 1 answered with 2xx');
  });

  it('shows a dispute, and posts it nowhere', async () => {
    const payment = await merchant.pay('checkout');
    await cursorBehind(merchant.api, payment.id);
    const session = await started();
    const dispute = { id: 'dp_1', kind: 'chargeback', amount: '49.90', currency: 'EUR' };
    const time = '2026-12-01T00:00:00.000Z';
    for (const [id, fields] of [
      ['report-1', { status: 'open', evidence_due_by: time }],
      ['report-2', { status: 'lost' }],
    ] as const) {
      const report = { id, provider_transaction_id: payment.provider_transaction_id, status: 'disputed' };
      await merchant.sendNotification(shopId, JSON.stringify({ ...report, dispute: { ...dispute, ...fields } }));
    }
    await eventually(() => session.out.includes('is lost'));
    expect(session.out.replace(/\d\d:\d\d:\d\d {2}/g, 'TIME  ')).toMatch(
      new RegExp(
        `^TIME  payment ${payment.id}  dispute \\d+: chargeback of 49.9 EUR is open, evidence due by ${time}  shop ${shopId}\n` +
          `TIME  payment ${payment.id}  dispute \\d+: chargeback of 49.9 EUR is lost  shop ${shopId}\n$`,
      ),
    );
    expect(receiver.requests).toEqual([]);
  });

  it('posts every type that it is asked for, as a standing endpoint gets it, and shows no other', async () => {
    const { id: endpoint } = (
      await client.post<{ data: { id: number } }>('/webhooks/endpoints', {
        url: 'http://127.0.0.1:4000/',
        event_types: ['refund.created', 'flow.activated'],
      })
    ).body.data;
    const session = await started({ types: 'refund.created,flow.activated' });
    const payment = await merchant.pay('checkout');
    await client.post(`/payments/${payment.id}/refunds`, { amount: 1 });
    await merchant.createFlow('asked for', [shopId]);
    const requests = await received(2);
    const { rows } = await api.database.pool.query<{ request_body: string }>(
      'SELECT request_body FROM all_deliveries WHERE endpoint_id = $1 ORDER BY id',
      [endpoint],
    );
    expect(requests.map(({ body }) => body.toString())).toEqual(rows.map((row) => row.request_body));
    expect(requests.map(({ headers }) => headers['webhook-shop-id'])).toEqual([`${shopId}`, undefined]);
    for (const { headers, body } of requests)
      expect(new Webhook(SECRET).verify(body.toString(), headers as Record<string, string>)).toBeDefined();
    expect(
      session.out
        .trim()
        .split('\n')
        .filter((line) => line.includes('->')),
    ).toHaveLength(2);
    expect(session.out).not.toContain('completed ');
    await client.delete(`/webhooks/endpoints/${endpoint}`);
  });

  it('continues after the last event when the connection is lost, and reports the loss', async () => {
    const proxy = await CuttableProxy.before(new URL(api.url));
    const service = { url: proxy.through(api.url).replace(/\/$/, ''), credentials: { token: client.token! } };
    const session = await started({ service });
    const first = await merchant.pay('checkout');
    await received(2);
    await proxy.cut();
    const second = await merchant.pay('checkout');
    await eventually(() => session.err.includes('trying again'));
    await proxy.restore();
    await received(4);
    const paymentIds = receiver.requests.map((request) => request.json<{ payment: { id: number } }>().payment.id);
    expect(paymentIds).toEqual([first.id, first.id, second.id, second.id]);
    await session.stop();
    await proxy.cut();
  });

  it('begins with a number of the latest events of one shop, and prints them as JSON', async () => {
    const { id } = await merchant.pay('checkout');
    await cursorBehind(merchant.api, id);
    const session = await started({ replayLast: 2, print: 'json', shopId });
    await eventually(() => session.out.split('\n').length === 3);
    const lines = session.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, object>);
    expect(lines).toMatchObject([
      {
        event: { payment_id: id, data: { payment: { status: 'processing' } } },
        forwarded: { status: 200, answer: 'thanks' },
      },
      {
        event: { payment_id: id, data: { payment: { status: 'completed' } } },
        forwarded: { status: 200, error: null },
      },
    ]);
  });

  it('shows why a receiver was not reached, and continues', async () => {
    const session = await started({ target: { url: 'http://127.0.0.1:1/', secret: SECRET } });
    await merchant.pay('checkout');
    await eventually(() => session.out.split('\n').length === 3);
    expect(session.out).toMatch(/->\s+\S.*\d+ ms\n.*->/);
  });

  it('changes no deliveries', async () => {
    await merchant.pay('checkout', { webhook_endpoint: 'http://127.0.0.1:4000/' });
    const stored = () =>
      api.database.pool
        .query('SELECT * FROM all_deliveries WHERE shop_id = $1 ORDER BY id', [shopId])
        .then(({ rows }) => rows as object[]);
    const before = await stored();
    await started({ replayLast: 2 });
    await received(2);
    expect(await stored()).toEqual(before);
  });

  it('exits with the reason when the service refuses its token', async () => {
    const wrong = start({ service: { url: api.url, credentials: { token: 'not-a-token' } } });
    await expect(wrong.ended).rejects.toThrow(/^\/events answered 401 Unauthorized: /);
    const blind = start({
      service: { url: api.url, credentials: { token: (await api.login('payments:read')).token! } },
    });
    await expect(blind.ended).rejects.toThrow(/^\/events answered 403 Forbidden: /);
    const unknown = start({ service: { url: api.url, credentials: { clientId: 'unknown', clientSecret: 'nothing' } } });
    await expect(unknown.ended).rejects.toThrow(/^\/auth\/token answered 401 /);
  });

  it('gets a new token when the current one is no longer accepted', async () => {
    let tokens = 0;
    const service = await startReceiver(({ url, headers }) => {
      if (url === '/auth/token') return { body: JSON.stringify({ access_token: `token-${++tokens}` }) };
      const isTaken = headers.authorization === 'Bearer token-2';
      return isTaken ? { body: 'id: a\n\n', headers: { 'content-type': 'text/event-stream' } } : 401;
    });
    const session = await started({
      service: { url: service.url, credentials: { clientId: 'client', clientSecret: 'secret' } },
    });
    const asked = service.requests.find(({ url }) => url === '/auth/token')!;
    expect(asked.body.toString()).toBe('grant_type=client_credentials&scope=webhooks%3Aread');
    expect(tokens).toBe(2);
    await eventually(() => service.requests.some(({ headers }) => headers['last-event-id'] === 'a'));
    await session.stop();
    await service.stop();
  });
});

describe('listen as a program', () => {
  it('works with client credentials, and exits with 0 on Ctrl-C', async () => {
    const environment = {
      LISTEN_URL: api.url,
      LISTEN_CLIENT_ID: credentials.id,
      LISTEN_CLIENT_SECRET: credentials.secret,
    };
    const child: ChildProcess = spawn(process.execPath, [main, 'listen', '--forward-to', `${receiver.url}/hook`], {
      cwd: await temporaryFolder(),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    });
    let text = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (part) => (text += part));
    const exited = once(child, 'exit');
    await eventually(() => text.includes('connected'));
    const { id } = await merchant.pay('checkout');
    await eventually(() => text.includes(`payment ${id}  completed `));
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(text).toContain('stopped: 2 events, 2 forwarded, 2 answered with 2xx');
  });
});
