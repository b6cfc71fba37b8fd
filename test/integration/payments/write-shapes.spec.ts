import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FlowRoutingService } from '../../../src/flows/routing/routing.service.js';
import type { CreatePaymentDto } from '../../../src/payments/creation/create-payment.dto.js';
import { PaymentRecorder } from '../../../src/payments/creation/payment-recorder.service.js';
import { type HeldKey, IdempotencyService } from '../../../src/platform/idempotency/idempotency.service.js';
import type { PaymentRow } from '../../../src/payments/money/state/payment.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ShopOutcomesService } from '../../../src/shops/shop-outcomes.service.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { answered, notified } from '../../support/app/charge-facts.js';
import { Merchant } from '../../support/app/merchant.js';

let api: TestApi;
let shopId: number;
let merchantId: number;
let money: MoneyService;

const ENDPOINT = 'http://127.0.0.1:4000/hook';
const APPROVED = answered('captured', { metadata: { 'a "b"': '\\u0000 ü' } });
const nextAction = { type: 'redirect', url: 'https://pay.example/1', method: 'GET' } as const;

beforeAll(async () => {
  api = await sharedApi();
  const merchant = new Merchant(await api.login());
  ({ id: shopId } = await merchant.createShop('only'));
  await merchant.createFlow('checkout', [shopId]);
  money = api.get(MoneyService);
  merchantId = (await sql<{ id: number }>('SELECT merchant_id AS id FROM shops WHERE id = $1', [shopId]))[0]!.id;
});
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

/** Pending payments, recorded concurrently. */
async function insert(count: number, fields: Partial<CreatePaymentDto> = {}, key?: HeldKey): Promise<PaymentRow[]> {
  const request = { flow_name: 'checkout', amount: 10.5, currency: 'EUR', ...fields };
  const routed = await api.get(FlowRoutingService).route(merchantId, request.flow_name, { ...request });
  const given = { method: request.payment_method, facts: {} };
  const one = { merchantId, routed, request, given, agreement: null, knownCustomer: null, key };
  const recorded = await Promise.all(Array.from({ length: count }, () => api.get(PaymentRecorder).insert(one)));
  return recorded.map(({ payment }) => payment);
}

/** Names of the statements with this prefix that `work` runs outside transactions. */
async function statementsOf(beginning: string, work: () => Promise<unknown>): Promise<string[]> {
  const database = api.get(Database);
  const names: string[] = [];
  database.query = (statement, values) => {
    names.push(statement.name);
    return Database.prototype.query.call(database, statement, values) as Promise<never[]>;
  };
  try {
    await work();
  } finally {
    delete (database as Partial<Database>).query;
  }
  return names.filter((name) => name.startsWith(beginning));
}

const TIMES = 'created_at, updated_at, expires_at, started_at, ended_at, at, due_at, next_try_at';
const IDS = `id, payment_id, delivery_id, customer_id, payment_session_id, reference, idempotency_key, event_position, provider_transaction_id, body_bytes`;
const alike = (row: string) => `to_jsonb(${row}) - '{${TIMES}, ${IDS}}'::text[]`;

/** All stored data of a payment except ids and times. */
async function storedOf(id: number): Promise<unknown> {
  const rows = (table: string, order: string) =>
    `(SELECT json_agg(${alike('r')} ORDER BY ${order}) FROM ${table} r WHERE r.payment_id = p.id)`;
  const [stored] = await sql(
    `SELECT ${alike('p')} #- '{decision,reasoning,counter}' AS payment, ${rows('payment_attempts', 'number')} AS attempts,
       ${rows('provider_operations', 'id')} AS operations, ${rows('payment_status_changes', 'id')} AS history,
       ${rows('pending_deliveries', 'id')} AS deliveries,
       (SELECT json_agg(b.day ORDER BY b.delivery_id) FROM webhook_bodies b JOIN pending_deliveries d ON d.id = b.delivery_id
         WHERE d.payment_id = p.id) AS bodies,
       (SELECT ${alike('c')} FROM customers c WHERE c.id = p.customer_id) AS customer
     FROM payments p WHERE p.id = $1`,
    [id],
  );
  return stored;
}

const REQUESTS: [string, Partial<CreatePaymentDto>][] = [
  ['with as little as possible', {}],
  ['with a webhook', { webhook_endpoint: ENDPOINT, country: 'DE' }],
  ['with a customer', { customer: { email: 'ada@example.com', city: 'London' } }],
  ['with metadata', { metadata: { b: 1, a: [1.5, 'ü "quoted" \\ \u2028', null], '10': 0 } }],
  ['of a large amount', { amount: 999_999_999_999.99 }],
];

const CHANGES: [string, Fact][] = [
  ['approved', APPROVED],
  ['declined', answered('declined', { declineCode: 'do_not_honor' })],
  ['waiting for the payer', answered('processing', { nextAction })],
  ['changed by a notification', notified('declined')],
];

describe('a single payment', () => {
  it.each(REQUESTS)('gets the same rows as one in a group, %s', async (_, fields) => {
    let single: PaymentRow[] = [];
    let grouped: PaymentRow[] = [];
    expect(await statementsOf('payments.insert', async () => (single = await insert(1, fields)))).toEqual([
      'payments.insert_one_without_key',
    ]);
    expect(await statementsOf('payments.insert', async () => (grouped = await insert(3, fields)))).toEqual([
      'payments.insert_many_without_keys',
    ]);
    const stored = await storedOf(single[0]!.id);
    for (const { id } of grouped) expect(await storedOf(id)).toEqual(stored);
  });

  it('belongs to its key, and is not inserted if it has lost it', async () => {
    const claimed = await api.get(IdempotencyService).claim({ merchantId, clientId: 'a client' }, 'single', {});
    const key = claimed.state === 'held' ? claimed.key : undefined;
    expect(await statementsOf('payments.insert', () => insert(1, {}, key))).toEqual(['payments.insert_one']);
    const [held] = await sql<{ payment_id: number }>(`SELECT payment_id FROM idempotency_keys WHERE key = 'single'`);
    expect(held!.payment_id).toEqual(expect.any(Number));
    await sql(`UPDATE idempotency_keys SET lock_version = lock_version + 1 WHERE key = 'single'`);
    await expect(insert(1, {}, key)).rejects.toMatchObject({ code: 'idempotency_key_in_flight' });
  });

  it.each(CHANGES)('changes like one in a group, %s', async (_, fact) => {
    const fields = { webhook_endpoint: ENDPOINT, customer: { email: 'ada@example.com' } };
    const [single, ...grouped] = await insert(4, fields);
    const changeAll = (rows: PaymentRow[]) => () => Promise.all(rows.map((row) => money.applyAnswer(row, fact)));
    expect(await statementsOf('payments.write', changeAll([single!]))).toEqual(['payments.write_status']);
    expect(await statementsOf('payments.write', changeAll(grouped))).toEqual(['payments.write_statuses']);
    const stored = await storedOf(single!.id);
    for (const { id } of grouped) expect(await storedOf(id)).toEqual(stored);
  });

  it('gets the same change with and without its lock', async () => {
    const [free, locked] = await insert(2, { webhook_endpoint: ENDPOINT });
    await money.applyAnswer(free!, APPROVED);
    expect(await statementsOf('payments.write', () => money.apply(locked!.id, APPROVED))).toEqual([]);
    expect(await storedOf(locked!.id)).toEqual(await storedOf(free!.id));
  });
});

describe('an outage of a shop', () => {
  const begin = () =>
    sql(
      `INSERT INTO shop_outages (shop_id, began_at, last_fault_at)
       VALUES ($1, now() - interval '10 min', now() - interval '5 min')
       ON CONFLICT (shop_id) DO UPDATE SET ended_at = NULL, last_fault_at = excluded.last_fault_at`,
      [shopId],
    );
  const isOver = async () =>
    (
      await sql<{ over: boolean }>('SELECT ended_at IS NOT NULL AS over FROM shop_outages WHERE shop_id = $1', [shopId])
    )[0]!.over;
  const approve = async (count: number) => {
    const rows = await insert(count);
    return Promise.all(rows.map((row) => money.applyAnswer(row, APPROVED)));
  };

  it('ends with a group of successful payments', async () => {
    await begin();
    await approve(3);
    expect(await isOver()).toBe(true);
  });

  it('ends with a successful payment under its lock', async () => {
    await begin();
    const [row] = await insert(1);
    await money.apply(row!.id, APPROVED);
    expect(await isOver()).toBe(true);
  });

  it('continues after a payment without an outcome for the shop', async () => {
    await begin();
    const [row] = await insert(1);
    await money.applyAnswer(row!, answered('processing'));
    expect(await isOver()).toBe(false);
  });

  it('ends with the next success if ending it fails, and the payment is written anyway', async () => {
    await begin();
    const outcomes = api.get(ShopOutcomesService);
    outcomes.endOutages = () => Promise.reject(new Error('the connection is lost'));
    try {
      expect(await approve(1)).toMatchObject([{ status: 'completed' }]);
    } finally {
      delete (outcomes as Partial<ShopOutcomesService>).endOutages;
    }
    expect(await isOver()).toBe(false);
    await approve(1);
    expect(await isOver()).toBe(true);
  });
});
