import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { LedgerProvider } from './ledger-provider.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { anEvent, checkWaiting, storedOf, sendEvents, scriptNotifications, type TestEvent } from './scripted-events.js';

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
  shopId = (await merchant.createShop(`Shop ${(shops += 1)}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay(`flow ${shopId}`, fields);
const send = (...events: TestEvent[]) => sendEvents(merchant, shopId, events);
const of = ({ provider_transaction_id: transactionId }: PaymentAnswer) => ({ transactionId });
const statusOf = async ({ id }: { id: number }) => (await merchant.payment(id)).status;
const stepsOf = async ({ id }: { id: number }) => (await merchant.history(id)).map(({ to }) => to);
const outcomes = async () =>
  (await storedOf(api, shopId)).map(({ status, outcome, reason }) => [status, outcome, reason]);
const checks = async () =>
  (
    await api.database.pool.query(
      `SELECT FROM due_work d JOIN provider_notifications n ON n.id = d.subject_id
       WHERE d.kind = 'notification' AND n.shop_id = $1`,
      [shopId],
    )
  ).rowCount;
const letWait = () =>
  api.database.pool.query(
    `WITH waiting AS (
       UPDATE provider_notifications SET outcome = 'waiting' WHERE shop_id = $1 RETURNING id, received_at
     )
     INSERT INTO due_work (kind, subject_id, due_at) SELECT 'notification', id, received_at FROM waiting
     ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at`,
    [shopId],
  );
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

  it('reaches its payment through a worker if the id was committed concurrently', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await api.database.pool.query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, status, data,
         received_at, outcome, reason)
       VALUES ('sandbox', $1, 'evt_missed', $2, 'completed', '{}', now(), 'applied', 'unknown_payment')`,
      [shopId, payment.provider_transaction_id],
    );
    await letWait();
    await Promise.all([checkWaiting(api), checkWaiting(api)]);
    expect(await statusOf(payment)).toBe('completed');
    expect(await stepsOf(payment)).toEqual(['processing', 'completed']);
    expect(await outcomes()).toEqual([['completed', 'applied', null]]);
    expect(await checks()).toBe(0);
  });

  it('a notification that a process of the version before has applied is checked no more', async () => {
    await send({ status: 'failed', match: { transactionId: 'tx_applied_before' } });
    expect(await checks()).toBe(1);
    const asBefore = `UPDATE provider_notifications SET outcome = 'applied' WHERE shop_id = $1`;
    await api.database.pool.query(asBefore, [shopId]);
    await checkWaiting(api);
    expect(await checks()).toBe(0);
    expect(await outcomes()).toEqual([['failed', 'applied', 'unknown_payment']]);
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

describe('a completion without the transaction id, whose call has no answer', () => {
  const lost = async (atLookUp: (charge: { paymentId: number; reference: string }) => Promise<unknown>) => {
    provider.fates = { charge: ['lost'] };
    beforeTheAnswer(({ reference }) => ({ status: 'completed', match: { reference } }));
    provider.beforeLookup = async (charge) => {
      provider.beforeLookup = () => Promise.resolve();
      await atLookUp(charge);
    };
    const { id } = await pay();
    await recover(api, [id], 1);
    return merchant.payment(id);
  };

  it('gets the id by a look-up, with a refund that is reported meanwhile', async () => {
    const { status } = await lost(({ reference }) =>
      send({ status: 'refunded', match: { transactionId: `tx_${reference}` } }),
    );
    expect(status).toBe('refunded');
    expect(await isMarked()).toBe(false);
  });

  it('gets the id once by two look-ups at once, and its charge is closed', async () => {
    const seen: (string | null)[] = [];
    const payment = await lost(async ({ paymentId }) => {
      await recover(api, [paymentId], 1);
      seen.push((await merchant.payment(paymentId)).provider_transaction_id);
    });
    // the slower one finds it closed, and changes nothing
    expect(seen).toEqual([expect.stringMatching(/^tx_/)]);
    expect(payment).toMatchObject({ status: 'completed', provider_transaction_id: seen[0] });
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'confirmed', is_due: false }]);
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
});
