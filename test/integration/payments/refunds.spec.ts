import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient, type ApiResponse } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { LedgerProvider } from './ledger-provider.js';

interface RefundAnswer {
  id: number;
  payment_id: number;
  amount: number;
  status: string;
  metadata: Record<string, unknown>;
  provider_refund_id: string | null;
  failure_code: string | null;
}

let api: TestApi;
let merchant: Merchant;
let other: Merchant;
let provider: LedgerProvider;
let flow: string;
let flows = 0;

/** The same for all processes, so that they take each other's tokens. */
const SETTINGS = { PROVIDER_TIMEOUT_MS: '2000', JWT_SECRET: 'of-the-tests-of-refunds-of-two-processes' };

beforeAll(async () => {
  api = await startApi(SETTINGS, { lockTimeoutMs: 30_000 });
  merchant = new Merchant(await api.login());
  other = new Merchant(await api.loginAsAnotherMerchant());
});
beforeEach(async () => {
  provider = new LedgerProvider(api);
  flow = `flow ${(flows += 1)}`;
  await merchant.createFlow(flow, [(await merchant.createShop(flow)).id]);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay(flow, fields);
const refund = (
  { id }: { id: number },
  body: Record<string, unknown> = {},
  key?: string,
  by = merchant.api,
): Promise<ApiResponse> =>
  by.request('POST', `/payments/${id}/refunds`, body, key === undefined ? {} : { 'idempotency-key': key });
const refunded = async (payment: { id: number }, body: Record<string, unknown> = {}, key?: string) =>
  dataOf<RefundAnswer>(await refund(payment, body, key));
const refundsOf = async ({ id }: { id: number }, query = '') =>
  dataOf<RefundAnswer[]>(await merchant.api.get(`/payments/${id}/refunds${query}`));
const amountsOf = async ({ id }: { id: number }) => {
  const payment = await merchant.payment(id);
  return [payment.status, payment.amount_captured, payment.amount_refunded];
};
const problemOf = ({ status, body }: ApiResponse) => [status, (body as { code: string }).code];
const heldOf = ({ id }: { id: number }) =>
  [...provider.entries].find(([reference]) =>
    provider.calls.some((call) => call.paymentId === id && call.reference === reference),
  )![1];
const keysOf = ({ id }: { id: number }) => new Set(provider.callsOf(id, 'refund').map(({ key }) => key));

describe('POST /payments/{id}/refunds', () => {
  it('RefundsService refunds parts, and the payment is refunded with the last one', async () => {
    provider.givesIds = true;
    const payment = await pay({ webhook_endpoint: 'http://127.0.0.1:4000/' });
    const first = await refunded(payment, { amount: 10, reason: 'Returned', metadata: { return_id: 'R-1' } });
    expect(first).toEqual({
      id: expect.any(Number),
      payment_id: payment.id,
      amount: 10,
      currency: 'EUR',
      status: 'succeeded',
      reason: 'Returned',
      metadata: { return_id: 'R-1' },
      provider_refund_id: expect.stringMatching(/^re_/),
      origin: 'api',
      failure_code: null,
      requested_by: { client_id: 'merchant-one', name: 'A client' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 10]);
    await refunded(payment, { amount: 20.5 });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30.5]);
    expect((await refunded(payment)).amount).toBe(19.4);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9]);
    expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ to: 'refunded', cause: 'refund_requested' });
    expect(provider.callsOf(payment.id, 'refund').map(({ amount }) => Number(amount))).toEqual([10, 20.5, 19.4]);
    const { request_body: webhook } = (await api.deliveriesOf(payment.id)).at(-1)!;
    expect((JSON.parse(webhook) as { payment: object }).payment).toMatchObject({
      status: 'refunded',
      amount_refunded: 49.9,
    });
    expect((await operationsOf(api, payment.id)).map(({ kind, attempt, state }) => [kind, attempt, state])).toEqual([
      ['charge', 1, 'confirmed'],
      ...Array.from({ length: 3 }, () => ['refund', 1, 'confirmed']),
    ]);
  });

  it.each([[0], [-1], [10.001], ['10'], [1e15]])('RefundsService refuses the amount %j', async (amount) => {
    const payment = await pay();
    expect(await refund(payment, { amount })).toMatchObject({ status: 422, body: { errors: [{ field: 'amount' }] } });
    expect(provider.callsOf(payment.id, 'refund')).toEqual([]);
  });

  it('RefundsService refunds in full only where the provider can do no more', async () => {
    provider.capabilities = { ...provider.capabilities, partialRefund: false };
    const payment = await pay();
    expect(await refund(payment, { amount: 10 })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'amount', message: expect.stringContaining('in full only: 49.9 EUR') }] },
    });
    await refunded(payment, { amount: 49.9 });
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9]);
  });
});

describe('an idempotency key of a refund', () => {
  it('RefundsService returns the same refund for the same request, as it is then', async () => {
    const payment = await pay();
    provider.isAsynchronous = true;
    const body = { amount: 10, metadata: { a: 1, b: 2 } };
    const first = await refunded(payment, body, 'key-1');
    expect(first.status).toBe('pending');
    const again = await refund(payment, { metadata: { b: 2, a: 1 }, amount: 10 }, 'key-1');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(dataOf<RefundAnswer>(again).id).toBe(first.id);
    expect(await refundsOf(payment)).toHaveLength(1);
    expect(keysOf(payment).size).toBe(1);
  });

  it('RefundsService refuses another request under the key', async () => {
    const [payment, another] = [await pay(), await pay()];
    await refunded(payment, { amount: 10 }, 'key-2');
    for (const [of, body] of [
      [payment, { amount: 11 }],
      [payment, {}],
      [another, { amount: 10 }],
    ] as const) {
      expect(problemOf(await refund(of, body, 'key-2'))).toEqual([422, 'idempotency_key_reused']);
    }
    expect(problemOf(await refund(payment, {}, 'with space'))).toEqual([400, 'malformed_request']);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 10]);
  });

  it('RefundsService creates one refund for many requests at once', async () => {
    const payment = await pay();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(payment, { amount: 10 }, 'key-3')));
    expect(new Set(answers.map((answer) => dataOf<RefundAnswer>(answer).id)).size).toBe(1);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 10]);
    expect(heldOf(payment).refundedAmount).toBe('10');
  });

  it('RefundsService gives a key to one of two payments at once', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => pay()));
    const answers = await Promise.all(payments.map((payment) => refund(payment, { amount: 10 }, 'key-4')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ body }) => (body as { code: string }).code))).toEqual(
      new Set(['idempotency_key_reused']),
    );
  });

  it('RefundsService keeps keys of two clients apart', async () => {
    const key = 'key-5';
    const theirs = await other.createShop('theirs').then(({ id }) => other.createFlow('theirs', [id]));
    const payment = await other.pay(theirs.name);
    await refunded(await pay(), { amount: 10 }, key);
    expect((await refund(payment, { amount: 20 }, key, other.api)).status).toBe(201);
  });
});

describe('refunds at once', () => {
  it('RefundsService never refunds more than what is captured, for 50 callers of two processes', async () => {
    const second = await startApi(SETTINGS, { lockTimeoutMs: 30_000, other: api });
    try {
      provider.serve(second);
      const payment = await pay();
      const clients = [merchant.api, new ApiClient(second.url, merchant.api.token)];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => refund(payment, { amount: 3 }, undefined, clients[index % 2])),
      );
      const counts = answers.map(problemOf).map(([status]) => status);
      expect([
        counts.filter((status) => status === 201).length,
        counts.filter((status) => status === 409).length,
      ]).toEqual([16, 34]);
      expect(await amountsOf(payment)).toEqual(['completed', 49.9, 48]);
      expect(heldOf(payment).refundedAmount).toBe('48');
      await refunded(payment);
      expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9]);
    } finally {
      await second.stop();
    }
  });

  it('OperationRecovery and the request share one key', async () => {
    const payment = await pay();
    provider.beforeRefundAnswer = async ({ paymentId }) => {
      provider.beforeRefundAnswer = () => Promise.resolve();
      await recover(api, [paymentId], 1);
    };
    expect((await refunded(payment, { amount: 10 })).status).toBe('succeeded');
    expect(provider.callsOf(payment.id, 'refund')).toHaveLength(2);
    expect([keysOf(payment).size, heldOf(payment).refundedAmount]).toEqual([1, '10']);
  });
});

describe('a refund whose answer got lost', () => {
  it.each(['lost', 'dropped'] as const)('OperationRecovery repeats it under its key: %s', async (fate) => {
    const payment = await pay();
    provider.fates = { refund: [fate] };
    expect((await refunded(payment, { amount: 10 })).status).toBe('pending');
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 10]);
    expect((await merchant.payment(payment.id)).refund_pending).toBe(true);
    await recover(api, [payment.id], 1);
    expect((await refundsOf(payment))[0]!.status).toBe('succeeded');
    expect([keysOf(payment).size, heldOf(payment).refundedAmount]).toEqual([1, '10']);
  });

  it('RefundsService continues it for a repeat under the idempotency key', async () => {
    const payment = await pay();
    provider.fates = { refund: ['lost'] };
    expect((await refunded(payment, { amount: 10 }, 'key-6')).status).toBe('pending');
    expect((await refunded(payment, { amount: 10 }, 'key-6')).status).toBe('succeeded');
    expect([keysOf(payment).size, heldOf(payment).refundedAmount]).toEqual([1, '10']);
  });

  it('OperationRunner looks it up where the provider can be asked, and repeats only what was not found', async () => {
    provider.offerRefundLookup(api);
    const [made, lost] = [await pay(), await pay()];
    provider.fates = { refund: ['lost', 'dropped'] };
    await refunded(made, { amount: 10 });
    await refunded(lost, { amount: 10 });
    await recover(api, [made.id, lost.id], 1);
    for (const payment of [made, lost]) expect((await refundsOf(payment))[0]!.status).toBe('succeeded');
    expect([made, lost].map(({ id }) => provider.callsOf(id, 'refund').length)).toEqual([1, 2]);
  });

  it('OperationRunner does not repeat it after the provider has forgotten the key', async () => {
    const payment = await pay();
    provider.fates = { refund: ['lost'] };
    await refunded(payment, { amount: 10 });
    provider.capabilities = { ...provider.capabilities, lookup: 'none' };
    await api.database.pool.query(
      `UPDATE provider_operations SET created_at = created_at - interval '25 hours' WHERE payment_id = $1`,
      [payment.id],
    );
    await recover(api, [payment.id], 2);
    expect(provider.callsOf(payment.id, 'refund')).toHaveLength(1);
    expect((await refundsOf(payment))[0]!.status).toBe('pending');
    // the charge shows that as much was given back as all refunds together
    provider.capabilities = { ...provider.capabilities, lookup: 'by_reference' };
    await recover(api, [payment.id], 1);
    expect((await refundsOf(payment))[0]!.status).toBe('succeeded');
    expect([provider.callsOf(payment.id, 'refund').length, heldOf(payment).refundedAmount]).toEqual([1, '10']);
  });
});

describe('POST /payments/{id}/refund', () => {
  it('RefundsService refunds the remaining amount, and answers the payment', async () => {
    const payment = await pay();
    await refunded(payment, { amount: 10 });
    const answer = dataOf<PaymentAnswer>(await merchant.api.post(`/payments/${payment.id}/refund`, { reason: 'All' }));
    expect(answer).toMatchObject({ status: 'refunded', amount_refunded: 49.9, refund_pending: false });
    expect(await refundsOf(payment)).toMatchObject([
      { amount: 39.9, status: 'succeeded', reason: 'All' },
      { amount: 10, status: 'succeeded' },
    ]);
  });
});

describe('GET /refunds', () => {
  it('RefundsService filters by status and shop, in pages, newest first', async () => {
    const payment = await pay();
    provider.fates = { refund: ['answered', { refused: 'no' }, 'lost'] };
    const made: RefundAnswer[] = [];
    for (const amount of [1, 2, 3]) made.unshift(await refunded(payment, { amount }));
    const ids = made.map(({ id }) => id);
    const at = payment.shop.id;
    const list = async (query: string, by = merchant) =>
      dataOf<RefundAnswer[]>(await by.api.get(`/refunds?shop_id=${at}${query}`)).map(({ id }) => id);
    expect(await list('')).toEqual(ids);
    expect(await list('&status=failed')).toEqual([ids[1]]);
    expect(await list('&status=pending')).toEqual([ids[0]]);
    expect(await list('&status=pending,failed')).toEqual(ids.slice(0, 2));
    const another = await pay();
    const its = await refunded(another, { amount: 1 });
    const idsByQuery = (query: string, by = merchant) =>
      by.api.get(`/refunds?${query}`).then((answer) => dataOf<RefundAnswer[]>(answer).map(({ id }) => id));
    expect(await idsByQuery(`payment_id=${payment.id}`)).toEqual(ids);
    expect(await idsByQuery(`payment_id=${another.id}`)).toEqual([its.id]);
    expect(await idsByQuery(`payment_id=${payment.id}&status=failed&shop_id=${at}`)).toEqual([ids[1]]);
    expect(await idsByQuery(`payment_id=${payment.id}`, other)).toEqual([]);
    await api.database.pool.query('DELETE FROM refunds WHERE id = $1', [its.id]);
    const hour = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    for (const [index, id] of [...ids].reverse().entries())
      await api.database.pool.query('UPDATE refunds SET created_at = $2 WHERE id = $1', [id, hour(index + 1)]);
    expect(await list(`&from=${hour(1.5)}&to=${hour(2.5)}`)).toEqual([ids[1]]);
    expect(await idsByQuery(`payment_id=${payment.id}&from=${hour(1.5)}`)).toEqual(ids.slice(0, 2));
    expect(await list('', other)).toEqual([]);
    expect(dataOf<RefundAnswer[]>(await merchant.api.get('/refunds?limit=3')).map(({ id }) => id)).toEqual(ids);
    const page = await merchant.api.get<{ pagination: { next_cursor: string } }>(`/refunds?shop_id=${at}&limit=2`);
    expect(dataOf<RefundAnswer[]>(page).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await list(`&cursor=${page.body.pagination.next_cursor}`)).toEqual(ids.slice(2));
    expect((await refundsOf(payment, '?limit=2')).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await merchant.api.get('/refunds?status=open')).status).toBe(400);
  });

  it('RefundsService shows a refund to its merchant only', async () => {
    const payment = await pay();
    const made = await refunded(payment, { amount: 1 });
    expect(dataOf(await merchant.api.get(`/refunds/${made.id}`))).toEqual(made);
    expect(problemOf(await other.api.get(`/refunds/${made.id}`))).toEqual([404, 'refund_not_found']);
    expect(problemOf(await other.api.get(`/payments/${payment.id}/refunds`))).toEqual([404, 'payment_not_found']);
  });

  it('CustomerErasureService removes what a merchant wrote', async () => {
    const payment = await pay({ customer: { email: 'ada@example.com' } });
    const made = await refunded(payment, { amount: 1, reason: 'Ada returned it', metadata: { name: 'Ada' } });
    dataOf(await merchant.api.post(`/customers/${String(payment.customer!['id'])}/erase`));
    expect(dataOf(await merchant.api.get(`/refunds/${made.id}`))).toEqual({ ...made, reason: null, metadata: {} });
    const { rows } = await api.database.pool.query(
      `SELECT 1 FROM webhook_events WHERE payment_id = $1 AND data::text LIKE '%Ada%'`,
      [payment.id],
    );
    expect(rows).toEqual([]);
    // and what is written later
    await refunded(payment, { amount: 1, reason: 'Ada again' });
    const due = await api.database.pool.query(`SELECT 1 FROM due_work WHERE kind = 'erasure' AND subject_id = $1`, [
      payment.customer!['id'],
    ]);
    expect(due.rows).toHaveLength(1);
  });

  it('CustomerErasureService removes the key of a refund, which still prevents a second one, and the reason of a settlement', async () => {
    const payment = await pay({ customer: { email: 'ada@example.com' } });
    const request = () =>
      merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 1 }, { 'idempotency-key': 'return-of-Ada' });
    const { id } = dataOf<RefundAnswer>(await request());
    const { pool } = api.database;
    await pool.query(
      `UPDATE provider_operations SET reason = 'settled as not_captured: Ada called' WHERE payment_id = $1 AND kind = 'charge'`,
      [payment.id],
    );
    dataOf(await merchant.api.post(`/customers/${String(payment.customer!['id'])}/erase`));
    const { rows } = await pool.query<{ text: string }>(
      `SELECT row_to_json(r)::text AS text FROM refunds r WHERE payment_id = $1
       UNION ALL SELECT row_to_json(o)::text FROM provider_operations o WHERE payment_id = $1`,
      [payment.id],
    );
    expect(rows.filter(({ text }) => text.includes('Ada'))).toEqual([]);
    expect(rows.some(({ text }) => text.includes('"settled as not_captured"'))).toBe(true);
    expect(dataOf<RefundAnswer>(await request()).id).toBe(id);
  });
});
