import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../../support/app/merchant.js';
import { sharedCheckout } from './checkout.js';
import { LedgerProvider } from './ledger-provider.js';
import { stopOperations } from '../../support/operation-work.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;

beforeAll(async () => {
  ({ api, merchant } = await sharedCheckout());
});
beforeEach(() => {
  provider = new LedgerProvider(api);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay('checkout', fields);
const post = ({ id }: { id: number }, action: string, body?: unknown) =>
  merchant.api.post(`/payments/${id}/${action}`, body);

describe('GET /payments/{id}/operations', () => {
  it('shows the requests to the provider, and no secrets', async () => {
    const payment = await pay({ payment_method: { token: 'tok_secret' } });
    await post(payment, 'refund', { reason: 'Returned' });
    const response = await merchant.api.get(`/payments/${payment.id}/operations`);
    const shown = {
      id: expect.any(Number),
      attempt: 1,
      shop_id: payment.shop.id,
      provider: 'sandbox',
      amount: 49.9,
      currency: 'EUR',
      state: 'confirmed',
      next_try_at: null,
      age: expect.any(Number),
      reason: null,
      reference: provider.calls[0]!.reference,
      provider_transaction_id: payment.provider_transaction_id,
      provider_operation_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      tries: expect.any(Number),
    };
    expect(dataOf(response)).toEqual([
      { ...shown, kind: 'charge', cause: 'payment', last_answer: 'approved', requested_by: null },
      {
        ...{ ...shown, kind: 'refund', cause: 'refund_requested', last_answer: 'confirmed' },
        requested_by: { client_id: expect.any(String), name: 'A client' },
      },
    ]);
    const text = JSON.stringify(response.body);
    for (const secret of ['tok_secret', NOTIFICATION_SECRET, ...provider.calls.map(({ key }) => key)]) {
      expect(text).not.toContain(secret);
    }
  });

  it('shows the time of the next try of an open operation', async () => {
    provider.fates = { charge: ['lost'] };
    const { id } = await pay();
    const [charge] = dataOf<Record<string, unknown>[]>(await merchant.api.get(`/payments/${id}/operations`));
    expect(charge).toMatchObject({ kind: 'charge', state: 'unknown', next_try_at: expect.any(String) });
  });
});

describe('POST /payments/{id}/sync', () => {
  it('asks the provider now, and returns the payment after that', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    expect(payment.status).toBe('pending');
    const answer = await post(payment, 'sync');
    expect([answer.status, dataOf<PaymentAnswer>(answer).status]).toEqual([200, 'completed']);
  });

  it('continues a refund without an answer', async () => {
    const payment = await pay();
    provider.fates = { refund: ['lost'] };
    expect((await post(payment, 'refund')).status).toBe(503);
    expect(dataOf<PaymentAnswer>(await post(payment, 'sync')).status).toBe('refunded');
    expect(new Set(provider.callsOf(payment.id, 'refund').map(({ key }) => key)).size).toBe(1);
  });

  it('answers 503 when the provider does not answer, and can be repeated', async () => {
    provider.fates = { charge: ['lost'], lookup: ['lost'] };
    const payment = await pay();
    const { status, body, headers } = await post(payment, 'sync');
    expect([status, body]).toMatchObject([503, { code: 'dependency_unavailable' }]);
    expect(headers.get('retry-after')).toBe('5');
    expect(dataOf<PaymentAnswer>(await post(payment, 'sync')).status).toBe('completed');
  });

  it('skips closed operations, and a charge whose call is under way', async () => {
    let whileUnderWay: unknown;
    provider.beforeAnswer = async ({ paymentId: id }) => {
      whileUnderWay = dataOf<PaymentAnswer>(await post({ id }, 'sync')).status;
    };
    const payment = await pay();
    expect(whileUnderWay).toBe('pending');
    expect(dataOf<PaymentAnswer>(await post(payment, 'sync')).status).toBe('completed');
    expect(provider.callsOf(payment.id, 'lookup')).toEqual([]);
  });

  it('tries a stopped operation again', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    await api.database.pool.query(stopOperations('payment_id = $1', 'state'), [payment.id]);
    const old = `UPDATE provider_operations SET created_at = now() - interval '80 hours' WHERE payment_id = $1`;
    await api.database.pool.query(old, [payment.id]);
    expect(dataOf<PaymentAnswer>(await post(payment, 'sync')).status).toBe('completed');
  });
});

describe('a payer who must act', () => {
  const nextAction = { type: 'redirect' as const, url: 'https://provider.example/3ds/1', method: 'GET' as const };

  it('gets the redirect until the payment has its outcome, and the provider gets the return address', async () => {
    const charged: ChargeRequest[] = [];
    const charge = provider.charge.bind(provider);
    provider.chargeAs = () => 'open';
    provider.charge = async (request) => {
      charged.push(request);
      return { ...(await charge(request)), outcome: 'processing', nextAction };
    };
    const return_url = 'https://merchant.example/checkout/A-1001?x=1';
    const payment = await pay({ return_url });
    expect(charged[0]!.returnUrl).toBe(return_url);
    expect([payment.status, payment.next_action]).toEqual(['processing', nextAction]);
    expect((await merchant.payment(payment.id)).next_action).toEqual(nextAction);
    provider.finish(payment.id, 'captured');
    const ended = dataOf<PaymentAnswer>(await post(payment, 'sync'));
    expect([ended.status, ended.next_action]).toEqual(['completed', null]);
  });
});

describe('a lost answer', () => {
  it('leaves a payment that the session id finds, only for its merchant', async () => {
    const payment_session_id = 'order-A-1001';
    const [first, second] = [await pay({ payment_session_id }), await pay({ payment_session_id })];
    const find = async (query: string, as = merchant) => {
      const path = `/payments?payment_session_id=${payment_session_id}${query}`;
      return dataOf<PaymentAnswer[]>(await as.api.get(path)).map(({ id }) => id);
    };
    expect(await find('')).toEqual([second.id, first.id]);
    expect(await find('&limit=1')).toEqual([second.id]);
    expect(await find(`&status=completed&shop_id=${first.shop.id}&flow_id=${first.flow_id}`)).toHaveLength(2);
    expect(await find('&status=failed')).toEqual([]);
    expect(await find('&shop_id=987654')).toEqual([]);
    expect(await find('', new Merchant(await api.loginAsAnotherMerchant()))).toEqual([]);
  });
});

describe('a partial refund', () => {
  it.each([10, 49.9, '10.00'])('of %j causes an error that names the field', async (amount) => {
    const payment = await pay();
    const { status, body } = await post(payment, 'refund', { amount });
    expect([status, body]).toMatchObject([
      422,
      {
        errors: [
          { field: 'amount', message: expect.stringContaining('POST /payments/{id}/refunds accepts an amount') },
        ],
      },
    ]);
    expect((await merchant.payment(payment.id)).status).toBe('completed');
  });
});

describe('a notification secret that was changed', () => {
  const OTHER = 'another-secret-for-notifications';
  const body = () => JSON.stringify({ id: `evt_${Math.random()}`, provider_transaction_id: 'x', status: 'failed' });

  it.each([
    [undefined, 200],
    [600, 200],
    [0, 401],
  ])('overlaps with the previous one: %j seconds', async (credentials_overlap_seconds, expected) => {
    const shop = await merchant.createShop(`Overlap ${credentials_overlap_seconds}`);
    const changes = {
      provider_credentials: { notification_secret: OTHER },
      ...(credentials_overlap_seconds !== undefined && { credentials_overlap_seconds }),
    };
    expect((await merchant.api.patch(`/shops/${shop.id}`, changes)).status).toBe(200);
    expect((await merchant.sendNotification(shop.id, body(), OTHER)).status).toBe(200);
    expect((await merchant.sendNotification(shop.id, body())).status).toBe(expected);
    expect((await merchant.sendNotification(shop.id, body(), 'no secret of the shop')).status).toBe(401);
    const end = 'UPDATE shops SET previous_provider_credentials_expires_at = now() WHERE id = $1';
    await api.database.pool.query(end, [shop.id]);
    expect((await merchant.sendNotification(shop.id, body())).status).toBe(401);
  });

  const change = async (id: number, changes: Record<string, unknown>) =>
    expect((await merchant.api.patch(`/shops/${id}`, changes)).status).toBe(200);
  const answers = async (id: number, secrets: string[]) =>
    Promise.all(secrets.map(async (secret) => (await merchant.sendNotification(id, body(), secret)).status));

  it('overlaps with each of the last five secrets', async () => {
    const shop = await merchant.createShop('Overlap with five');
    const secrets = [NOTIFICATION_SECRET, ...Array.from({ length: 6 }, (_, n) => `secret-of-notifications-${n}`)];
    for (const notification_secret of secrets.slice(1)) {
      await change(shop.id, { provider_credentials: { notification_secret } });
    }
    expect(await answers(shop.id, secrets)).toEqual([401, 200, 200, 200, 200, 200, 200]);
  });
});
