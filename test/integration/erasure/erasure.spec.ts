import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuditLogService } from '../../../src/audit/audit-log.service.js';
import { CustomerErasureService } from '../../../src/payments/customers/customer-erasure.service.js';
import { IdempotencyService } from '../../../src/platform/idempotency/idempotency.service.js';
import { PaymentsWorkerModule } from '../../../src/payments/payments-worker.module.js';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { recordSandbox } from '../payments/failover-harness.js';
import { type Engine, startEngine } from '../webhooks/engine-harness.js';

@Module({ imports: [PaymentsWorkerModule, WebhooksWorkerModule] })
class WorkerFeatures {}

interface Delivery {
  id: number;
  payment_id: number;
  status: string;
  request_body: string;
  webhook_endpoint: string;
}

/** Text in every free-text field, and unique values in the other fields. */
const MARKER = 'zebra-marker';
const CARD = { scheme: 'visa', last4: '7359' };
const MARKS = [MARKER, '+99 555 0142 77', '1901-02-03', '""last4"": ""7359""'];

const CUSTOMER = {
  email: `${MARKER}@example.com`,
  phone: '+99 555 0142 77',
  first_name: MARKER,
  last_name: MARKER,
  full_name: MARKER,
  address: MARKER,
  city: MARKER,
  region: MARKER,
  postal_code: MARKER,
  country_code: 'GB',
  date_of_birth: '1901-02-03',
  gender: MARKER,
  company: MARKER,
  vat_number: MARKER,
};

describe('POST /customers/{id}/erase', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let receiver: Receiver;
  let worker: Engine | undefined;
  let flow: string;
  let shopId: number;
  let made = 0;

  beforeAll(async () => {
    [api, receiver] = await Promise.all([startApi(), startReceiver()]);
    client = await api.login();
    merchant = new Merchant(client);
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    receiver.respondWith({ status: 200, body: `thanks, ${MARKER}` });
    flow = `flow ${++made}`;
    ({ id: shopId } = await merchant.createShop(flow));
    await merchant.createFlow(flow, [shopId]);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
    jest.restoreAllMocks();
    // no test sees the webhooks that another one left
    await query('DELETE FROM pending_deliveries');
    await query('DELETE FROM webhook_bodies');
    await query('DELETE FROM webhook_attempts');
    // completed and refunded payments keep it
    await query('UPDATE payments SET webhook_endpoint = $1 WHERE webhook_endpoint IS NOT NULL', [receiver.url]);
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query<Row>(text, values)).rows;
  const startWorker = async (env: Record<string, string> = {}) => {
    await forgetWorkers(api.database.pool);
    worker = await startEngine(WorkerFeatures, api.database.url, env);
  };
  const marked = () => ({ webhook_endpoint: `${receiver.url}/hooks?who=${MARKER}` });
  const pay = (fields: Record<string, unknown> = {}): Promise<PaymentAnswer> =>
    merchant.pay(flow, {
      webhook_endpoint: `${receiver.url}/hooks`,
      metadata: { [MARKER]: { note: [MARKER] } },
      ...fields,
    });
  const erase = (customerId: number) => client.post(`/customers/${customerId}/erase`);
  const customerOf = ({ customer }: PaymentAnswer): number => customer!['id'] as number;
  const deliveries = (paymentId: number) =>
    query<Delivery>('SELECT * FROM all_deliveries WHERE payment_id = $1 ORDER BY id', [paymentId]);
  const isDelivered = (paymentId: number) =>
    eventually(async () => (await deliveries(paymentId)).every(({ status }) => status === 'delivered'));
  /** The tables of the dump in which a mark is found, one entry per line. */
  async function traces(): Promise<string[]> {
    let table = '';
    return (await api.database.dump()).split('\n').flatMap((line) => {
      if (!line.startsWith(' ')) table = line.replace(/_\d{8}$/, '');
      return MARKS.some((mark) => line.includes(mark)) ? [table] : [];
    });
  }
  /** Makes the erasures that no worker has claimed, and the worker's job, due now. */
  async function makeDueNow(): Promise<void> {
    await query(
      `UPDATE due_work SET due_at = now() WHERE kind = 'erasure' AND due_at BETWEEN now() AND now() + interval '2 min'`,
    );
    await query(`UPDATE scheduled_tasks SET next_run_at = now() WHERE name = 'customer erasures'`);
  }
  const isCompleted = (customerId: number) =>
    eventually(
      async () => {
        await makeDueNow();
        return dataOf<{ status: string }>(await erase(customerId)).status === 'completed';
      },
      { intervalMs: 150 },
    );

  /** Creates a customer with three payments, with marks in all data of a customer; all of its webhooks have ended. */
  async function aKnownCustomer(): Promise<{ customerId: number; payments: PaymentAnswer[] }> {
    await startWorker();
    const key = { 'idempotency-key': `order-${made}` };
    const fields = { ...marked(), metadata: { [MARKER]: MARKER }, customer: CUSTOMER };
    const first = dataOf<PaymentAnswer>(await merchant.tryPay(flow, fields, key));
    const customerId = customerOf(first);
    dataOf(await client.post(`/payments/${first.id}/refund`, { reason: MARKER }));
    await isDelivered(first.id);
    const pending = { payment_method: { token: 'tok_pending', card: CARD }, country: 'GB' };
    const second = await pay({ ...marked(), ...pending, customer_id: customerId });
    await query(`UPDATE payments SET provider_metadata = $2 WHERE id = $1`, [second.id, { holder: MARKER }]);
    await query(`UPDATE payment_attempts SET card = $2 WHERE payment_id = $1`, [second.id, CARD]);
    await query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, status, data, outcome, received_at)
      VALUES ('sandbox', $1, 'early', $2, 'processing', $3, 'ignored', now())`,
      [shopId, second.provider_transaction_id, { holder: MARKER }],
    );
    const notification = { id: 'evt', status: 'failed', data: { holder: MARKER } };
    expect((await merchant.notify(second, notification)).status).toBe(200);
    receiver.respondWith({ status: 410, body: MARKER });
    const third = await pay({ ...marked(), customer_id: customerId, payment_method: { token: 'tok_decline' } });
    await eventually(async () => (await deliveries(third.id)).every(({ status }) => status === 'failed'));
    await eventually(async () => (await deliveries(second.id)).every(({ status }) => status !== 'pending'));
    return { customerId, payments: [first, second, third] };
  }

  it('leaves no trace of the customer in any table, and every fact of the ledger', async () => {
    const { customerId, payments } = await aKnownCustomer();
    const facts = () =>
      query(
        `SELECT p.id, amount, currency, country, status, customer_id, payment_session_id, provider_transaction_id, created_at,
          updated_at, decision::text, (SELECT json_agg(h ORDER BY h.id)::text FROM payment_status_changes h WHERE payment_id = p.id),
          (SELECT json_agg(a ORDER BY number)::text FROM payment_attempts a WHERE payment_id = p.id),
          (SELECT json_agg(json_build_array(d.id, d.status, d.attempts, d.created_at, d.delivered_at) ORDER BY d.id)::text
            FROM all_deliveries d WHERE payment_id = p.id)
        FROM payments p WHERE id = ANY ($1) ORDER BY id`,
        [payments.map(({ id }) => id)],
      );
    const before = await facts();
    expect(new Set(await traces())).toEqual(
      new Set([
        'customers',
        'payments',
        'payment_attempts',
        'webhook_deliveries',
        'webhook_bodies',
        'webhook_attempts',
        'provider_operations',
        'refunds',
        'provider_notifications',
        'idempotency_keys',
      ]),
    );
    const answer = await erase(customerId);
    expect(answer).toMatchObject({ status: 202, body: { data: { customer_id: customerId, status: 'pending' } } });
    // the refunded payment
    expect(await traces()).toEqual(['payments']);
    expect(await facts()).toEqual(before);
    expect(await merchant.payment(payments[0]!.id)).toEqual({
      ...payments[0],
      status: 'refunded',
      amount_refunded: 49.9,
      updated_at: expect.any(String),
      customer: { id: customerId },
      metadata: {},
      provider_metadata: {},
    });
    expect(await merchant.payment(payments[1]!.id)).toMatchObject({ webhook_endpoint: receiver.url });
    await isCompleted(customerId);
  });

  it('removes the reasons of settlements from the audit log, and nothing else of it', async () => {
    const payment = await pay({ customer: CUSTOMER });
    const entries = (action: string) =>
      query<{ details: object }>('SELECT * FROM audit_entries WHERE action = $1 AND object_id = $2 ORDER BY id', [
        action,
        String(payment.id),
      ]);
    const actions = ['operation.settlement_requested', 'operation.settled'];
    for (const action of actions) {
      await query(
        `INSERT INTO audit_entries (merchant_id, actor, action, object_type, object_id, fields, details)
        SELECT merchant_id, 'cli', $2, 'payment', id, '{}', $3 FROM payments WHERE id = $1`,
        [payment.id, action, { operation_id: 7, reason: MARKER, currency: 'EUR' }],
      );
    }
    const before = await Promise.all(actions.map(entries));
    dataOf(await erase(customerOf(payment)));
    const redacted = before.map((rows) =>
      rows.map((row) => ({ ...row, details: { operation_id: 7, currency: 'EUR' } })),
    );
    expect(redacted.map((rows) => rows.length)).toEqual([1, 1]);
    expect(await Promise.all(actions.map(entries))).toEqual(redacted);
    const more = `UPDATE audit_entries SET details = '{"operation_id":7}' WHERE object_id = $1`;
    await expect(query(more, [String(payment.id)])).rejects.toThrow('append-only');
  });

  it('changes nothing when repeated, and has one audit entry without personal data', async () => {
    await startWorker();
    const customerId = customerOf(await pay({ customer: CUSTOMER }));
    const first = dataOf<{ erased_at: string }>(await erase(customerId));
    await isCompleted(customerId);
    expect(dataOf(await erase(customerId))).toEqual({ ...first, status: 'completed' });
    const entries = await client.get<{ data: object[] }>(`/audit?object_type=customer&object_id=${customerId}`);
    expect(entries.body.data).toEqual([
      expect.objectContaining({ action: 'customer.erased', fields: [], details: {}, address: '127.0.0.1' }),
    ]);
  });

  it('sends pending webhooks unchanged, and redacts them as soon as they have ended', async () => {
    const payment = await pay({ ...marked(), customer: CUSTOMER });
    const customerId = customerOf(payment);
    const bodies = (await deliveries(payment.id)).map(({ request_body: body }) => body);
    expect(bodies).toHaveLength(2);
    dataOf(await erase(customerId));
    expect(await traces()).toEqual([
      'payments',
      'pending_deliveries',
      'pending_deliveries',
      'webhook_bodies',
      'webhook_bodies',
    ]);
    expect((await deliveries(payment.id)).map(({ request_body: body }) => body)).toEqual(bodies);
    receiver.respondWith(503);
    await startWorker({ WEBHOOK_RETRY_DELAYS_MS: '100,3600000' });
    // the second attempts are recorded, or they would put the deliveries off again
    const inAnHour = `SELECT id FROM pending_deliveries WHERE due_at > now() + interval '10 min'`;
    await eventually(async () => expect(await query(inAnHour)).toHaveLength(2));
    await makeDueNow();
    expect(dataOf(await erase(customerId))).toMatchObject({ status: 'pending' });
    receiver.respondWith({ status: 200, body: MARKER });
    await query(`UPDATE pending_deliveries SET due_at = now()`);
    await isDelivered(payment.id);
    const sent = receiver.requests.map(({ body }) => body.toString());
    expect(new Set(sent.filter((body) => body.includes(`"id":${payment.id},`)))).toEqual(new Set(bodies));
    await isCompleted(customerId);
    // a refund, or its failure, may be reported later, so the webhook address is kept
    expect(await traces()).toEqual(['payments']);
    dataOf(await client.post(`/payments/${payment.id}/refund`));
    await isDelivered(payment.id);
    await isCompleted(customerId);
    expect(await traces()).toEqual(['payments']);
  });

  it('reports it to the full webhook address when a refund fails after the erasure', async () => {
    await startWorker();
    const payment = await pay({ customer: CUSTOMER });
    dataOf(await client.post(`/payments/${payment.id}/refund`));
    await isDelivered(payment.id);
    dataOf(await erase(customerOf(payment)));
    await query(`UPDATE refunds SET provider_refund_id = 're_1' WHERE payment_id = $1`, [payment.id]);
    const failure = { id: `failed ${payment.id}`, status: 'refund_failed', operation_id: 're_1' };
    expect((await merchant.notify(payment, failure)).status).toBe(200);
    await isDelivered(payment.id);
    expect((await merchant.payment(payment.id)).status).toBe('completed');
    const sent = receiver.requests.filter(({ body }) => body.toString().includes(`"id":${payment.id},`));
    expect(sent.map(({ url }) => url)).toEqual(Array(4).fill('/hooks'));
    await isCompleted(customerOf(payment));
  });

  it('redacts the return address of a completed payment, before or after the erasure', async () => {
    const { id } = await merchant.createShop(`returns ${flow}`);
    await merchant.createFlow(`returns ${flow}`, [id]);
    const returning = { return_url: `https://shop.example/${MARKER}?who=${MARKER}`, customer: { reference: flow } };
    const key = { 'idempotency-key': `return-${made}` };
    const done = dataOf<PaymentAnswer>(await merchant.tryPay(`returns ${flow}`, returning, key));
    const atPage = { ...returning, payment_method: { token: 'tok_requires_action' } };
    const open = await merchant.pay(`returns ${flow}`, atPage);
    expect([done.status, open.status, open.next_action]).toEqual(['completed', 'processing', expect.any(Object)]);
    dataOf(await erase(customerOf(done)));
    expect((await traces()).sort()).toEqual(['payments', 'sandbox_transactions']);
    const [kept] = await query<{ id: number }>('SELECT id FROM payments WHERE return_url IS NOT NULL');
    expect(kept).toEqual({ id: open.id });
    await startWorker();
    const page = new URL(open.next_action!.url).pathname;
    expect(await client.post(page, { outcome: 'approve' })).toMatchObject({ status: 303 });
    await eventually(async () => (await merchant.payment(open.id)).status === 'completed');
    await isCompleted(customerOf(open));
    expect(await traces()).toEqual([]);
  });

  it('redacts later data: a refund, a notification', async () => {
    await startWorker();
    const payment = await pay({ customer: CUSTOMER, payment_method: { token: 'tok_pending' } });
    const customerId = customerOf(payment);
    await isDelivered(payment.id);
    dataOf(await erase(customerId));
    await isCompleted(customerId);
    for (const [id, status] of [
      ['evt_a', 'completed'],
      ['evt_b', 'completed'],
      ['evt_c', 'refunded'],
    ] as const) {
      expect((await merchant.notify(payment, { id, status, data: { holder: MARKER } })).status).toBe(200);
      expect(dataOf(await erase(customerId))).toMatchObject({ status: 'pending' });
      await isDelivered(payment.id);
      await isCompleted(customerId);
    }
    const late = (await deliveries(payment.id)).length;
    expect(late).toBe(3);
    const sent = receiver.requests.map(({ body }) => body.toString()).filter((body) => body.includes('"refunded"'));
    expect(JSON.parse(sent.at(-1)!)).toMatchObject({ customer: { id: customerId }, payment: { status: 'refunded' } });
    expect(sent.at(-1)).not.toContain(CUSTOMER.email);
    expect(await traces()).toEqual([]);
  });

  it('prevents another delivery of a redacted webhook', async () => {
    await startWorker();
    const payment = await pay({ customer: CUSTOMER });
    await isDelivered(payment.id);
    dataOf(await erase(customerOf(payment)));
    const [delivery] = await deliveries(payment.id);
    const retried = await client.post(`/webhooks/deliveries/${delivery!.id}/retry`);
    expect(retried).toMatchObject({ status: 409, body: { code: 'delivery_erased' } });
    const span = { from: '2000-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
    expect(dataOf(await client.post(`/webhooks/shop/${shopId}/replay`, span))).toEqual({ count: 0 });
    expect(dataOf(await client.get(`/webhooks/deliveries/${delivery!.id}`))).toMatchObject({
      status: 'delivered',
      request_body: '',
      webhook_endpoint: receiver.url,
      attempts: [{ number: 1, status_code: 200, response_body: null }],
    });
  });

  it('refuses a new payment of the customer, and releases the idempotency key', async () => {
    const customerId = customerOf(await pay({ customer: CUSTOMER, webhook_endpoint: undefined }));
    dataOf(await erase(customerId));
    const refused = await merchant.tryPay(flow, { customer_id: customerId }, { 'idempotency-key': `late-${made}` });
    expect(refused).toMatchObject({ status: 409, body: { code: 'customer_erased' } });
    expect(await query(`SELECT FROM idempotency_keys WHERE key = 'late-${made}'`)).toEqual([]);
  });

  it.each(['change', 'erasure'])('keeps no metadata of a concurrent change, if the %s began first', async (first) => {
    const payment = await pay({ customer: { reference: `racing ${made}` }, metadata: null });
    const audit = api.app.get(AuditLogService);
    const record = audit.record.bind(audit);
    let finish!: () => void;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const recorded = jest.spyOn(audit, 'record').mockImplementationOnce(async (...entry) => {
      await held;
      return record(...entry);
    });
    const change = () => client.patch(`/payments/${payment.id}`, { metadata: { [MARKER]: MARKER } });
    const eraseNow = () => erase(customerOf(payment));
    const begun = first === 'change' ? change() : eraseNow();
    await eventually(() => recorded.mock.calls.length === 1);
    const second = first === 'change' ? eraseNow() : change();
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await query(waiting)).length === 1).finally(finish);
    const [changed, erased] = first === 'change' ? [await begun, await second] : [await second, await begun];
    expect([changed.status, erased.status]).toEqual([first === 'change' ? 200 : 409, 202]);
    expect((await merchant.payment(payment.id)).metadata).toEqual({});
    expect(await query('SELECT FROM payment_terms WHERE payment_id = $1', [payment.id])).toEqual([]);
    const stored = await query<{ found: boolean }>('SELECT p::text LIKE $2 AS found FROM payments p WHERE id = $1', [
      payment.id,
      `%${MARKER}%`,
    ]);
    expect(stored).toEqual([{ found: false }]);
  });

  it('answers a repeat of the payment without the customer, and charges once', async () => {
    const method = { token: 'tok_success', card: CARD };
    const request = { customer: CUSTOMER, metadata: { [MARKER]: 1 }, payment_method: method };
    const key = { 'idempotency-key': `twice-${made}` };
    const payment = dataOf<PaymentAnswer>(await merchant.tryPay(flow, request, key));
    dataOf(await erase(customerOf(payment)));
    const repeat = await merchant.tryPay(flow, request, key);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    const { payment_method: kept } = dataOf<{ payment_method: object }>(await client.get(`/payments/${payment.id}`));
    expect(JSON.stringify(kept)).not.toContain(CARD.last4);
    const erased = { customer: { id: customerOf(payment) }, metadata: {}, payment_method: kept };
    expect(dataOf(repeat)).toEqual({ ...payment, ...erased });
  });

  it('redacts the stored answer of a request that read the customer before', async () => {
    const service = api.get(IdempotencyService);
    const complete = service.complete.bind(service);
    let customerId = 0;
    jest.spyOn(service, 'complete').mockImplementation(async (key, body) => {
      customerId = customerOf((JSON.parse(body) as { data: PaymentAnswer }).data);
      dataOf(await erase(customerId));
      await complete(key, body);
    });
    const key = { 'idempotency-key': `slow-${made}` };
    dataOf(await merchant.tryPay(flow, { customer: CUSTOMER }, key));
    const [stored] = await query<{ response_body: string }>('SELECT * FROM idempotency_keys WHERE key = $1', [
      key['idempotency-key'],
    ]);
    expect(JSON.parse(stored!.response_body)).toMatchObject({ data: { customer: { id: customerId } } });
    expect(await traces()).toEqual([]);
  });

  it('keeps the customer out of webhooks of a payment that was being charged', async () => {
    let erased = 0;
    recordSandbox(api, async ({ paymentId }) => {
      if (erased === 0) dataOf(await erase((erased = customerOf(await merchant.payment(paymentId)))));
    });
    const payment = await pay({ customer: CUSTOMER, webhook_endpoint: `${receiver.url}/late` });
    expect(payment).toMatchObject({ status: 'completed', customer: { id: erased }, metadata: {} });
    expect(await deliveries(payment.id)).toHaveLength(2);
    expect(await traces()).toEqual([]);
    await startWorker();
    await isDelivered(payment.id);
    await isCompleted(erased);
    expect(await traces()).toEqual([]);
  });

  it('continues in the worker when the process dies right after the mark', async () => {
    const payment = await pay({ customer: CUSTOMER, payment_method: { token: 'tok_decline' } });
    const customerId = customerOf(payment);
    jest.spyOn(CustomerErasureService.prototype, 'eraseBatch').mockRejectedValueOnce(new Error('died'));
    expect(dataOf(await erase(customerId))).toMatchObject({ status: 'pending' });
    expect(await merchant.payment(payment.id)).toMatchObject({ customer: { id: customerId } });
    expect(await traces()).toContain('payments');
    await startWorker();
    await isDelivered(payment.id);
    await isCompleted(customerId);
    expect(await traces()).toEqual([]);
  });

  it('erases customers with more payments than one batch', async () => {
    const payment = await pay({ customer: CUSTOMER, webhook_endpoint: undefined });
    const customerId = customerOf(payment);
    await query(
      `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id, payment_provider,
        amount, currency, status, metadata, created_at, updated_at, expires_at)
      SELECT merchant_id, shop_id, flow_id, flow_version, customer_id, n::text, payment_provider, amount, currency, status,
        metadata, created_at, updated_at, expires_at FROM payments, generate_series(1, 900) n WHERE id = $1`,
      [payment.id],
    );
    dataOf(await erase(customerId));
    expect(await traces()).toHaveLength(401);
    await startWorker();
    await isCompleted(customerId);
    expect(await traces()).toEqual([]);
  });
});
