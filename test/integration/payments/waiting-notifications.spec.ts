import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { LedgerProvider } from './ledger-provider.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { anEvent, checkWaiting, storedOf, sendEvents, scriptNotifications, type TestEvent } from './scripted-events.js';

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
  shopId = (await merchant.createShop(`Shop ${(shops += 1)}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay(`flow ${shopId}`, fields);
const send = (...events: TestEvent[]) => sendEvents(merchant, shopId, events);
const refundsOf = async ({ id }: PaymentAnswer) =>
  dataOf<{ provider_refund_id: string | null }[]>(await merchant.api.get(`/payments/${id}/refunds`));
const of = ({ provider_transaction_id: transactionId }: PaymentAnswer) => ({ transactionId });
const statusOf = async ({ id }: { id: number }) => (await merchant.payment(id)).status;
const stepsOf = async ({ id }: { id: number }) => (await merchant.history(id)).map(({ to }) => to);
const outcomes = async () =>
  (await storedOf(api, shopId)).map(({ status, outcome, reason }) => [status, outcome, reason]);
const isMarked = async () =>
  (
    await api.database.pool.query<{ marked: number }>(
      'SELECT count(*)::int AS marked FROM payments WHERE shop_id = $1 AND has_waiting_notifications',
      [shopId],
    )
  ).rows[0]!.marked > 0;

/** Events that the provider sends after the charge was made and before its answer. */
const beforeTheAnswer = (...events: ((match: { transactionId: string; reference: string }) => TestEvent)[]): void => {
  provider.beforeAnswer = async ({ reference }) => {
    const match = { transactionId: `tx_${reference}`, reference };
    for (const event of events) await send(event(match));
  };
};

describe('a notification that comes too early', () => {
  it('waits for the transaction id of the answer, and is applied with the answer', async () => {
    provider.chargeAs = () => 'open';
    beforeTheAnswer(({ transactionId }) => ({ status: 'completed', match: { transactionId } }));
    const payment = await pay();
    expect(payment.status).toBe('completed');
    expect(await stepsOf(payment)).toEqual(['processing', 'completed']);
    expect(await outcomes()).toEqual([['completed', 'applied', null]]);
    expect((await storedOf(api, shopId))[0]!.payment_id).toBe(payment.id);
    expect(await isMarked()).toBe(false);
  });

  it('completes the payment at once if it has our reference', async () => {
    beforeTheAnswer(({ reference }) => ({ status: 'completed', match: { reference } }));
    const payment = await pay();
    expect(await stepsOf(payment)).toEqual(['completed']);
    expect(payment.provider_transaction_id).toMatch(/^tx_/);
    await send({ status: 'refunded', match: of(payment) });
    expect(await statusOf(payment)).toBe('refunded');
  });

  it('that waited for a transaction id is applied with the notification that has the id', async () => {
    beforeTheAnswer(
      (match) => ({ status: 'processing', match }),
      ({ transactionId }) => ({ status: 'refunded', match: { transactionId } }),
      ({ reference }) => ({ status: 'completed', match: { reference } }),
    );
    const payment = await pay();
    expect(await statusOf(payment)).toBe('refunded');
    expect((await outcomes()).filter(([, outcome]) => outcome === 'waiting')).toEqual([]);
    expect(await isMarked()).toBe(false);
  });

  it.each(['processing', 'failed', 'cancelled'] as const)(
    'waits for the answer if its status is %s',
    async (status) => {
      provider.chargeAs = () => 'open';
      beforeTheAnswer(({ reference }) => ({ status, match: { reference } }));
      const payment = await pay();
      expect(payment.status).toBe(status);
      expect((await outcomes())[0]!.slice(0, 2)).toEqual([status, status === 'processing' ? 'ignored' : 'applied']);
      expect(await isMarked()).toBe(false);
    },
  );

  it('leaves the failover to another shop possible', async () => {
    const second = await merchant.createShop(`Second of ${shopId}`);
    await merchant.api.post('/flows', {
      name: `two ${shopId}`,
      strategy: 'priority',
      max_attempts: 2,
      shops: [
        { shop_id: shopId, priority: 1 },
        { shop_id: second.id, priority: 2 },
      ],
    });
    const charge = provider.charge.bind(provider);
    let calls = 0;
    provider.charge = async (request) => {
      const answer = await charge(request);
      if ((calls += 1) > 1) return answer;
      return { outcome: 'soft_declined', declineCode: 'issuer_unavailable', transactionId: answer.transactionId! };
    };
    beforeTheAnswer(({ reference }) => ({ status: 'failed', match: { reference } }));
    provider.chargeAs = () => 'declined';
    const answered = await merchant.pay(`two ${shopId}`);
    expect(calls).toBe(2);
    expect(answered.shop.id).toBe(second.id);
    expect((await storedOf(api, shopId))[0]).toMatchObject({ outcome: 'ignored', reason: 'attempt_superseded' });
  });

  it('takes effect after a call without an answer', async () => {
    provider.chargeAs = () => 'open';
    provider.fates = { charge: ['lost'] };
    beforeTheAnswer(({ reference }) => ({ status: 'failed', match: { reference } }));
    const payment = await pay();
    expect(payment.status).toBe('failed');
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'refused' }]);
  });

  it('waits if its status is refunded, and is applied with the completion', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await send({ status: 'refunded', match: of(payment) });
    expect(await statusOf(payment)).toBe('processing');
    expect(await outcomes()).toEqual([['refunded', 'waiting', 'payment_is_processing']]);
    await send({ status: 'completed', match: of(payment) });
    expect(await stepsOf(payment)).toEqual(['processing', 'completed', 'refunded']);
    expect((await outcomes()).map(([, outcome]) => outcome)).toEqual(['applied', 'applied']);
  });

  it('reaches its payment through a worker if the id was committed concurrently', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await api.database.pool.query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, status, data,
         received_at, outcome, reason, look_at)
       VALUES ('sandbox', $1, 'evt_missed', $2, 'completed', '{}', now(), 'waiting', 'unknown_payment', now())`,
      [shopId, payment.provider_transaction_id],
    );
    await checkWaiting(api);
    expect(await statusOf(payment)).toBe('completed');
    expect(await outcomes()).toEqual([['completed', 'applied', null]]);
  });

  it('takes effect with recovery’s look-up', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    await send({ status: 'refunded', match: { reference: provider.calls.at(-1)!.reference } });
    await recover(api, [payment.id], 1);
    expect(await stepsOf(payment)).toEqual(['processing', 'completed', 'refunded']);
  });

  it('becomes ignored after three days', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await send({ status: 'refunded', match: of(payment) }, { status: 'failed', match: { transactionId: 'tx_none' } });
    const longAgo = `UPDATE provider_notifications SET received_at = received_at - interval '73 hours' WHERE shop_id = $1`;
    await api.database.pool.query(longAgo, [shopId]);
    await checkWaiting(api);
    expect(await outcomes()).toEqual([
      ['refunded', 'ignored', 'payment_is_processing'],
      ['failed', 'ignored', 'unknown_payment'],
    ]);
    expect(await isMarked()).toBe(false);
  });

  it('appears in a metric', async () => {
    await send({ status: 'failed', match: { transactionId: 'tx_metric' } });
    await eventually(async () => {
      const metrics = await api.get(Metrics).render();
      expect(metrics).toMatch(/^provider_notifications_waiting [1-9]/m);
      expect(metrics).toMatch(/^provider_notifications_oldest_waiting_seconds \d/m);
    });
  });
});

describe('a notification', () => {
  it('applies all events of a batch, skips ignored kinds, and gets the answer that the provider expects', async () => {
    provider.chargeAs = () => 'open';
    const [first, second] = [await pay(), await pay()];
    const response = await sendEvents(
      merchant,
      shopId,
      [
        { status: 'completed', match: of(first) },
        { status: 'ignored', match: { transactionId: 'tx_none' } },
        { status: 'failed', match: of(second), declineCode: 'expired_card' },
      ],
      { contentType: 'text/plain', body: '[accepted]' },
    );
    expect([response.status, response.headers.get('content-type'), response.body]).toEqual([
      200,
      expect.stringContaining('text/plain'),
      '[accepted]',
    ]);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['completed', 'failed']);
    expect(await storedOf(api, shopId)).toHaveLength(2);
  });

  it('with a known id and other content is stored as a conflict; a repeat of the same content is not stored', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    const event = anEvent({ status: 'processing', match: of(payment), data: { a: 1, b: 2 } });
    await send(event);
    for (let time = 0; time < 3; time += 1) await send({ ...event, data: { b: 2, a: 1 } });
    for (let time = 0; time < 3; time += 1) await send({ ...event, status: 'completed' });
    expect(await statusOf(payment)).toBe('processing');
    expect(await outcomes()).toEqual([
      ['processing', 'ignored', 'status_unchanged'],
      ['completed', 'conflict', 'other_content'],
    ]);
  });

  it.each([{ amount: '49.91' }, { amount: '4990' }, { currency: 'USD' }, { amount: '49.90', currency: 'JPY' }])(
    'with %j never completes a payment of 49.90 EUR',
    async (money) => {
      provider.chargeAs = () => 'open';
      const payment = await pay();
      await send({ status: 'completed', match: of(payment), ...money });
      expect(await statusOf(payment)).toBe('processing');
      expect(await outcomes()).toEqual([['completed', 'alarm', 'amount_differs']]);
    },
  );

  it('with our amount in another format completes it', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await send({ status: 'completed', match: of(payment), amount: '49.9', currency: 'eur' });
    expect(await statusOf(payment)).toBe('completed');
  });

  it('refunds a part by a part of the amount', async () => {
    const payment = await pay();
    await send({ status: 'refunded', match: of(payment), amount: '10.00', currency: 'EUR' });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_refunded: 10 });
    expect(await outcomes()).toEqual([['refunded', 'applied', null]]);
  });

  it.each(['refund_failed', 'capture_failed', 'void_failed'] as const)('causes an alarm: %s', async (status) => {
    const payment = await pay();
    await send({ status, match: of(payment) });
    expect(await statusOf(payment)).toBe('completed');
    expect(await outcomes()).toEqual([[status, 'alarm', status]]);
  });

  it('confirms or refuses a pending refund', async () => {
    provider.isAsynchronous = true;
    const [done, refused] = [await pay(), await pay()];
    for (const { id } of [done, refused]) expect((await merchant.api.post(`/payments/${id}/refund`)).status).toBe(200);
    const operationId = (await refundsOf(refused)).at(-1)!.provider_refund_id!;
    await send({ status: 'refunded', match: of(done) }, { status: 'refund_failed', match: of(refused), operationId });
    expect([await statusOf(done), await statusOf(refused)]).toEqual(['refunded', 'completed']);
    const states = await Promise.all([done, refused].map(({ id }) => operationsOf(api, id)));
    expect(states.map((operations) => operations.at(-1)!.state)).toEqual(['confirmed', 'refused']);
  });

  it('about a late charge causes its refund and confirms it, in any order', async () => {
    provider.chargeAs = () => 'open';
    provider.isAsynchronous = true;
    for (const order of [
      ['completed', 'refunded'],
      ['refunded', 'completed'],
    ] as const) {
      const payment = await pay();
      await send({ status: 'failed', match: of(payment) });
      for (const status of order) await send({ status, match: of(payment) });
      const shown = await merchant.payment(payment.id);
      expect([shown.status, shown.charged_after_end]).toEqual(['failed', true]);
      expect((await operationsOf(api, payment.id)).at(-1)).toMatchObject({ kind: 'refund', state: 'confirmed' });
      expect(await isMarked()).toBe(false);
    }
  });
});
