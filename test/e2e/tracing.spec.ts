import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient, served } from '../support/app/api-client.js';
import { dataOf, Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT, preloading, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { Markers } from '../support/fuzz/markers.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { temporaryFolder } from '../support/servers/servers.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { type SunkSpan, startTraceSink, type TraceSink } from '../support/servers/trace-sink.js';

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-01$/;
const SCALED = {
  WEBHOOK_RETRY_DELAYS_MS: '100,100',
  // attempts and charges are counted, and a busy machine must not cause another one
  WEBHOOK_TIMEOUT_MS: '60000',
  PROVIDER_TIMEOUT_MS: '5000',
  PROVIDER_RECOVERY_DELAYS_MS: '100,200',
};

const LOST = 'the trace collector does not accept spans: they are lost';
const TAKEN = { headers: { 'content-type': 'application/json' }, body: '{}' };

const sees = (check: () => void) => eventually(check);
const only = <T>(found: T[]): T => {
  expect(found).toHaveLength(1);
  return found[0]!;
};
const parts = (traceparent: unknown): { traceId: string; spanId: string } => {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(String(traceparent)) ?? [];
  return { traceId, spanId };
};
const below = (parent: SunkSpan, among: SunkSpan[]) =>
  among.filter(({ parentSpanId }) => parentSpanId === parent.spanId).map(({ name }) => name);
const logLines = (service: RunningService, msg: string): Record<string, unknown>[] =>
  service
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

let database: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
});
afterAll(async () => {
  await receiver.stop();
  await database.drop();
});

const start = (entry: 'api' | 'worker' | 'all', env: Record<string, string> = {}): Promise<RunningService> =>
  startService({ entry, databaseUrl: database.url, env: { ...SCALED, ...env } });
const login = async (api: RunningService) =>
  new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));

describe('API and worker that send traces', () => {
  let sink: TraceSink;
  let api: RunningService;
  let worker: RunningService;
  let merchant: Merchant;
  let shopIds: number[] | undefined;
  /** A test that stops the processes sets this to false, so that the next test starts new ones. */
  let areRunning = false;
  const markers = new Markers();

  beforeAll(async () => {
    sink = await startTraceSink();
  });
  beforeEach(async () => {
    if (areRunning) return;
    sink.respondWith(TAKEN);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20sink',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    };
    [api, worker] = await Promise.all([
      start('api', { ...env, OTEL_SERVICE_NAME: 'the-api' }),
      start('worker', { ...env, OTEL_SERVICE_NAME: 'the-worker' }),
    ]);
    areRunning = true;
    merchant = await login(api);
    shopIds ??= await createShops();
  });
  afterAll(async () => {
    await Promise.all([api.kill(), worker.kill()]);
    await sink.stop();
  });

  async function createShops(): Promise<number[]> {
    const declining = {
      provider_credentials: { notification_secret: NOTIFICATION_SECRET, simulate: 'tok_soft_decline' },
    };
    const shops = [await merchant.createShop('declines', declining), await merchant.createShop('takes')];
    const ids = shops.map(({ id }) => id);
    await merchant.createFlow('checkout', [ids[1]!]);
    dataOf(
      await merchant.api.post('/flows', {
        name: 'fails over',
        strategy: 'priority',
        max_attempts: 2,
        shops: ids.map((shop_id, index) => ({ shop_id, priority: index + 1 })),
      }),
    );
    return ids;
  }

  const pay = async (flow: string, fields: object = {}, headers?: Record<string, string>): Promise<PaymentAnswer> =>
    dataOf(
      await served(() =>
        merchant.tryPay(
          flow,
          { webhook_endpoint: `${receiver.url}/${randomBytes(4).toString('hex')}`, ...fields },
          headers,
        ),
      ),
    );
  /** Makes a payment whose first webhook is answered with 500 once. */
  const payWithFailingWebhook = (): Promise<PaymentAnswer> => {
    const path = `/${randomBytes(4).toString('hex')}`;
    let isFirst = true;
    receiver.respondWith(({ url }) => {
      const status = url === path && isFirst ? 500 : 200;
      isFirst &&= url !== path;
      return status;
    });
    return pay('checkout', { webhook_endpoint: receiver.url + path });
  };
  const attemptsOf = (payment: PaymentAnswer) => sink.named('webhook.attempt', ['payment.id', payment.id]);
  /** Returns the span of the request that made the payment, and all spans of its trace. */
  const traceOf = async (payment: PaymentAnswer): Promise<[root: SunkSpan, trace: SunkSpan[]]> => {
    const root = await eventually(() => sink.named('POST /payments', ['payment.id', payment.id])[0] ?? null);
    return [root, sink.spans().filter(({ traceId }) => traceId === root.traceId)];
  };
  const storedOf = async (payment: PaymentAnswer) =>
    (await database.pool.query<{ traceparent: string }>('SELECT traceparent FROM payments WHERE id = $1', [payment.id]))
      .rows[0]!.traceparent;

  it('show a payment that fails over as one trace, from the request to the commit', async () => {
    const payment = await pay('fails over', {}, { 'x-request-id': 'of-the-test' });
    const [root, trace] = await traceOf(payment);
    expect(below(root, trace)).toEqual([
      'flow.route',
      'payment.insert',
      'provider.charge',
      'payment.fail_over',
      'provider.charge',
      'payment.change_status',
    ]);
    expect(trace).toHaveLength(7);
    expect(root.parentSpanId).toBeUndefined();
    expect(root).toMatchObject({
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/payments',
        'http.response.status_code': 201,
        'request.id': 'of-the-test',
      },
      resource: { 'service.name': 'the-api', 'deployment.environment.name': 'tests' },
    });
    const charges = trace.filter(({ name }) => name === 'provider.charge');
    expect(
      charges.map(({ kind, attributes }) => [kind, attributes['shop.id'], attributes['provider.outcome']]),
    ).toEqual([
      [3, shopIds![0], 'soft_declined'],
      [3, shopIds![1], 'approved'],
    ]);
  });

  it('separate payments that are written together', async () => {
    const payments = await Promise.all(Array.from({ length: 24 }, () => pay('checkout')));
    for (const payment of payments) {
      const [root, trace] = await traceOf(payment);
      await sees(() => expect(attemptsOf(payment)).toHaveLength(2));
      const ids = trace.map(({ attributes }) => attributes['payment.id']).filter((id) => id !== undefined);
      expect(new Set(ids)).toEqual(new Set([payment.id]));
      expect(parts(await storedOf(payment))).toEqual({ traceId: root.traceId, spanId: root.spanId });
      const linked = attemptsOf(payment).flatMap(({ links }) => links.map(({ traceId }) => traceId));
      expect(linked).toEqual([root.traceId, root.traceId]);
    }
  });

  it('link every delivery attempt to its status change, in traces of their own', async () => {
    const payment = await payWithFailingWebhook();
    const [, trace] = await traceOf(payment);
    const change = only(trace.filter(({ name }) => name === 'payment.change_status'));
    await sees(() => expect(attemptsOf(payment)).toHaveLength(3));
    const attempts = attemptsOf(payment);
    for (const { links, parentSpanId, kind, resource } of attempts) {
      expect(links).toMatchObject([{ traceId: change.traceId, spanId: change.spanId }]);
      expect([parentSpanId, kind, resource['service.name']]).toEqual([undefined, 3, 'the-worker']);
    }
    expect(new Set([...attempts, change].map(({ traceId }) => traceId)).size).toBe(4);
    const outcomes = attempts.map(({ attributes, hasFailed }) => [
      attributes['delivery.attempt'],
      attributes['http.response.status_code'],
      hasFailed,
    ]);
    expect(outcomes.sort()).toEqual([
      [1, 200, false],
      [1, 500, true],
      [2, 200, false],
    ]);
  });

  it('send receivers the `traceparent` of the attempt, outside the signed body', async () => {
    const payment = await pay('checkout');
    await sees(() => expect(attemptsOf(payment)).toHaveLength(2));
    const sent = receiver.requests.filter((request) => request.url === new URL(payment.webhook_endpoint!).pathname);
    const spans = attemptsOf(payment).map(({ traceId, spanId }) => ({ traceId, spanId }));
    expect(sent.map(({ headers }) => parts(headers.traceparent)).sort(byTrace)).toEqual(spans.sort(byTrace));
    for (const { body } of sent) expect(body.toString()).not.toMatch(/trace/);
  });

  it('continue the trace of a caller, and begin a trace if the header is invalid', async () => {
    const caller = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
    const [root] = await traceOf(
      await pay('checkout', {}, { traceparent: `00-${caller.traceId}-${caller.spanId}-01` }),
    );
    expect(root).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId });
    const broken = [
      '',
      'x',
      `00-${'0'.repeat(32)}-${caller.spanId}-01`,
      `01-${caller.traceId}-${caller.spanId}-01-${'x'.repeat(500)}`,
    ];
    const payments = await Promise.all(broken.map((traceparent) => pay('checkout', {}, { traceparent })));
    for (const payment of payments) {
      const [own] = await traceOf(payment);
      expect(own.parentSpanId).toBeUndefined();
      expect(own.traceId).not.toBe(caller.traceId);
    }
  });

  it('record nothing of a trace that its caller does not sample, and store and send no context', async () => {
    const caller = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
    const traceparent = `00-${caller.traceId}-${caller.spanId}-00`;
    const silent = await pay('checkout', {}, { traceparent });
    const sampled = await pay('checkout');
    await sees(() => expect(attemptsOf(sampled)).toHaveLength(2));
    const path = new URL(silent.webhook_endpoint!).pathname;
    const sent = await eventually(() => {
      const requests = receiver.requests.filter(({ url }) => url === path);
      return requests.length === 2 ? requests : null;
    });
    expect(sent.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
    expect(await storedOf(silent)).toBeNull();
    expect(sink.spans().filter(({ traceId }) => traceId === caller.traceId)).toEqual([]);
    expect(attemptsOf(silent)).toEqual([]);
  });

  it('link later work to the trace of the payment: notification, refund, recovery, expiry', async () => {
    const origin = async (payment: PaymentAnswer) => parts(await storedOf(payment));
    const linked = async (name: string, payment: PaymentAnswer) => {
      const { traceId, spanId } = await origin(payment);
      await sees(() => {
        const links = sink.named(name).flatMap((span) => span.links);
        expect(links).toContainEqual(expect.objectContaining({ traceId, spanId }));
      });
    };
    // the second payment is answered only after the provider timeout
    const [pending, unanswered, untaken] = await Promise.all(
      ['tok_pending', 'tok_charged_no_answer', 'tok_unavailable'].map((token) =>
        pay('checkout', { payment_method: { token } }),
      ),
    );
    // as if its request had died before it recorded that the shop was unavailable
    const expire = `UPDATE payments SET status = 'pending', expires_at = now() WHERE id = $1`;
    await database.pool.query(expire, [untaken!.id]);
    await merchant.notify(pending!, { id: randomBytes(8).toString('hex'), status: 'completed' });
    await linked('POST /providers/:provider/notifications/:shopId', pending!);
    expect((await merchant.api.post(`/payments/${pending!.id}/refund`, {})).status).toBe(200);
    await linked('POST /payments/:id/refund', pending!);
    await linked('operation.recover', unanswered!);
    await linked('payment.change_statuses', untaken!);
  });

  it('write the ids of spans into log lines', async () => {
    const payment = await pay('checkout', {}, { 'x-request-id': 'with-ids' });
    const [root] = await traceOf(payment);
    const line = await eventually(
      () => logLines(api, 'request').find(({ requestId }) => requestId === 'with-ids') ?? null,
    );
    expect([line.trace_id, line.span_id]).toEqual([root.traceId, root.spanId]);
    const retried = await payWithFailingWebhook();
    const failed = await eventually(() => attemptsOf(retried).find(({ hasFailed }) => hasFailed) ?? null);
    const isOfFailed = ({ span_id: id }: Record<string, unknown>) => id === failed.spanId;
    const attempt = await eventually(() => logLines(worker, 'webhook attempt').find(isOfFailed) ?? null);
    expect(attempt).toMatchObject({
      trace_id: failed.traceId,
      deliveryId: failed.attributes['delivery.id'],
      statusCode: 500,
    });
  });

  it('send the sink no personal data, no secret and no body', async () => {
    const marker = (name: string) => markers.create(name);
    markers.add('client secret', BOOTSTRAP_CLIENT.secret);
    markers.add('access token', merchant.api.token!);
    markers.add('notification secret', NOTIFICATION_SECRET);
    const endpoint = `${receiver.url}/${marker('path of the endpoint')}?key=${marker('query of the endpoint')}`;
    const payment = await pay(
      'checkout',
      {
        webhook_endpoint: endpoint,
        customer: {
          email: `${marker('e-mail')}@example.com`,
          first_name: marker('first name'),
          last_name: marker('last name'),
        },
        payment_method: { token: `tok_${marker('card token')}` },
        metadata: { [marker('key of metadata')]: marker('metadata') },
        payment_session_id: marker('payment session'),
      },
      { 'idempotency-key': marker('idempotency key') },
    );
    await merchant.tryPay(marker('name of no flow'));
    await merchant.api.get(`/${marker('unknown path')}?email=${marker('query')}`);
    await sees(() => expect(attemptsOf(payment).length).toBeGreaterThan(0));
    await traceOf(payment);
    expect(markers.leaksIn(sink.text())).toEqual([]);
    expect(sink.requests[0]!.headers['x-key']).toBe('of the sink');
  });

  it('lose only spans when a sink fails, log it once, stop without delay, and continue when the sink works again', async () => {
    areRunning = false;
    sink.respondWith({ misbehaviour: 'hang' });
    await pay('checkout');
    await eventually(() => logLines(worker, LOST).length > 0);
    await pay('checkout');
    expect(await worker.stop()).toBe(0);
    expect(logLines(worker, LOST)).toHaveLength(1);

    sink.respondWith(500);
    await merchant.api.get('/payments');
    await eventually(() => logLines(api, LOST).length > 0);
    const { length } = sink.requests;
    await merchant.api.get('/payments');
    await eventually(() => sink.requests.slice(length).some(({ body }) => body.includes('the-api')));
    // the sink receives the later spans, and those that were finished when the process stopped
    sink.respondWith(TAKEN);
    sink.requests.length = 0;
    const { status } = await merchant.api.get('/payments', { 'x-request-id': 'the-last-one' });
    expect([status, await api.stop()]).toEqual([200, 0]);
    expect(sink.named('GET /payments', ['request.id', 'the-last-one'])).toHaveLength(1);
    // repeated losses are logged once
    expect(logLines(api, LOST)).toHaveLength(1);
  });
});

const byTrace = (one: { traceId: string }, other: { traceId: string }) => one.traceId.localeCompare(other.traceId);

it('an unreachable sink causes only the loss of spans, is logged once and delays no stop', async () => {
  const sink = await startTraceSink();
  await sink.stop();
  const api = await start('api', { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
  const merchant = await login(api);
  await merchant.createFlow('away', [(await merchant.createShop('away')).id]);
  await merchant.pay('away');
  await eventually(() => logLines(api, LOST).length > 0);
  await merchant.pay('away');
  expect(await api.stop()).toBe(0);
  expect(logLines(api, LOST)).toHaveLength(1);
});

describe('without a sink', () => {
  it('API and worker load nothing of OpenTelemetry, store no context and send none', async () => {
    const listed = join(await temporaryFolder(), 'listed');
    const service = await start('all', { NODE_OPTIONS: preloading('listed-modules.mjs'), LISTED_MODULES: listed });
    const merchant = await login(service);
    const flow = randomBytes(4).toString('hex');
    await merchant.createFlow(flow, [(await merchant.createShop(flow)).id]);
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
    const webhook_endpoint = `${receiver.url}/${flow}`;
    const payment = dataOf<PaymentAnswer>(await merchant.tryPay(flow, { webhook_endpoint }, { traceparent }));
    const sent = await eventually(() => receiver.requests.find(({ url }) => url === `/${flow}`) ?? null);
    expect(sent.headers.traceparent).toBeUndefined();
    const { rows } = await database.pool.query(
      `SELECT FROM payments p WHERE id = $1 AND traceparent IS NOT NULL
      UNION ALL SELECT FROM webhook_bodies b JOIN all_deliveries d ON d.id = b.delivery_id
        WHERE d.payment_id = $1 AND b.traceparent IS NOT NULL`,
      [payment.id],
    );
    expect(rows).toEqual([]);
    expect(await service.stop()).toBe(0);
    const loaded = readFileSync(listed, 'utf8').split('\n');
    for (const root of ['api.module', 'worker.module']) {
      expect(loaded.filter((file) => file.includes(`/${root}.`))).toHaveLength(1);
    }
    expect(loaded.some((file) => /[/]pino[/.]/.test(file))).toBe(true);
    // prom-client loads @opentelemetry/api, which does nothing by itself
    const isOurs = (file: string) => /open-?telemetry/.test(file) && !file.includes('/@opentelemetry/api/');
    expect(loaded.filter(isOurs)).toEqual([]);
    expect(service.logs()).not.toContain('trace_id');
  });
});
