import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { LedgerProvider } from './ledger-provider.js';
import { storedOf, sendEvents, scriptNotifications, type TestEvent } from './scripted-events.js';

interface Refund {
  id: number;
  amount: number;
  status: string;
  origin: string;
  provider_refund_id: string | null;
  failure_code: string | null;
}

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;
let shops = 0;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  scriptNotifications(api);
});
beforeEach(async () => {
  provider = new LedgerProvider(api);
  provider.givesIds = true;
  shopId = (await merchant.createShop(`Shop ${(shops += 1)}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay(`flow ${shopId}`, fields);
const refund = ({ id }: { id: number }, body: Record<string, unknown> = {}) =>
  merchant.api.post(`/payments/${id}/refunds`, body);
const refundsOf = async ({ id }: { id: number }) =>
  dataOf<Refund[]>(await merchant.api.get(`/payments/${id}/refunds`)).reverse();
const shown = async (payment: { id: number }) =>
  (await refundsOf(payment)).map(({ amount, status, origin }) => [amount, status, origin]);
const amountsOf = async ({ id }: { id: number }) => {
  const { status, amount_refunded: amount } = await merchant.payment(id);
  return [status, amount];
};
const outcomes = async () => (await storedOf(api, shopId)).map(({ outcome, reason }) => [outcome, reason]);
const say = (payment: PaymentAnswer, ...events: Omit<TestEvent, 'match'>[]) =>
  sendEvents(
    merchant,
    shopId,
    events.map((event) => ({ ...event, match: { transactionId: payment.provider_transaction_id } })),
  );
const lastStep = async ({ id }: { id: number }) => {
  const { from, to, cause } = (await merchant.history(id)).at(-1)!;
  return [from, to, cause];
};
const eventsOf = ({ id }: { id: number }, count: number) =>
  eventually(async () => {
    const path = `/events?types=refund.created,refund.updated&shop_id=${shopId}&limit=100`;
    const events = dataOf<{ type: string; payment_id: number; data: Refund }[]>(await merchant.api.get(path));
    const own = events.filter((event) => event.payment_id === id);
    return own.length >= count && own.map(({ type, data }) => [type, data.amount, data.status]);
  });

describe('a refund that was made at the provider', () => {
  it('MoneyService records parts, and sums decide when the payment is refunded', async () => {
    const payment = await pay({ webhook_endpoint: 'http://127.0.0.1:4000/' });
    await refund(payment, { amount: 9.9 });
    await say(payment, { status: 'refunded', operationId: 'theirs-1', amount: '15', currency: 'EUR' });
    expect(await amountsOf(payment)).toEqual(['completed', 24.9]);
    await say(payment, { status: 'refunded', operationId: 'theirs-2', amount: '25.00' });
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9]);
    expect(await lastStep(payment)).toEqual(['completed', 'refunded', 'provider_notification']);
    expect(await shown(payment)).toEqual([
      [9.9, 'succeeded', 'api'],
      [15, 'succeeded', 'provider'],
      [25, 'succeeded', 'provider'],
    ]);
    expect((await api.deliveriesOf(payment.id)).at(-1)!.payment_status).toBe('refunded');
  });

  it('MoneyService counts a refund that was reported before the failure whose amount it takes', async () => {
    const payment = await pay();
    await refund(payment, { amount: 30 });
    const [ours] = await refundsOf(payment);
    await say(payment, { status: 'refunded', operationId: 'theirs', amount: '40' });
    expect(await outcomes()).toEqual([['alarm', 'other_refund']]);
    await say(payment, { status: 'refund_failed', operationId: ours!.provider_refund_id! });
    expect(await amountsOf(payment)).toEqual(['completed', 40]);
    expect(await shown(payment)).toEqual([
      [30, 'failed', 'api'],
      [40, 'succeeded', 'provider'],
    ]);
    expect(await outcomes()).toEqual([
      ['applied', null],
      ['alarm', 'refund_failed'],
    ]);
  });
});

describe('a refund of ours without an id', () => {
  it('MoneyService waits for its id, and applies the report with the answer', async () => {
    provider.isAsynchronous = true;
    provider.beforeRefundAnswer = async ({ idempotencyKey }) => {
      await say(payment, { status: 'refunded', operationId: `re_${idempotencyKey}`, amount: '10' });
      expect(await outcomes()).toEqual([['waiting', 'payment_is_completed']]);
    };
    const payment = await pay();
    expect(dataOf<Refund>(await refund(payment, { amount: 10 }))).toMatchObject({ status: 'succeeded' });
    expect(await shown(payment)).toEqual([[10, 'succeeded', 'api']]);
    expect(await outcomes()).toEqual([['applied', null]]);
  });
});

describe('a refund that fails after its success', () => {
  it('MoneyService makes the payment completed again, with a webhook', async () => {
    const payment = await pay({ webhook_endpoint: 'http://127.0.0.1:4000/' });
    await refund(payment, { amount: 9.9 });
    await refund(payment, { amount: 40 });
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9]);
    const id = (await refundsOf(payment))[1]!.provider_refund_id!;
    const failed = { status: 'refund_failed', operationId: id } as const;
    await say(payment, failed, failed, { status: 'refunded', operationId: id });
    expect(await amountsOf(payment)).toEqual(['completed', 9.9]);
    expect(await lastStep(payment)).toEqual(['refunded', 'completed', 'refund_failed']);
    expect(await refundsOf(payment)).toMatchObject([
      { amount: 9.9, status: 'succeeded', failure_code: null },
      { amount: 40, status: 'failed', failure_code: 'refund_failed' },
    ]);
    expect(await outcomes()).toEqual([
      ['alarm', 'refund_failed'],
      ['ignored', 'refund_failed'],
      ['ignored', 'refund_failed'],
    ]);
    const { request_body: body } = (await api.deliveriesOf(payment.id)).at(-1)!;
    expect(JSON.parse(body)).toMatchObject({
      payment: { status: 'completed', amount_captured: 49.9, amount_refunded: 9.9 },
      original_webhook: { provider: 'sandbox' },
    });
    expect((await eventsOf(payment, 5)).at(-1)).toEqual(['refund.updated', 40, 'failed']);
    expect((await refund(payment, { amount: 40 })).status).toBe(201);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9]);
  });
});
