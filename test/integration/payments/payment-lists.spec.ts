import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ListFilter, listPayments, stepsOf } from '../../../src/payments/listing/payment-lists.queries.js';
import { type CustomerFilterName, listCustomers } from '../../../src/payments/customers/customer-lists.queries.js';
import { SEARCH_CUSTOMERS, SEARCH_PAYMENTS, SEARCH_REFUNDS } from '../../../src/payments/listing/search.queries.js';
import type { Statement } from '../../../src/platform/database/database.js';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { explained } from '../webhooks/explained.js';
import { aFlowOver, attemptsOf } from './failover-harness.js';

let api: TestApi;
let merchant: Merchant;
let otherClient: ApiClient;

beforeAll(async () => {
  api = await startApi();
  merchant = new Merchant(await api.login());
  otherClient = await api.loginAsAnotherMerchant();
});
afterAll(() => api.stop());

/** The ids of all pages. */
const pagesOf = async (query: string): Promise<number[]> => {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: PageAnswer } = await merchant.api.get<PageAnswer>(
      `/payments?${query}${cursor && `&cursor=${cursor}`}`,
    );
    ids.push(...body.data.map(({ id }) => id));
    cursor = body.pagination.next_cursor;
  }
  return ids;
};

interface PageAnswer {
  data: PaymentAnswer[];
  pagination: { next_cursor: string | null };
}

const found = async (query: object, caller = merchant.api): Promise<number[]> => {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  return dataOf<PaymentAnswer[]>(await caller.get(`/payments?${text}`)).map(({ id }) => id);
};

describe('payments by the transaction id of a provider', () => {
  it('match the id of the present attempt and of an earlier one', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_success'], 2);
    const payment = await merchant.pay(flow);
    const ids = (await attemptsOf(merchant, payment.id)).map((attempt) => attempt.provider_transaction_id!);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(await found({ provider_transaction_id: id })).toEqual([payment.id]);
    expect(await found({ provider_transaction_id: ids[0]!, status: 'failed' })).toEqual([]);
  });

  it('appear newest first if several shops of the merchant use the same id', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const { flow: other } = await aFlowOver(merchant, ['tok_success']);
    const payments = [await merchant.pay(flow), await merchant.pay(other)];
    const ids = payments.map(({ id }) => id);
    await api.database.pool.query(`UPDATE payments SET provider_transaction_id = 'the-same' WHERE id = ANY ($1)`, [
      ids,
    ]);
    expect(await found({ provider_transaction_id: 'the-same' })).toEqual(ids.reverse());
    const shopId = payments[0]!.shop.id;
    expect(await found({ provider_transaction_id: 'the-same', shop_id: shopId })).toEqual([payments[0]!.id]);
  });
});

describe('payments by a part of what people know', () => {
  it('match an order, a customer, an amount and a card, only of this merchant', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const card = { scheme: 'visa', last4: '9731' };
    const customer = { email: 'Grace.Hopper@navy.example', full_name: 'Grace Hopper', reference: 'payer-99' };
    const body = {
      amount: 1_240.5,
      currency: 'CHF',
      customer,
      metadata: { order_id: 'Z-77001', items: [{ sku: 'Q-5' }] },
    };
    const { id } = await merchant.pay(flow, { ...body, payment_method: { token: 'tok_success', card } });
    const other = await merchant.pay(flow, { amount: 42.42, metadata: { note: 'not Z-77' } });
    for (const search of ['z-77', 'hopper@', 'GRACE', 'payer-9', '9731', '1240.50', "1'240,50 chf", 'CHF 1240.5']) {
      expect([search, await found({ search })]).toEqual([search, [id]]);
      expect(await found({ search }, otherClient)).toEqual([]);
    }
    expect(await found({ search: '1240.5 EUR' })).toEqual([]);
    expect(await found({ search: '42,42' })).toEqual([other.id]);
    expect(await found({ search: 'z-77', status: 'failed' })).toEqual([]);
    expect((await merchant.api.get('/payments?search=x')).status).toBe(400);
  });
});

describe('payments of a customer', () => {
  it("match our id and the merchant's own, only for this merchant", async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const customer = { reference: 'user-4711' };
    const ids = [(await merchant.pay(flow, { customer })).id, (await merchant.pay(flow, { customer })).id].reverse();
    await merchant.pay(flow, { customer: { reference: 'user-4712' } });
    const customerId = (await merchant.payment(ids[0]!)).customer!['id'] as number;
    for (const query of [{ customer_id: customerId }, { customer_reference: 'user-4711' }]) {
      expect(await found(query)).toEqual(ids);
      expect(await found({ ...query, limit: 1 })).toEqual(ids.slice(0, 1));
      expect(await found({ ...query, status: 'failed' })).toEqual([]);
      expect(await found(query, otherClient)).toEqual([]);
    }
  });
});

describe('payments for finance', () => {
  it('match any of several statuses', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const [completed, refunded] = [await merchant.pay(flow), await merchant.pay(flow)];
    dataOf(await merchant.api.post(`/payments/${refunded.id}/refund`));
    const flowId = completed.flow_id;
    expect(await found({ flow_id: flowId, status: 'completed,refunded' })).toEqual([refunded.id, completed.id]);
    expect(await found({ flow_id: flowId, status: 'refunded,failed' })).toEqual([refunded.id]);
    expect((await merchant.api.get('/payments?status=completed,open')).body).toMatchObject({
      errors: [{ field: 'status' }],
    });
  });

  it('say when they were captured, also after a refund', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const answer = (await merchant.pay(flow)) as PaymentAnswer & { captured_at: string | null };
    const history = dataOf<{ to: string; at: string }[]>(await merchant.api.get(`/payments/${answer.id}/history`));
    expect(answer.captured_at).toBe(history.find(({ to }) => to === 'completed')!.at);
    const refunded = dataOf(await merchant.api.post(`/payments/${answer.id}/refund`));
    expect(refunded).toMatchObject({ status: 'refunded', captured_at: answer.captured_at });
    expect(await merchant.payment(answer.id)).toMatchObject({ captured_at: answer.captured_at });
    const held = await merchant.pay(flow, { capture: 'manual' });
    expect(held).toMatchObject({ captured_at: null });
    const captured = dataOf(await merchant.api.post(`/payments/${held.id}/capture`));
    expect(captured).toMatchObject({ status: 'completed', captured_at: expect.any(String) });
    expect(await merchant.payment(held.id)).toEqual(captured);
  });

  it('match the time of their latest change', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const [early, late] = [await merchant.pay(flow), await merchant.pay(flow)];
    const refunded = dataOf<PaymentAnswer>(await merchant.api.post(`/payments/${early.id}/refund`));
    const query = { flow_id: early.flow_id, updated_from: refunded.updated_at };
    expect(await found(query)).toEqual([early.id]);
    expect(await found({ ...query, updated_from: late.updated_at })).toEqual([late.id, early.id]);
  });
});

describe('payments of a span of time', () => {
  it('include its start and exclude its end', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_success']);
    const payments = [await merchant.pay(flow), await merchant.pay(flow), await merchant.pay(flow)];
    const ids = payments.map(({ id }) => id);
    const at = (ms: number): string => new Date(Date.now() + 3_600_000 + ms).toISOString();
    const times = [at(0), at(1), at(2)];
    for (const [index, id] of ids.entries())
      await api.database.pool.query('UPDATE payments SET created_at = $2 WHERE id = $1', [id, times[index]]);
    expect(await found({ from: times[0]!, to: times[2]! })).toEqual([ids[1], ids[0]]);
    expect(await found({ from: times[1]!, limit: 1 })).toEqual([ids[2]]);
    expect(await found({ from: times[1]!, flow_id: payments[0]!.flow_id })).toEqual([ids[2], ids[1]]);
    expect(await found({ from: times[0]!, status: 'failed' })).toEqual([]);
    expect(await found({ from: times[2]!, to: times[0]! })).toEqual([]);
    expect(await found({ from: times[0]! }, otherClient)).toEqual([]);
  });

  it.each(['from=yesterday', 'to=2026-11-21', 'customer_id=0', 'customer_reference=', 'provider_transaction_id='])(
    'refuses %s',
    async (query) => {
      const { body } = await merchant.api.get(`/payments?${query}`);
      expect(body).toMatchObject({ code: 'malformed_request', errors: [{ field: query.split('=')[0] }] });
    },
  );
});

describe('a list of a merchant with many payments', () => {
  const PAYMENTS = 12_500;
  const MAX_ID = Number.MAX_SAFE_INTEGER;
  const FIRST = 1_000_000;
  const ALL = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'];

  let merchantId: number;

  beforeAll(async () => {
    const payment = await merchant.pay((await aFlowOver(merchant, ['tok_success'])).flow);
    const { rows } = await api.database.pool.query<{ merchant_id: number }>('SELECT merchant_id FROM shops LIMIT 1');
    merchantId = rows[0]!.merchant_id;
    await api.database.pool.query(
      `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
        currency, status, provider_transaction_id, customer_id, created_at, updated_at, expires_at, metadata)
       SELECT ${FIRST} + n, $2, 9000 + n % 20, $1, 1, 'ps ' || n, 'sandbox', 1, 'EUR',
         CASE WHEN n % 500 = 0 THEN 'failed' ELSE 'completed' END, 'tx ' || n, 9000 + n % 50,
         '2026-01-01'::timestamptz + n * interval '2 s', now(), now(),
         json_build_object('order_id', 'A-' || n, 'channel', 'web') FROM generate_series(1, ${PAYMENTS}) n`,
      [payment.flow_id, merchantId],
    );
    for (const text of [
      `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, outcome, started_at, ended_at)
        SELECT id, 1, shop_id, 'sandbox', 'old ' || id, 'soft_declined', now(), now() FROM payments WHERE id > ${FIRST}`,
      `INSERT INTO shops SELECT (jsonb_populate_record(NULL::shops, to_jsonb(s) || jsonb_build_object('id', 9000 + n, 'name', n))).*
        FROM (SELECT * FROM shops LIMIT 1) s, generate_series(0, 19) n`,
      `INSERT INTO customers (id, merchant_id, reference, email)
        SELECT 9000 + n, ${merchantId}, 'user ' || n, 'ada' || n || '@example.com' FROM generate_series(0, 49) n`,
      `INSERT INTO customers (id, merchant_id, reference, email)
        SELECT ${FIRST} + n, ${merchantId}, 'buyer ' || n, 'shared@example.com' FROM generate_series(1, ${PAYMENTS}) n`,
      `INSERT INTO customers (id, merchant_id, reference, email) VALUES (9100, ${merchantId}, 'user 100', 'ada100@example.com')`,
      `UPDATE payments SET customer_id = 9100, payment_session_id = 'ps guest' WHERE id > ${FIRST} AND id % 2 = 0`,
      'ANALYZE payments, payment_terms, shops, customers, payment_attempts',
    ])
      await api.database.pool.query(text);
  });
  // their ids are above those of later payments, and their times before: the search by time uses ids
  afterAll(async () => void (await api.database.pool.query('TRUNCATE payments, payment_terms CASCADE')));

  const CASES: [ListFilter[], unknown[], string[], [from: number, below: number]][] = [
    [['transactionId'], ['tx 777'], ALL, [0, MAX_ID]],
    [['transactionId', 'shopId', 'from'], ['tx 777', 9017, '2026-01-01'], ALL, [0, MAX_ID]],
    [['customerId'], [9007], ALL, [0, MAX_ID]],
    [['customerReference'], ['user 7'], ALL, [0, MAX_ID]],
    [['customerReference', 'to'], ['user 7', '2026-02-01'], ['completed'], [0, FIRST + 7_500]],
    [['from', 'to'], ['2026-01-01T05:00Z', '2026-01-01T06:00Z'], ALL, [FIRST + 8_970, FIRST + 10_830]],
    [
      ['shopId', 'from'],
      [9003, '2026-01-01T05:00Z'],
      ['failed', 'completed'],
      [FIRST + 8_970, MAX_ID],
    ],
    [['sessionId'], ['ps 777'], ALL, [0, MAX_ID]],
    [[], [], ALL, [0, MAX_ID]],
    [['customerEmail'], ['ADA7@example.com'], ALL, [0, MAX_ID]],
    [['customerEmail', 'shopId', 'from'], ['ada7@example.com', 9007, '2026-01-01'], ALL, [0, MAX_ID]],
    [['metadataKey', 'metadataValue'], ['order_id', 'A-777'], ALL, [0, MAX_ID]],
    [['metadataKey', 'metadataValue'], ['channel', 'web'], ALL, [0, MAX_ID]],
    [['metadataKey', 'metadataValue'], ['channel', 'web'], ['completed'], [0, FIRST + 7_500]],
    [['metadataKey', 'metadataValue', 'moreMetadata'], ['order_id', 'A-777', '{"channel":"web"}'], ALL, [0, MAX_ID]],
    [['from', 'updatedFrom'], ['2026-01-01T05:00Z', '2026-01-01T05:00Z'], ALL, [FIRST + 8_970, MAX_ID]],
    [['metadataKey', 'metadataValue', 'from'], ['channel', 'web', '2026-01-01'], ALL, [0, MAX_ID]],
    [['customerEmail', 'metadataKey', 'metadataValue'], ['ada7@example.com', 'order_id', 'A-57'], ALL, [0, MAX_ID]],
  ];

  const WHOLE = /^(payments|payment_terms|payment_attempts|customers) (whole|by .*created_at)/;

  const expectIndexes = async (statement: Statement, values: unknown[], maxRows: number): Promise<void> => {
    const client = await api.database.pool.connect();
    await configureSession(client);
    try {
      for (const kind of ['generic', 'custom'] as const) {
        await client.query('BEGIN');
        const { reads, rows } = await explained(client, statement, values, kind);
        await client.query('ROLLBACK');
        expect(reads.filter((read) => WHOLE.test(read))).toEqual([]);
        expect(rows).toBeLessThan(maxRows);
      }
    } finally {
      client.release();
    }
  };

  it.each(CASES)('uses an index with the filters %j', async (given, values, statuses, [from, below]) => {
    const [count] = stepsOf(given, statuses !== ALL, 20);
    const parameters = [merchantId, statuses, below, 21, from, ...values, count];
    await expectIndexes(listPayments(given), parameters, count === 21 ? 800 : 2_600);
  });

  /** Filters that all payments meet, or all of one customer, address, session or shop, with one that none meets. */
  const RARE: [ListFilter[], unknown[], string[], [from: number, below: number]][] = [
    [['metadataKey', 'metadataValue'], ['channel', 'web'], ['pending'], [0, MAX_ID]],
    [['metadataKey', 'metadataValue', 'from'], ['channel', 'web', '2030-01-01'], ALL, [0, MAX_ID]],
    [['shopId', 'flowId'], [9003, 1], ALL, [0, MAX_ID]],
    [['shopId', 'to'], [9003, '2020-01-01'], ['completed'], [0, MAX_ID]],
    [['customerId'], [9100], ['pending'], [0, MAX_ID]],
    [['customerId', 'from'], [9100, '2026-01-01'], ALL, [FIRST + 12_400, MAX_ID]],
    [['customerReference'], ['user 100'], ['pending'], [0, MAX_ID]],
    [['customerEmail'], ['ada100@example.com'], ['pending'], [0, MAX_ID]],
    [['customerReference', 'metadataKey', 'metadataValue'], ['user 100', 'channel', 'none'], ALL, [0, MAX_ID]],
    [['sessionId'], ['ps guest'], ['pending'], [0, MAX_ID]],
    [['sessionId', 'from'], ['ps guest', '2026-01-01'], ALL, [FIRST + 12_400, MAX_ID]],
    [['updatedFrom'], ['2030-01-01'], ALL, [0, MAX_ID]],
    [['metadataKey', 'metadataValue', 'moreMetadata'], ['channel', 'web', '{"a":"b"}'], ALL, [0, MAX_ID]],
  ];

  it.each(RARE)('reads a bounded number of payments with %j that never meet', async (given, values, statuses, ids) => {
    const [from, below] = ids;
    await expectIndexes(listPayments(given), [merchantId, statuses, below, 21, from, ...values, 500], 2_600);
  });

  it('of each kind has a next page although the payments that it looked at match rarely', async () => {
    const queries = ['metadata[channel]=web', 'customer_reference=user 100', 'payment_session_id=ps guest', ''];
    for (const query of queries) {
      const all = await pagesOf(`${query}&status=failed&limit=100`);
      expect(all.length).toBeGreaterThan(20);
      const pages = await pagesOf(`${query}&status=failed&limit=10`);
      expect([query, pages]).toEqual([query, all]);
    }
  });

  it('reads at most five hundred customers with an address', async () => {
    const values = [merchantId, ALL, MAX_ID, 21, 0, 'shared@example.com', 21];
    await expectIndexes(listPayments(['customerEmail']), values, 2_500);
  });

  const CUSTOMERS: [CustomerFilterName[], unknown[]][] = [
    [[], []],
    [['reference'], ['buyer 777']],
    [['email'], ['shared@example.com']],
    [['email'], ['unknown@example.com']],
    [
      ['reference', 'email'],
      ['buyer 777', 'shared@example.com'],
    ],
    [
      ['reference', 'email'],
      ['no customer', 'shared@example.com'],
    ],
  ];

  it.each(CUSTOMERS)('of customers uses an index with the filters %j', async (given, values) => {
    await expectIndexes(listCustomers(given), [merchantId, MAX_ID, 21, ...values], 200);
  });

  const TEXTS = [
    'A-777',
    'web',
    'ps 777',
    'tx 777',
    'old 1000777',
    'buyer 777',
    'shared@example.com',
    'nothing',
    '1000777',
  ];
  const SEARCHES = TEXTS.flatMap((text) =>
    [SEARCH_PAYMENTS, SEARCH_CUSTOMERS, SEARCH_REFUNDS].map((statement) => [statement.name, text, statement] as const),
  );

  it.each(SEARCHES)('%s reads few rows for %s', async (_, text, statement) => {
    await expectIndexes(statement, [merchantId, text, Number(text) || null, 5], 500);
  });
});
