import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { eventually } from '../../support/eventually.js';
import { LedgerProvider } from './ledger-provider.js';
import { checkWaiting, storedOf, sendEvents, scriptNotifications, type TestEvent } from './scripted-events.js';

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
  api = await startApi({ PROVIDER_TIMEOUT_MS: '2000' });
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
  it('RefundEvents records parts, and sums decide when the payment is refunded', async () => {
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

  it('RefundEvents counts a repeated report once', async () => {
    const payment = await pay();
    const report = { status: 'refunded', operationId: 'theirs', amount: '15' } as const;
    await say(payment, report, report, { ...report, status: 'refund_pending' });
    expect(await amountsOf(payment)).toEqual(['completed', 15]);
    expect(await outcomes()).toEqual([
      ['applied', null],
      ['ignored', 'status_unchanged'],
      ['ignored', 'status_unchanged'],
    ]);
  });

  it.each([
    ['refunded', ['completed', 15], 'succeeded'],
    ['refund_failed', ['completed', 0], 'failed'],
  ] as const)('RefundEvents keeps it pending until the provider reports %s', async (status, amounts, ended) => {
    const payment = await pay();
    await say(payment, { status: 'refund_pending', operationId: 'theirs', amount: '15' });
    expect(await amountsOf(payment)).toEqual(['completed', 15]);
    expect(await shown(payment)).toEqual([[15, 'pending', 'provider']]);
    expect((await refund(payment, { amount: 40 })).status).toBe(409);
    await say(payment, { status, operationId: 'theirs', amount: '15' });
    expect([await amountsOf(payment), await shown(payment)]).toEqual([amounts, [[15, ended, 'provider']]]);
    expect(await eventsOf(payment, 2)).toEqual([
      ['refund.created', 15, 'pending'],
      ['refund.updated', 15, ended],
    ]);
  });

  it('RefundEvents raises an alarm if more is refunded than was captured', async () => {
    const payment = await pay();
    await say(payment, { status: 'refunded', operationId: 'theirs-1', amount: '40' });
    await say(payment, { status: 'refunded', operationId: 'theirs-2', amount: '10' });
    expect(await amountsOf(payment)).toEqual(['completed', 40]);
    await say(payment, { status: 'refunded', operationId: 'theirs-3', amount: '1', currency: 'USD' });
    expect((await outcomes()).slice(1)).toEqual([
      ['alarm', 'other_refund'],
      ['alarm', 'amount_differs'],
    ]);
  });

  it('RefundEvents counts a refund that was reported before the failure whose amount it takes', async () => {
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

  it('RefundEvents waits for a pending refund of ours that may fail, and then counts it', async () => {
    provider.isAsynchronous = true;
    const payment = await pay();
    await refund(payment, { amount: 40 });
    await say(payment, { status: 'refunded', operationId: 'theirs', amount: '49.9' });
    expect(await outcomes()).toEqual([['waiting', 'payment_is_completed']]);
    const ours = (await refundsOf(payment))[0]!.provider_refund_id!;
    await say(payment, { status: 'refund_failed', operationId: ours });
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9]);
    expect(await shown(payment)).toEqual([
      [40, 'failed', 'api'],
      [49.9, 'succeeded', 'provider'],
    ]);
  });
});

describe('a refund of ours without an id', () => {
  it('RefundEvents waits for its id, and applies the report with the answer', async () => {
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

  it.each(['refund', 'refunds'])(
    'RefundEvents lets the failure of another refund change nothing (%s)',
    async (route) => {
      provider.beforeRefundAnswer = async () => {
        await say(payment, { status: 'refund_failed', operationId: 'unknown-refund' });
      };
      const payment = await pay();
      const answer = await merchant.api.post(`/payments/${payment.id}/${route}`);
      expect([answer.status, await amountsOf(payment)]).toEqual([route === 'refund' ? 200 : 201, ['refunded', 49.9]]);
      expect(await outcomes()).toEqual([['alarm', 'refund_failed']]);
    },
  );

  it('RefundEvents keeps a report that waited without a result as an alarm', async () => {
    const payment = await pay();
    provider.fates = { refund: ['dropped'] };
    await refund(payment, { amount: 10 });
    await say(payment, { status: 'refunded', operationId: 'theirs', amount: '10' });
    await api.database.pool.query(
      `UPDATE provider_notifications SET received_at = received_at - interval '73 hours' WHERE payment_id = $1`,
      [payment.id],
    );
    await checkWaiting(api);
    expect(await outcomes()).toEqual([['alarm', 'other_refund']]);
    await recover(api, [payment.id], 1);
    expect(await shown(payment)).toEqual([[10, 'succeeded', 'api']]);
  });

  it('RefundEvents gives the id of a report to a refund that was confirmed without one', async () => {
    provider.givesIds = false;
    const payment = await pay();
    await refund(payment, { amount: 10 });
    await say(payment, { status: 'refunded', operationId: 'ours', amount: '10' });
    expect(await refundsOf(payment)).toMatchObject([{ amount: 10, provider_refund_id: 'ours' }]);
    await say(payment, { status: 'refunded', operationId: 'theirs', amount: '10' });
    expect(await amountsOf(payment)).toEqual(['completed', 20]);
  });
});

describe('a refund that fails after its success', () => {
  it('RefundOutcomes makes the payment completed again, with a webhook', async () => {
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

  it('ProviderEvents does not change a refunded payment when its charge is reported late', async () => {
    const payment = await pay();
    await refund(payment);
    await say(payment, { status: 'completed' });
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9]);
  });
});

describe('a payment of a process without refund objects', () => {
  /** An open refund as those processes record it. */
  const oldRefund = ({ id }: { id: number }, state: string, operationId: string | null = null) =>
    api.database.pool.query(
      `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
         amount, currency, state, tries, key_calls, next_try_at, provider_operation_id)
       SELECT p.merchant_id, p.shop_id, p.id, 1, 'refund', 'refund_requested', 'old-' || p.id, a.reference, p.amount, p.currency,
         $2, 1, 1, CASE $2 WHEN 'confirmed' THEN NULL ELSE now() + interval '1 hour' END, $3
       FROM payments p JOIN payment_attempts a ON a.payment_id = p.id WHERE p.id = $1`,
      [id, state, operationId],
    );
  /** Only the status, as those processes write it. */
  const oldStatus = ({ id }: { id: number }, status: string) =>
    api.database.pool.query(`UPDATE payments SET status = $2, updated_at = now() WHERE id = $1`, [id, status]);

  it('RefundsService refunds what its status implies was captured', async () => {
    const payment = await pay();
    await api.database.pool.query(
      `UPDATE payments SET status = 'pending', amount_authorized = 0, amount_captured = 0 WHERE id = $1`,
      [payment.id],
    );
    await oldStatus(payment, 'completed');
    await refund(payment, { amount: 10 });
    expect(await amountsOf(payment)).toEqual(['completed', 10]);
  });

  it('RefundsService leaves the amount to its open refund, and continues that one', async () => {
    const payment = await pay();
    await oldRefund(payment, 'unknown');
    expect(await refund(payment, { amount: 1 })).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_captured' },
    });
    const answer = await merchant.api.post(`/payments/${payment.id}/refund`);
    expect(dataOf<PaymentAnswer>(answer).status).toBe('refunded');
    expect(provider.callsOf(payment.id, 'refund')).toMatchObject([{ key: `old-${payment.id}` }]);
    expect(await shown(payment)).toEqual([[49.9, 'succeeded', 'api']]);
    expect((await operationsOf(api, payment.id)).map(({ state }) => state)).toEqual(['confirmed', 'confirmed']);
  });

  it('RefundEvents makes it completed again when its refund fails late', async () => {
    const payment = await pay();
    await oldRefund(payment, 'confirmed', 're_old');
    await oldStatus(payment, 'refunded');
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9]);
    await say(payment, { status: 'refunded', operationId: 're_old' });
    expect(await shown(payment)).toEqual([]);
    await say(payment, { status: 'refund_failed', operationId: 're_old' });
    expect(await amountsOf(payment)).toEqual(['completed', 0]);
    expect(await shown(payment)).toEqual([[49.9, 'failed', 'api']]);
    expect(await lastStep(payment)).toEqual(['refunded', 'completed', 'refund_failed']);
  });

  it('RefundEvents explains an amount that no refund explains, and counts it once', async () => {
    const payment = await pay();
    await oldStatus(payment, 'refunded');
    await say(payment, { status: 'refunded', operationId: 'theirs', amount: '49.9' });
    expect([await amountsOf(payment), await shown(payment)]).toEqual([
      ['refunded', 49.9],
      [[49.9, 'succeeded', 'provider']],
    ]);
    await say(payment, { status: 'refunded', operationId: 'another', amount: '49.9' });
    expect((await outcomes()).at(-1)).toEqual(['alarm', 'other_refund']);
  });
});
