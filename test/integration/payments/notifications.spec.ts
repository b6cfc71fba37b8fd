import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api-app.js';
import { Merchant, NOTIFICATION_SECRET, type ShopAnswer } from '../../support/merchant.js';

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;

beforeAll(async () => {
  api = await startApi({ PROVIDER_TIMEOUT_MS: '100' });
  merchant = new Merchant(await api.login());
  shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
});
afterAll(() => api.stop());

const waiting = () =>
  merchant.pay('checkout', { payment_method: { token: 'tok_pending' }, webhook_endpoint: 'http://127.0.0.1:4000/' });
const stored = async () =>
  (
    await api.database.pool.query<{ notification_id: string; outcome: string; reason: string | null }>(
      'SELECT notification_id, outcome, reason FROM provider_notifications ORDER BY id',
    )
  ).rows;

describe('a provider’s notification', () => {
  it('changes the status and travels on as original_webhook', async () => {
    const payment = await waiting();
    const response = await merchant.notify(payment, { id: 'evt_1', status: 'completed', data: { a: [1] } });
    expect(response.body).toEqual({ success: true, data: { received: true } });
    expect((await merchant.payment(payment.id)).status).toBe('completed');
    expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ cause: 'provider_notification' });
    const body = JSON.parse((await api.deliveriesOf(payment.id)).at(-1)!.request_body) as Record<string, unknown>;
    expect(body['original_webhook']).toMatchObject({ provider: 'sandbox', data: { a: [1] } });
  });

  it('may overtake the answer: pending goes straight to completed', async () => {
    const payment = await merchant.pay('checkout', { payment_method: { token: 'tok_timeout' } });
    await merchant.notify(payment, { id: 'evt_overtaking', status: 'completed' });
    expect((await merchant.history(payment.id)).map(({ from, to }) => [from, to])).toEqual([['pending', 'completed']]);
  });

  it('counts once, however often and concurrently it comes', async () => {
    const payment = await waiting();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => merchant.notify(payment, { id: 'evt_many', status: 'failed' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect((await stored()).filter((row) => row.notification_id === 'evt_many')).toHaveLength(1);
    expect((await api.deliveriesOf(payment.id)).map((delivery) => delivery.payment_status)).toEqual([
      'processing',
      'failed',
    ]);
  });

  it('lets one of two contradicting ones win, and records why the other was ignored', async () => {
    const payment = await waiting();
    await Promise.all([
      merchant.notify(payment, { id: 'evt_yes', status: 'completed' }),
      merchant.notify(payment, { id: 'evt_no', status: 'failed' }),
    ]);
    const { status } = await merchant.payment(payment.id);
    const rows = (await stored()).filter((row) => ['evt_yes', 'evt_no'].includes(row.notification_id));
    expect(rows.map((row) => row.outcome).sort()).toEqual(['applied', 'ignored']);
    expect(rows.find((row) => row.outcome === 'ignored')!.reason).toBe(`payment_is_${status}`);
    expect(await api.deliveriesOf(payment.id)).toHaveLength(2);
  });

  it('is stored and ignored when its payment is unknown or its status no news', async () => {
    const payment = await waiting();
    const unknown = JSON.stringify({ id: 'evt_lost', provider_transaction_id: 'sbx_none', status: 'completed' });
    expect((await merchant.sendNotification(shop.id, unknown)).status).toBe(200);
    await merchant.notify(payment, { id: 'evt_same', status: 'processing' });
    const reasons = Object.fromEntries((await stored()).map((row) => [row.notification_id, row.reason]));
    expect(reasons).toMatchObject({ evt_lost: 'unknown_payment', evt_same: 'status_unchanged' });
    expect(await api.deliveriesOf(payment.id)).toHaveLength(1);
  });

  it('is refused with 401, and nothing stored, for every wrong signature', async () => {
    const payment = await waiting();
    const before = await stored();
    const body = JSON.stringify({
      id: 'evt_bad',
      provider_transaction_id: payment.provider_transaction_id,
      status: 'failed',
    });
    const right = createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');
    const path = `/providers/sandbox/notifications/${shop.id}`;
    const attempts: [string, string, Record<string, string>][] = [
      [path, body, {}],
      [path, body, { signature: '' }],
      [path, body, { signature: right.slice(0, -2) }],
      [path, body, { signature: '0'.repeat(64) }],
      [
        path,
        body,
        {
          signature: 'ü'
            .repeat(3)
            .normalize('NFKD')
            .replace(/[^\x20-\x7e]/g, 'u'),
        },
      ],
      [path, `${body} `, { signature: right }],
      [path, 'not json', { signature: right }],
      ['/providers/sandbox/notifications/987654', body, { signature: right }],
    ];
    for (const [url, text, headers] of attempts) {
      const response = await merchant.api.post(url, text, headers);
      expect([response.status, (response.body as { code: string }).code]).toEqual([401, 'invalid_signature']);
    }
    expect(await stored()).toEqual(before);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
  });

  it('is refused by what is wrong with it once its signature is right', async () => {
    expect((await merchant.sendNotification(shop.id, 'not json')).body).toMatchObject({ code: 'malformed_json' });
    expect((await merchant.sendNotification(shop.id, '[]')).body).toMatchObject({ code: 'validation_failed' });
    const { body } = await merchant.sendNotification(shop.id, '{"id":"","status":"paid","data":1}');
    expect((body as { errors: { field: string }[] }).errors.map((error) => error.field)).toEqual([
      'id',
      'provider_transaction_id',
      'status',
      'data',
    ]);
    const elsewhere = await merchant.api.post(`/providers/stripe/notifications/${shop.id}`, '{}');
    expect(elsewhere.body).toMatchObject({ status: 404, code: 'provider_not_found' });
  });

  it('cannot reach a payment of another shop', async () => {
    const payment = await waiting();
    const other = new Merchant(await api.loginAsAnotherMerchant());
    const theirs = await other.createShop('Theirs');
    const body = JSON.stringify({
      id: 'evt_x',
      provider_transaction_id: payment.provider_transaction_id,
      status: 'completed',
    });
    await other.sendNotification(theirs.id, body);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
  });
});
