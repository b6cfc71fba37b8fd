import { served } from '../../support/app/api-client.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import type { TestApi } from '../../support/app/api-app.js';
import { sharedCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;

beforeAll(async () => {
  const checkout = await sharedCheckout(['Berlin']);
  ({ api, merchant } = checkout);
  [shop] = checkout.shops as [ShopAnswer];
});
afterAll(() => api.stop());

describe('POST /payments', () => {
  it('answers with the whole payment', async () => {
    const payment = await merchant.pay('checkout', {
      country: 'DE',
      customer: { email: 'ada@example.com', date_of_birth: '1985-12-10' },
      metadata: { order: 'A-1', nested: { list: [1, 'two', null] } },
      webhook_endpoint: 'http://127.0.0.1:4000/hook',
      payment_session_id: 'ps_mine',
    });
    expect(payment).toMatchObject({
      status: 'completed',
      amount: 49.9,
      currency: 'EUR',
      country: 'DE',
      payment_session_id: 'ps_mine',
      payment_provider: 'sandbox',
      shop: { id: shop.id, name: 'Berlin' },
      customer: { email: 'ada@example.com', date_of_birth: '1985-12-10' },
      metadata: { order: 'A-1', nested: { list: [1, 'two', null] } },
      webhook_endpoint: 'http://127.0.0.1:4000/hook',
    });
    expect(Date.parse(payment.expires_at) - Date.parse(payment.created_at)).toBe(1_800_000);
    expect(await merchant.payment(payment.id)).toEqual(payment);
  });

  it('makes ids of sessions and transactions that later payments follow in order', async () => {
    const first = await merchant.pay('checkout', {});
    const answeredAt = Date.now();
    await eventually(() => Date.now() > answeredAt);
    const second = await merchant.pay('checkout', {});
    for (const name of ['payment_session_id', 'provider_transaction_id'] as const) {
      expect(first[name]).toMatch(/^(ps|sandbox)_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(second[name] > first[name]).toBe(true);
    }
  });

  it('uses an earlier customer again, and only the merchant’s own', async () => {
    const first = await merchant.pay('checkout', { customer: { first_name: 'Ada' } });
    const second = await merchant.pay('checkout', { customer_id: first.customer!['id'] });
    expect(second.customer).toEqual(first.customer);
    const other = new Merchant(await api.loginAsAnotherMerchant());
    await other.createFlow('checkout', [(await other.createShop('Other')).id]);
    const foreign = await other.tryPay('checkout', { customer_id: first.customer!['id'] });
    expect([foreign.status, (foreign.body as { code: string }).code]).toEqual([404, 'customer_not_found']);
  });

  it.each([
    ['amount', { amount: 0 }],
    ['amount', { amount: '10' }],
    ['amount', { amount: 1.005 }],
    ['amount', { amount: 10.5, currency: 'JPY' }],
    ['amount', { amount: 1e12 }],
    ['currency', { currency: 'EURO' }],
    ['currency', { currency: 'eur' }],
    ['currency', { currency: 'XAU' }],
    ['currency', { currency: 'XXX' }],
    ['country', { country: 'XX' }],
    ['flow_name', { flow_name: undefined }],
    ['customer.email', { customer: { email: 'no-address' } }],
    ['customer.date_of_birth', { customer: { date_of_birth: '2025-02-30' } }],
    ['customer.id', { customer: { id: 1 } }],
    ['customer', { customer: [] }],
    ['customer_id', { customer_id: 1.5 }],
    ['customer_id', { customer_id: 1, customer: {} }],
    ['webhook_endpoint', { webhook_endpoint: 'ftp://example.com' }],
    ['webhook_endpoint', { webhook_endpoint: '/relative' }],
    ['webhook_endpoint', { webhook_endpoint: 'https://10.0.0.1/hook' }],
    ['webhook_endpoint', { webhook_endpoint: 'https://[::ffff:169.254.169.254]/' }],
    ['webhook_endpoint', { webhook_endpoint: 'https://example.com:22/' }],
    ['webhook_endpoint', { webhook_endpoint: 'http://example.com/' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { long: 'x'.repeat(17_000) } }],
    ['payment_method.token', { payment_method: {} }],
    ['expires_in', { expires_in: 59 }],
    ['expires_in', { expires_in: 604_801 }],
    ['colour', { colour: 'red' }],
  ])('refuses an invalid %s with an error that names it (case %#)', async (field, fields) => {
    const response = await merchant.tryPay('checkout', fields);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ code: 'validation_failed', success: false });
    expect((response.body as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(field);
  });

  it.each([
    ['customer_id', { customer_id: 1, customer: {} }, 'cannot be given together with customer'],
    ['webhook_endpoint', { webhook_endpoint: 'https://example.com:22/' }, 'must use port'],
  ])('names %s once in its error', async (field, fields, message) => {
    const { body } = await merchant.tryPay('checkout', fields);
    const [error] = (body as { errors: { field: string; message: string }[] }).errors;
    expect([error!.field, error!.message.startsWith(message)]).toEqual([field, true]);
  });

  it('refuses an unknown flow and a flow without an eligible shop', async () => {
    expect((await merchant.tryPay('nowhere')).body).toMatchObject({ status: 404, code: 'flow_not_found' });
    await merchant.api.post('/flows', {
      name: 'large',
      strategy: 'round_robin',
      shops: [{ shop_id: shop.id, conditions: { min_amount: 1_000 } }],
    });
    expect((await merchant.tryPay('large')).body).toMatchObject({ status: 409, code: 'no_available_shop' });
  });

  it('returns numbers in metadata unchanged, and refuses numbers that it cannot keep', async () => {
    const metadata = { exact: [9007199254740991, 0.1, 1e300, -1.5e-7], text: '12345678901234567890' };
    expect((await merchant.payment((await merchant.pay('checkout', { metadata })).id)).metadata).toEqual(metadata);
    const body =
      '{"flow_name":"checkout","amount":1,"currency":"EUR","metadata":{"order":{"number":12345678901234567890}}}';
    expect((await merchant.api.post('/payments', body)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'metadata.order.number' }],
    });
  });

  it('keeps amounts exact', async () => {
    for (const [amount, currency] of [
      [0.1, 'USD'],
      [999999999999.99, 'EUR'],
      [1.001, 'KWD'],
      [7, 'JPY'],
    ] as const) {
      const payment = await merchant.pay('checkout', { amount, currency });
      expect((await merchant.payment(payment.id)).amount).toBe(amount);
    }
  });
});

describe('cancel and refund', () => {
  const act = (payment: PaymentAnswer, action: string, body?: unknown) =>
    merchant.api.post(`/payments/${payment.id}/${action}`, body);

  it('cancels a pending payment, and one in processing that its provider voids', async () => {
    for (const token of ['tok_timeout', 'tok_pending']) {
      const payment = await merchant.pay('checkout', { payment_method: { token } });
      expect(dataOf<PaymentAnswer>(await act(payment, 'cancel')).status).toBe('cancelled');
      expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ to: 'cancelled', cause: 'cancel_requested' });
    }
  });

  it('refunds once for any number of concurrent requests', async () => {
    const payment = await merchant.pay('checkout', { webhook_endpoint: 'http://127.0.0.1:4000/' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => served(() => act(payment, 'refund'))));
    expect(answers.map((answer) => answer.status)).toEqual(Array<number>(12).fill(200));
    expect(answers.map((answer) => dataOf<PaymentAnswer>(answer).status)).toEqual(Array<string>(12).fill('refunded'));
    expect((await merchant.history(payment.id)).filter((change) => change.to === 'refunded')).toHaveLength(1);
    const deliveries = await api.deliveriesOf(payment.id);
    expect(deliveries.filter((delivery) => delivery.payment_status === 'refunded')).toHaveLength(1);
  });
});

describe('GET /payments', () => {
  it('pages through all payments once, newest first, with any filter', async () => {
    const otherMerchant = new Merchant(await api.loginAsAnotherMerchant());
    const shops = [await otherMerchant.createShop('A'), await otherMerchant.createShop('B')];
    const flow = await otherMerchant.createFlow(
      'pages',
      shops.map(({ id }) => id),
    );
    const payments: PaymentAnswer[] = [];
    for (const token of [
      'tok_success',
      'tok_decline',
      'tok_pending',
      'tok_success',
      'tok_success',
      'tok_decline',
      'tok_pending',
    ]) {
      payments.push(await otherMerchant.pay('pages', { payment_method: { token } }));
    }
    const matching = async (filter: string) => {
      const ids: number[] = [];
      for (let cursor = ''; ;) {
        const { body } = await otherMerchant.api.get<{
          data: PaymentAnswer[];
          pagination: { next_cursor: string | null; has_more: boolean };
        }>(`/payments?limit=2${filter}${cursor && `&cursor=${cursor}`}`);
        ids.push(...body.data.map((payment) => payment.id));
        expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
        if (body.pagination.next_cursor === null) return ids;
        cursor = body.pagination.next_cursor;
      }
    };
    const ids = (keep: (payment: PaymentAnswer) => boolean) =>
      payments
        .filter(keep)
        .map(({ id }) => id)
        .reverse();
    expect(await matching('')).toEqual(ids(() => true));
    expect(await matching('&status=failed')).toEqual(ids((payment) => payment.status === 'failed'));
    expect(await matching(`&shop_id=${shops[0]!.id}`)).toEqual(ids((payment) => payment.shop.id === shops[0]!.id));
    expect(await matching(`&flow_id=${flow.id}&shop_id=${shops[1]!.id}&status=completed`)).toEqual(
      ids((payment) => payment.shop.id === shops[1]!.id && payment.status === 'completed'),
    );
    expect(await matching(`&shop_id=${shop.id}`)).toEqual([]); // another merchant's shop
    expect(await matching('&flow_id=999999')).toEqual([]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'status=paid', 'shop_id=-1', 'cursor=17', 'colour=red'])(
    'refuses %s',
    async (query) => {
      const response = await merchant.api.get(`/payments?${query}`);
      expect(response.body).toMatchObject({ status: 400, code: 'malformed_request' });
      expect((response.body as { errors: { field: string }[] }).errors[0]!.field).toBe(query.split('=')[0]);
    },
  );
});
