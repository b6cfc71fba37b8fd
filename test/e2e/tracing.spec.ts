import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/platform/observability/logger.js';
import { startTracing } from '../../src/platform/tracing/start-tracing.js';
import { type Tracing, traceWith, tracing } from '../../src/platform/tracing/tracing.js';
import { ApiClient, served } from '../support/app/api-client.js';
import { dataOf, Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../support/app/merchant.js';
import { testConfig } from '../support/app/application.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { Markers } from '../support/fuzz/markers.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { type SunkSpan, startTraceSink, type TraceSink } from '../support/servers/trace-sink.js';

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-01$/;
const SCALED = {
  WEBHOOK_RETRY_DELAYS_MS: '100,100',
  // attempts and charges are counted, and a busy machine must not cause another one
  WEBHOOK_TIMEOUT_MS: '60000',
  PROVIDER_TIMEOUT_MS: '2000',
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
const logLines = (logs: string, msg: string): Record<string, unknown>[] =>
  logs
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

const start = (entry: 'api' | 'worker', env: Record<string, string>): Promise<RunningService> =>
  startService({ entry, databaseUrl: database.url, env: { ...SCALED, ...env } });
const login = async (api: Pick<RunningService, 'url'>) =>
  new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));

describe('API and worker that send traces', () => {
  const withoutTraces = tracing;
  let sink: TraceSink;
  let started: Tracing;
  let service: InProcessService;
  let merchant: Merchant;
  let shopIds: number[];
  let logs = '';
  const markers = new Markers();

  beforeAll(async () => {
    sink = await startTraceSink();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20sink',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
      OTEL_SERVICE_NAME: 'both',
    };
    started = await startTracing(
      testConfig(env).tracing!,
      createLogger('info', { write: (line) => void (logs += line) }),
    );
    service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env: SCALED });
    merchant = await login(service);
    shopIds = await createShops();
  });
  afterAll(async () => {
    await service.stop();
    traceWith(withoutTraces);
    await started.stop();
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
      resource: { 'service.name': 'both', 'deployment.environment.name': 'tests' },
    });
    const charges = trace.filter(({ name }) => name === 'provider.charge');
    expect(
      charges.map(({ kind, attributes }) => [kind, attributes['shop.id'], attributes['provider.outcome']]),
    ).toEqual([
      [3, shopIds[0], 'soft_declined'],
      [3, shopIds[1], 'approved'],
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
    for (const { links, parentSpanId, kind } of attempts) {
      expect(links).toMatchObject([{ traceId: change.traceId, spanId: change.spanId }]);
      expect([parentSpanId, kind]).toEqual([undefined, 3]);
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
      () => logLines(service.logs(), 'request').find(({ requestId }) => requestId === 'with-ids') ?? null,
    );
    expect([line.trace_id, line.span_id]).toEqual([root.traceId, root.spanId]);
    const retried = await payWithFailingWebhook();
    const failed = await eventually(() => attemptsOf(retried).find(({ hasFailed }) => hasFailed) ?? null);
    const isOfFailed = ({ span_id: id }: Record<string, unknown>) => id === failed.spanId;
    const attempt = await eventually(() => logLines(service.logs(), 'webhook attempt').find(isOfFailed) ?? null);
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

  it('lose only spans when the sink refuses them, and log once that they are lost, and that they are accepted', async () => {
    sink.respondWith(400);
    await pay('checkout');
    await eventually(() => logLines(logs, LOST).length > 0);
    const { length } = sink.requests;
    await pay('checkout');
    await eventually(() => sink.requests.length > length);
    sink.respondWith(TAKEN);
    const accepted = await traceOf(await pay('checkout'));
    expect(accepted[1].length).toBeGreaterThan(1);
    await sees(() => expect(logLines(logs, 'the trace collector accepts spans again')).toHaveLength(1));
    expect(logLines(logs, LOST)).toHaveLength(1);
  });
});

const byTrace = (one: { traceId: string }, other: { traceId: string }) => one.traceId.localeCompare(other.traceId);

it('the processes name themselves, put trace ids into their lines, and stop cleanly, with a sink that hangs or accepts', async () => {
  const sink = await startTraceSink();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url };
  const [api, worker] = await Promise.all([
    start('api', { ...env, OTEL_SERVICE_NAME: 'the-api' }),
    start('worker', { ...env, OTEL_SERVICE_NAME: 'the-worker' }),
  ]);
  const merchant = await login(api);
  await merchant.createFlow('processes', [(await merchant.createShop('processes')).id]);
  const payment = await merchant.pay('processes', { webhook_endpoint: `${receiver.url}/processes` });
  await sees(() => expect(sink.named('webhook.attempt', ['payment.id', payment.id])).toHaveLength(2));
  const namedBy = (name: string) => new Set(sink.named(name).map(({ resource }) => resource['service.name']));
  expect([namedBy('POST /payments'), namedBy('webhook.attempt')]).toEqual([
    new Set(['the-api']),
    new Set(['the-worker']),
  ]);
  const [paid] = sink.named('POST /payments');
  await sees(() => expect(logLines(api.logs(), 'request').map(({ span_id: id }) => id)).toContain(paid!.spanId));

  sink.respondWith({ misbehaviour: 'hang' });
  await merchant.pay('processes', { webhook_endpoint: `${receiver.url}/processes` });
  await eventually(() => receiver.requests.filter(({ url }) => url === '/processes').length === 4);
  expect(await worker.stop()).toBe(0);
  // the sink receives the spans that were finished when the process stopped
  sink.respondWith(TAKEN);
  const { status } = await merchant.api.get('/payments', { 'x-request-id': 'the-last-one' });
  expect([status, await api.stop()]).toEqual([200, 0]);
  expect(sink.named('GET /payments', ['request.id', 'the-last-one'])).toHaveLength(1);
  await sink.stop();
});

// test/e2e/start.spec.ts checks that such a process loads nothing of OpenTelemetry
it('without a sink API and worker store no context and send none', async () => {
  const service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url });
  const merchant = await login(service);
  await merchant.createFlow('without', [(await merchant.createShop('without')).id]);
  const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  const webhook_endpoint = `${receiver.url}/without`;
  const payment = dataOf<PaymentAnswer>(await merchant.tryPay('without', { webhook_endpoint }, { traceparent }));
  const sent = await eventually(() => receiver.requests.find(({ url }) => url === '/without') ?? null);
  expect(sent.headers.traceparent).toBeUndefined();
  const { rows } = await database.pool.query(
    `SELECT FROM payments p WHERE id = $1 AND traceparent IS NOT NULL
      UNION ALL SELECT FROM webhook_bodies b JOIN all_deliveries d ON d.id = b.delivery_id
        WHERE d.payment_id = $1 AND b.traceparent IS NOT NULL`,
    [payment.id],
  );
  expect(rows).toEqual([]);
  await service.stop();
  expect(service.logs()).not.toContain('trace_id');
});
