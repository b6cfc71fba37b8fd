import { readdir, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { PaymentsWorkerModule } from '../../../src/payments/payments-worker.module.js';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import { Database } from '../../../src/platform/database/database.js';
import { type EndedPaymentRow, READ_ENDED } from '../../../src/payments/work/payment-retention.queries.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { reconcile } from '../../support/app/reconciliation.js';
import { DAY_MS } from '../../support/early-in.js';
import { ask } from '../payments/asked-harness.js';
import { scriptNotifications } from '../payments/scripted-events.js';
import { countingJobs } from '../insights/counting-harness.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { startEngine } from '../webhooks/engine-harness.js';
import { age, ArchiveFolder, aRetention, KEPT_DAYS } from './archive-harness.js';

const CARD = { type: 'card', token: 'tok_success', card: { scheme: 'visa', bin: '411111', last4: '7359' } };
const withoutTimes = (answer: unknown) => JSON.stringify(answer).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '');
const CUSTOMER = { email: 'zebra@example.com', first_name: 'Zebra', reference: 'cus-1' };

@Module({ imports: [PaymentsWorkerModule, WebhooksWorkerModule] })
class WorkerFeatures {}

describe('retention of ended payments', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let folder: ArchiveFolder;
  let shopId: number;
  let flow: string;
  let made = 0;

  beforeAll(async () => {
    api = await startApi();
    client = await api.login();
    merchant = new Merchant(client);
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    folder = await ArchiveFolder.create();
    flow = `flow ${++made}`;
    ({ id: shopId } = await merchant.createShop(flow));
    await merchant.createFlow(flow, [shopId]);
  });
  afterEach(async () => {
    await folder.remove();
    // later walks pass the payments that are left
    await query('DELETE FROM provider_notifications');
    await query('DELETE FROM saved_payment_methods');
    await query(`UPDATE payments SET updated_at = now(), created_at = now() - interval '400 days'`);
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query<Row>(text, values)).rows;
  const paid = (fields: Record<string, unknown> = {}): Promise<PaymentAnswer> =>
    merchant.pay(flow, { payment_method: CARD, metadata: { order_id: 'A-1' }, ...fields });
  const many = async (count: number): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count) ids.push((await paid()).id);
    await age(api, ids);
    return ids;
  };
  const left = async (): Promise<number[]> =>
    (await query<{ id: number }>('SELECT id FROM payments WHERE shop_id = $1 ORDER BY id', [shopId])).map(
      ({ id }) => id,
    );
  const rowsOf = async (id: number): Promise<number> => {
    const tables = [
      'payment_attempts',
      'provider_operations',
      'refunds',
      'disputes',
      'payment_status_changes',
      'payment_terms',
    ];
    const counts = tables
      .map((table) => `SELECT count(*)::int AS n FROM ${table} WHERE payment_id = $1`)
      .join(' UNION ALL ');
    return (await query<{ n: number }>(counts, [id])).reduce((sum, { n }) => sum + n, 0);
  };

  describe('which payments stay', () => {
    const DELIVERY = `id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes`;
    const VALUES = `1, p.merchant_id, p.shop_id, 1, p.id, 'payment.status_changed', 'completed', 'http://127.0.0.1:4000/', now()::date, 2`;
    const NOTIFICATION = `INSERT INTO provider_notifications (provider, shop_id, notification_id, payment_id, status, data, received_at, outcome,
      acknowledged_at) SELECT 'sandbox', shop_id, 'n' || id, id, 'refunded', '{}', now() - interval '300 days', $$, ## FROM payments p WHERE id = $1`;
    const notification = (outcome: string, acknowledgedAt = 'NULL') =>
      NOTIFICATION.replace('$$', `'${outcome}'`).replace('##', acknowledgedAt);
    const DISPUTE = `INSERT INTO disputes (merchant_id, shop_id, payment_id, attempt, provider, provider_dispute_id, kind, status, amount,
      currency, opened_at, reported_at, updated_at) SELECT merchant_id, shop_id, id, 1, 'sandbox', 'd' || id, 'chargeback', $$, amount,
      currency, now() - interval '300 days', now(), now() - ## FROM payments WHERE id = $1`;
    const dispute = (status: string, age: string) =>
      DISPUTE.replace('$$', `'${status}'`).replace('##', `interval '${age}'`);
    const REFUND = `INSERT INTO refunds (merchant_id, shop_id, payment_id, attempt, amount, currency, status, origin, created_at, updated_at)
      SELECT merchant_id, shop_id, id, 1, 1, currency, $$, 'api', now() - interval '300 days', now() - ## FROM payments WHERE id = $1`;
    const refund = (status: string, age: string) =>
      REFUND.replace('$$', `'${status}'`).replace('##', `interval '${age}'`);
    const METHOD = `INSERT INTO saved_payment_methods (merchant_id, customer_id, payment_id, options, sealed_tokens, removed_at)
      SELECT merchant_id, 1, id, '[]', '', $$ FROM payments WHERE id = $1`;

    const cases: [what: string, changes: string[], reason: string | null][] = [
      ['an ended payment', [], null],
      [
        'one with a delivery',
        [
          `INSERT INTO webhook_deliveries (${DELIVERY}, status, attempts, attempts_in_run, next_attempt_at) SELECT ${VALUES}, 'failed', 1, 1, NULL FROM payments p WHERE id = $1`,
        ],
        'delivery',
      ],
      [
        'one with a pending delivery',
        [
          `INSERT INTO pending_deliveries (${DELIVERY}, attempts, attempts_in_run, due_at, created_at) SELECT ${VALUES}, 0, 0, 'infinity', now() FROM payments p WHERE id = $1`,
        ],
        'pending_delivery',
      ],
      [
        'one with a new entry in its history',
        [
          `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at) VALUES ($1, 'completed', 'completed', 'refund_failed', now())`,
        ],
        'history',
      ],
      ...['open', 'pending', 'unknown'].map((state): [string, string[], string] => [
        `one with an operation that is ${state}`,
        [`UPDATE provider_operations SET state = '${state}' WHERE payment_id = $1`],
        'operation',
      ]),
      [
        'one with an operation of yesterday',
        [`UPDATE provider_operations SET updated_at = now() - interval '1 day' WHERE payment_id = $1`],
        'operation',
      ],
      ['one with a pending refund', [refund('pending', '300 days')], 'refund'],
      ['one with a refund of yesterday', [refund('succeeded', '1 day')], 'refund'],
      ['one with an old refund', [refund('succeeded', '300 days')], null],
      ['one with an open dispute', [dispute('open', '300 days')], 'dispute'],
      ['one with a dispute under review', [dispute('under_review', '300 days')], 'dispute'],
      ['one with a dispute that was lost yesterday', [dispute('lost', '1 day')], 'dispute'],
      ['one with an old dispute', [dispute('lost', '300 days')], null],
      [
        'one that is looked up',
        [`INSERT INTO due_work (kind, subject_id, part, due_at) VALUES ('look_up', $1, 1, now())`],
        'look_up',
      ],
      ['one with a waiting notification', [notification('waiting')], 'notification'],
      ['one with an open alarm', [notification('alarm')], 'notification'],
      ['one with an acknowledged alarm', [notification('alarm', 'now()')], null],
      ['one with an old notification', [notification('applied')], null],
      [
        'one with an idempotency key',
        [
          `INSERT INTO idempotency_keys (client_id, key, request_hash, payment_id, locked_until) VALUES ('c', 'k' || $1::bigint, '', $1, now())`,
        ],
        'idempotency_key',
      ],
      ['one that saved a payment method', [METHOD.replace('$$', 'NULL')], null],
      [
        'one that saved a payment method and took no money',
        [
          METHOD.replace('$$', 'NULL'),
          `UPDATE payments SET status = 'failed', amount_refunded = 0, amount_captured = 0, amount_authorized = 0 WHERE id = $1`,
        ],
        'unusable_method',
      ],
      [
        'one of a customer who is being erased',
        [
          `INSERT INTO due_work (kind, subject_id, due_at) SELECT 'erasure', customer_id, now() FROM payments WHERE id = $1`,
        ],
        'erasure',
      ],
    ];

    it.each(cases)('%s', async (_, changes, reason) => {
      const { id } = await paid({ customer: CUSTOMER });
      await age(api, [id]);
      for (const change of changes) await query(change, [id]);
      const before = new Date(Date.now() - KEPT_DAYS * DAY_MS);
      expect(await api.get(Database).query<EndedPaymentRow>(READ_ENDED, [[id], before, false])).toMatchObject([
        { id, stays_for: reason },
      ]);
      const { walk } = await aRetention(api, undefined);
      expect(await walk()).toBe(reason === null ? 1 : 0);
      await query("DELETE FROM due_work WHERE kind = 'erasure'");
      await query('DELETE FROM pending_deliveries');
      await query('DELETE FROM webhook_deliveries');
    });

    it.each(['pending', 'processing'])('one that is %s, or that changed yesterday', async (status) => {
      const [open, young] = [await paid(), await paid()];
      await age(api, [open.id, young.id]);
      await query('UPDATE payments SET status = $2 WHERE id = $1', [open.id, status]);
      await query(`UPDATE payments SET updated_at = now() - interval '1 day' WHERE id = $1`, [young.id]);
      const { walk } = await aRetention(api, folder.path);
      expect(await walk()).toBe(0);
      expect(await left()).toEqual([open.id, young.id]);
      expect(await folder.files()).toEqual([]);
    });
  });

  it('writes each payment as a line with its amounts, and no secret, card or address', async () => {
    const payment = await paid({ customer: CUSTOMER, webhook_endpoint: 'http://127.0.0.1:4000/zebra?token=s3cret' });
    await client.post(`/payments/${payment.id}/refunds`, { amount: 10.5, reason: 'Returned' });
    await age(api, [payment.id]);
    const { walk } = await aRetention(api, folder.path);
    expect(await walk()).toBe(1);
    const lines = await folder.lines();
    expect(lines).toMatchObject([
      {
        id: payment.id,
        status: 'completed',
        amount: 49.9,
        currency: 'EUR',
        amount_captured: 49.9,
        amount_refunded: 10.5,
        customer_id: payment.customer!.id,
        metadata: { order_id: 'A-1' },
        payment_method: 'card',
        provider_transaction_id: payment.provider_transaction_id,
        attempts: [{ number: 1, outcome: 'approved' }],
        operations: [
          { kind: 'charge', state: 'confirmed', amount: 49.9 },
          { kind: 'refund', state: 'confirmed', amount: 10.5 },
        ],
        refunds: [{ amount: 10.5, status: 'succeeded', reason: 'Returned' }],
        disputes: [],
      },
    ]);
    expect(lines[0]!['history']).toContainEqual(expect.objectContaining({ to_status: 'completed' }));
    expect(JSON.stringify(lines)).not.toMatch(/7359|411111|tok_success|zebra|s3cret/i);
    expect(await left()).toEqual([]);
    expect(await rowsOf(payment.id)).toBe(0);
    expect((await client.get(`/customers/${payment.customer!.id as number}`)).status).toBe(200);
  });

  it('holds nothing of a customer who was erased', async () => {
    const payment = await paid({ customer: CUSTOMER, metadata: { name: 'zebra' } });
    await client.post(`/payments/${payment.id}/refunds`, { amount: 1, reason: 'zebra moved' });
    await client.post(`/customers/${payment.customer!.id as number}/erase`);
    await query("DELETE FROM due_work WHERE kind = 'erasure'");
    await age(api, [payment.id]);
    await (await aRetention(api, folder.path)).walk();
    expect(JSON.stringify(await folder.lines())).not.toMatch(/zebra/i);
    expect(await folder.lines()).toMatchObject([{ id: payment.id, metadata: null }]);
  });

  it('keeps every sum, report and comparison, and says of the payment that it was archived', async () => {
    const payments = [
      await paid(),
      await paid({ payment_method: { token: 'tok_decline' } }),
      await paid({ customer: CUSTOMER }),
    ];
    await client.post(`/payments/${payments[2]!.id}/refund`);
    await age(
      api,
      payments.map(({ id }) => id),
    );
    await countingJobs(api.database).count();
    const reports = async () => {
      const paths = [
        '/insights/overview',
        '/insights/open-work',
        '/insights/approvals',
        `/shops/${shopId}/stats`,
        `/webhooks/shop/${shopId}/stats`,
      ];
      const answers = await Promise.all(paths.map((path) => client.get(path)));
      const sums = await query(
        'SELECT sum(attempts)::int AS attempts FROM approval_cells UNION ALL SELECT sum(payments)::int FROM webhook_shop_counters UNION ALL SELECT counter::int FROM flow_counters ORDER BY 1',
      );
      return {
        answers: answers.map(({ status, body }) => ({ status, data: withoutTimes(body) })),
        sums,
        reconciled: await reconcile(api),
      };
    };
    const before = await reports();
    expect(before.answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { unknown, disagreements } = before.reconciled;
    expect([...unknown, ...disagreements].filter((charge) => charge.shopId === shopId)).toEqual([]);
    expect(await (await aRetention(api, folder.path)).walk()).toBe(3);
    expect(await reports()).toEqual(before);
    const { id } = payments[0]!;
    for (const path of [
      `/payments/${id}`,
      `/payments/${id}/history`,
      `/payments/${id}/disputes`,
      `/payments/${id}/decision`,
    ])
      expect(await client.get(path)).toMatchObject({ status: 404, body: { code: 'payment_archived' } });
    expect(await client.post(`/payments/${id}/refunds`, { amount: 1 })).toMatchObject({
      status: 404,
      body: { code: 'payment_archived' },
    });
    const other = await api.loginAsAnotherMerchant();
    expect(await other.get(`/payments/${id}`)).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  });

  it('raises an alarm for late news of an archived payment, once, and none for what is known', async () => {
    const payment = await paid({ customer: CUSTOMER });
    await age(api, [payment.id]);
    await (await aRetention(api, folder.path)).walk();
    const late = { id: 'evt_late', status: 'refunded', data: { name: 'zebra' } };
    expect((await merchant.notify(payment, late)).status).toBe(200);
    expect((await merchant.notify(payment, late)).status).toBe(200);
    expect((await merchant.notify(payment, { id: 'evt_known', status: 'completed' })).status).toBe(200);
    const { alarms } = dataOf<{ alarms: object[] }>(await client.get('/insights/open-work'));
    expect(alarms).toMatchObject([{ payment_id: payment.id, reason: 'payment_archived' }]);
    expect(
      await query('SELECT outcome, data FROM provider_notifications WHERE payment_id = $1 ORDER BY id', [payment.id]),
    ).toEqual([
      { outcome: 'alarm', data: {} },
      { outcome: 'ignored', data: {} },
    ]);
  });

  it('raises one alarm if a notification without content asks about an archived payment', async () => {
    const payment = await paid();
    await age(api, [payment.id]);
    await (await aRetention(api, folder.path)).walk();
    const unscripted = scriptNotifications(api);
    for (let times = 0; times < 2; times++)
      expect((await ask(merchant, shopId, [payment.provider_transaction_id])).status).toBe(200);
    unscripted();
    const { alarms } = dataOf<{ alarms: object[] }>(await client.get('/insights/open-work'));
    expect(alarms).toMatchObject([{ payment_id: payment.id, reason: 'payment_archived' }]);
  });

  it('keeps a payment method that an archived payment saved', async () => {
    const method = { token: 'tok_success', type: 'card', save: true };
    const payment = await paid({ customer: CUSTOMER, payment_method: method });
    await age(api, [payment.id]);
    const methods = () => client.get(`/customers/${payment.customer!.id as number}/payment-methods`);
    const before = dataOf<{ id: number }[]>(await methods());
    expect(before).toHaveLength(1);
    await (await aRetention(api, folder.path)).walk();
    expect(await left()).toEqual([]);
    expect(dataOf(await methods())).toEqual(before);
    await paid({ customer_id: payment.customer!.id, payment_method: undefined, payment_method_id: before[0]!.id });
  });

  it('takes the reason of a settlement out of the audit log, where no erasure would find it', async () => {
    const { id } = await paid();
    await age(api, [id]);
    await query(`UPDATE provider_operations SET reason = 'settled as confirmed: by phone' WHERE payment_id = $1`, [id]);
    await query(
      `INSERT INTO audit_entries (merchant_id, actor, action, object_type, object_id, fields, details)
       SELECT merchant_id, 'cli', 'operation.settled', 'payment', id, '{}', '{"outcome":"confirmed","reason":"by phone"}'
       FROM payments WHERE id = $1`,
      [id],
    );
    await (await aRetention(api, folder.path)).walk();
    expect(await folder.lines()).toMatchObject([{ operations: [{ reason: 'settled as confirmed: by phone' }] }]);
    expect(
      await query(`SELECT details FROM audit_entries WHERE object_type = 'payment' AND object_id = $1::text`, [id]),
    ).toEqual([{ details: { outcome: 'confirmed' } }]);
  });

  it('leaves a payment twice in the archive, and never nowhere, if the process dies before the commit', async () => {
    const ids = await many(3);
    const { batch, walk } = await aRetention(api, folder.path);
    const dies = api.get(Database).transaction(async (transaction) => {
      await batch(transaction);
      throw new Error('died');
    });
    await expect(dies).rejects.toThrow('died');
    expect(await left()).toEqual(ids);
    expect((await folder.lines()).map(({ id }) => id)).toEqual(ids);
    // the walk continues after the lost batch, and the next one finds its payments
    expect((await walk()) + (await walk())).toBe(3);
    expect((await folder.lines()).map(({ id }) => id).sort()).toEqual([...ids, ...ids].sort());
    expect(await left()).toEqual([]);
  });

  it('deletes nothing if the archive cannot be written', async () => {
    const ids = await many(2);
    const { walk } = await aRetention(api, folder.path);
    await folder.remove();
    await writeFile(folder.path, 'a file in its place');
    await expect(walk()).rejects.toThrow('ENOTDIR');
    expect(await left()).toEqual(ids);
  });

  it('runs in a worker with the setting', async () => {
    const ids = await many(2);
    await forgetWorkers(api.database.pool);
    const env = { RETENTION_PAYMENTS_DAYS: String(KEPT_DAYS), RETENTION_ARCHIVE: folder.path };
    const worker = await startEngine(WorkerFeatures, api.database.url, env);
    await eventually(async () => expect(await left()).toEqual([]));
    await worker.stop();
    expect((await folder.lines()).map(({ id }) => id)).toEqual(ids);
  });

  it('lets two workers archive at once, each payment once and each in files of its own', async () => {
    const ids = await many(4);
    const [one, other] = [await aRetention(api, folder.path), await aRetention(api, folder.path)];
    await api.get(Database).transaction(async (transaction) => {
      expect(await one.batch(transaction)).toMatchObject({ rows: 4 });
      expect(await other.walk()).toBe(0);
    });
    const more = await many(4);
    expect(
      (await Promise.all([one.walk(), other.walk(), one.walk(), other.walk()])).reduce((sum, n) => sum + n, 0),
    ).toBe(4);
    expect((await folder.lines()).map(({ id }) => id).sort()).toEqual([...ids, ...more].sort());
    expect(await readdir(folder.path)).toHaveLength(1);
    expect(await left()).toEqual([]);
  });
});
