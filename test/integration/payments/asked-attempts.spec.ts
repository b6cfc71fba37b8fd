import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationReference, ProviderState } from '@payment-orchestrator/provider-kit';
import { NotificationsService } from '../../../src/payments/notifications/notifications.service.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { makeDue, operationsOf, recover } from '../../support/app/recovery-harness.js';
import { aLookUps, ask, askedOf, passTime } from './asked-harness.js';
import { sharedCheckout } from './checkout.js';
import { LedgerProvider } from './ledger-provider.js';
import { scriptNotifications, sendEvents, storedOf } from './scripted-events.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;

beforeAll(async () => {
  ({ api, merchant } = await sharedCheckout());
});
beforeEach(async () => {
  provider = new LedgerProvider(api);
  scriptNotifications(api);
  // a worker makes the look-ups of all tests
  await api.database.pool.query(`DELETE FROM due_work WHERE kind = 'look_up'`);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay('checkout', fields);
const askAbout = ({ shop, provider_transaction_id: id }: PaymentAnswer) => ask(merchant, shop.id, [id]);
const lookUp = () => aLookUps(api).lookUpDue();
const lookUpsOf = ({ id }: PaymentAnswer) => provider.callsOf(id, 'lookup').length;
const statusOf = async ({ id }: PaymentAnswer) => (await merchant.payment(id)).status;
const refundsOf = async ({ id }: PaymentAnswer) =>
  dataOf<Record<string, unknown>[]>(await merchant.api.get(`/payments/${id}/refunds`));

/** A payment that the provider has not decided yet. */
const unfinished = async (): Promise<PaymentAnswer> => {
  provider.chargeAs = () => 'open';
  const payment = await pay();
  expect(payment.status).toBe('processing');
  return payment;
};

describe('a notification that only names a transaction', () => {
  it('a payment gets the state at the provider, which gets the answer that it expects', async () => {
    const payment = await unfinished();
    provider.finish(payment.id, 'captured');
    const { status, body } = await askAbout(payment);
    expect([status, body]).toEqual([200, 'OK']);
    expect(await statusOf(payment)).toBe('processing');
    expect(await lookUp()).toBe(1);
    expect(await statusOf(payment)).toBe('completed');
    expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ to: 'completed', cause: 'provider_lookup' });
    expect(await lookUp()).toBe(0);
  });

  it('a transaction of no payment of the shop is dropped', async () => {
    const payment = await unfinished();
    const other = await merchant.createShop('Other');
    const elsewhere = await ask(merchant, other.id, [payment.provider_transaction_id]);
    const unknown = await ask(merchant, payment.shop.id, ['tx_unknown', '']);
    for (const { status, body } of [elsewhere, unknown]) expect([status, body]).toEqual([200, 'OK']);
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: false });
    expect(await lookUp()).toBe(0);
    expect(await storedOf(api, other.id)).toEqual([]);
  });

  it('a notification may name a hundred transactions and no more, each is looked up once', async () => {
    const [one, other] = [await unfinished(), await unfinished()];
    const names = [one, other, one].map(({ provider_transaction_id: id }) => id);
    const others = Array.from({ length: 98 }, (_, index) => `tx_${index}`);
    expect((await ask(merchant, one.shop.id, [...names, ...others])).status).toBe(200);
    expect(await lookUp()).toBe(2);
    expect([lookUpsOf(one), lookUpsOf(other)]).toEqual([1, 1]);
    const { status, body } = await ask(merchant, one.shop.id, [...names, ...others, 'tx_98']);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ message: expect.stringContaining('101') }] });
  });

  it('a notification that the adapter does not read in time gets 503, and the adapter is aborted', async () => {
    const payment = await unfinished();
    const signals: AbortSignal[] = [];
    const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
    sandbox['parseNotification'] = (_: unknown, __: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const notifications = api.get(NotificationsService);
    const config: unknown = Reflect.get(notifications, 'config');
    Reflect.set(notifications, 'config', { providerTimeoutMs: 20 });
    const { status, body } = await askAbout(payment);
    Reflect.set(notifications, 'config', config);
    expect([status, (body as { code: string }).code]).toEqual([503, 'dependency_unavailable']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('an adapter gets the shop and the parameters of the address', async () => {
    const payment = await unfinished();
    const incoming: unknown[] = [];
    const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
    sandbox['parseNotification'] = (one: { rawBody: Buffer }) => {
      incoming.push({ ...one, rawBody: one.rawBody.toString() });
      return Promise.resolve({ events: [] });
    };
    const path = `/providers/sandbox/notifications/${payment.shop.id}?type=payment&id=7&id=8`;
    expect((await merchant.api.post(path, 'id=tx_1')).status).toBe(200);
    expect(incoming).toMatchObject([{ shopId: payment.shop.id, query: { type: 'payment' }, rawBody: 'id=tx_1' }]);
  });
});

describe('a look-up that a notification asks for', () => {
  it('a look-up without an answer is made again', async () => {
    const payment = await unfinished();
    provider.finish(payment.id, 'captured');
    provider.fates = { lookup: ['dropped', 'lost'] };
    await askAbout(payment);
    for (const expected of ['processing', 'processing', 'completed']) {
      expect(await lookUp()).toBe(1);
      expect(await statusOf(payment)).toBe(expected);
      expect(await lookUp()).toBe(0);
      await passTime(api);
    }
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: false });
  });

  it('another worker makes the look-up of one that died before it wrote', async () => {
    const payment = await unfinished();
    provider.finish(payment.id, 'captured');
    await askAbout(payment);
    const dead = aLookUps(api) as unknown as { lookUpDue: () => Promise<number>; money: unknown };
    dead.money = { applyTo: () => Promise.reject(new Error('the process was killed')) };
    expect(await dead.lookUpDue()).toBe(1);
    expect(await statusOf(payment)).toBe('processing');
    await passTime(api);
    expect(await lookUp()).toBe(1);
    expect(await statusOf(payment)).toBe('completed');
  });

  it('one look-up is made for any number of notifications and workers at once', async () => {
    const payment = await unfinished();
    provider.finish(payment.id, 'captured');
    const answers = await Promise.all(Array.from({ length: 20 }, () => askAbout(payment)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const done = await Promise.all(Array.from({ length: 4 }, () => lookUp()));
    expect(done.reduce((sum, count) => sum + count)).toBe(1);
    expect(lookUpsOf(payment)).toBe(1);
    expect(await statusOf(payment)).toBe('completed');
  });

  it('one more look-up is made a second after the last one, for notifications within that second', async () => {
    const payment = await unfinished();
    await askAbout(payment);
    await lookUp();
    provider.finish(payment.id, 'captured');
    for (let count = 0; count < 5; count++) await askAbout(payment);
    const { wait_ms: wait } = await askedOf(api, payment.id);
    expect(wait).toBeGreaterThanOrEqual(1_000);
    await passTime(api);
    expect(await lookUp()).toBe(1);
    expect(await lookUp()).toBe(0);
    expect(lookUpsOf(payment)).toBe(2);
    expect(await statusOf(payment)).toBe('completed');
  });

  it('one more look-up is made for a notification that came after the provider had read its answer', async () => {
    const payment = await unfinished();
    const sandbox = api.get(SandboxProvider) as unknown as {
      lookup: (of: OperationReference) => Promise<ProviderState>;
    };
    const { lookup } = sandbox;
    sandbox.lookup = async (reference) => {
      const state = await lookup(reference);
      sandbox.lookup = lookup;
      provider.finish(payment.id, 'captured');
      await askAbout(payment);
      return state;
    };
    await askAbout(payment);
    await lookUp();
    expect(await statusOf(payment)).toBe('processing');
    const { asked, wait_ms: wait } = await askedOf(api, payment.id);
    expect(asked).toBe(true);
    expect(wait).toBeGreaterThanOrEqual(1_000);
    await passTime(api);
    await lookUp();
    expect(await statusOf(payment)).toBe('completed');
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: false });
  });

  it('a payment that the provider does not find stays as it is', async () => {
    const payment = await pay();
    provider.entries.clear();
    await askAbout(payment);
    await lookUp();
    expect(await statusOf(payment)).toBe('completed');
    expect((await operationsOf(api, payment.id)).map(({ kind }) => kind)).toEqual(['charge']);
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: false });
  });

  it('a look-up without an answer ends after three days', async () => {
    const payment = await unfinished();
    await askAbout(payment);
    provider.fates = { lookup: ['dropped'] };
    await api.database.pool.query(
      `UPDATE payment_attempts SET asked_at = asked_at - interval '73 hours' WHERE payment_id = $1`,
      [payment.id],
    );
    expect(await lookUp()).toBe(1);
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: false });
  });
});

describe('refunds in a look-up', () => {
  it('another refund is found after ours has its outcome, which is due at once', async () => {
    provider.givesIds = true;
    provider.isAsynchronous = true;
    provider.offerRefundLookup(api);
    const payment = await pay();
    await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10 });
    provider.finish(payment.id, 'captured', { refundedAmount: '25.00' });
    await askAbout(payment);
    await lookUp();
    expect(await refundsOf(payment)).toMatchObject([{ amount: 10, origin: 'api', status: 'pending' }]);
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: true });
    const due = `SELECT FROM due_work d JOIN provider_operations o ON d.subject_id = o.payment_id AND d.part = o.id
      WHERE d.kind = 'operation' AND o.payment_id = $1 AND o.kind = 'refund' AND d.due_at <= clock_timestamp()`;
    expect((await api.database.pool.query(due, [payment.id])).rowCount).toBe(1);
    provider.settleRefunds();
    await makeDue(api, [payment.id]);
    await recover(api, [payment.id], 1);
    await passTime(api);
    await lookUp();
    const refunds = await refundsOf(payment);
    expect(refunds).toHaveLength(2);
    expect(refunds).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ amount: 10, origin: 'api', status: 'succeeded' }),
        expect.objectContaining({ amount: 15, origin: 'provider', status: 'succeeded' }),
      ]),
    );
  });

  it('a refund that exceeds the captured amount is an alarm, and counts with its amount when ours fails', async () => {
    provider.givesIds = true;
    const payment = await pay();
    await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 30 });
    provider.finish(payment.id, 'captured', { refundedAmount: '65' });
    await askAbout(payment);
    await lookUp();
    const [ours] = await refundsOf(payment);
    expect(await merchant.payment(payment.id)).toMatchObject({ amount_refunded: 30 });
    const match = { transactionId: payment.provider_transaction_id };
    await sendEvents(merchant, payment.shop.id, [
      { status: 'refund_failed', match, operationId: String(ours!['provider_refund_id']) },
    ]);
    expect(await merchant.payment(payment.id)).toMatchObject({ amount_refunded: 35 });
    expect((await refundsOf(payment)).map((each) => [each['amount'], each['status']]).sort()).toEqual([
      [30, 'failed'],
      [35, 'succeeded'],
    ]);
  });

  it('a refund that is missing at the provider is one alarm', async () => {
    const payment = await pay();
    await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10 });
    provider.finish(payment.id, 'captured', { refundedAmount: '0' });
    for (let count = 0; count < 2; count++) {
      await askAbout(payment);
      await passTime(api);
      await lookUp();
    }
    const alarms = (await storedOf(api, payment.shop.id)).filter(({ payment_id: id }) => id === payment.id);
    expect(alarms).toEqual([
      { status: 'refund_failed', outcome: 'alarm', reason: 'refund_failed', payment_id: payment.id },
    ]);
  });

  it('a refund that was requested during the look-up is no alarm', async () => {
    const payment = await pay();
    provider.beforeLookup = async () => {
      const { reference } = provider.callsOf(payment.id, 'charge')[0]!;
      const before = provider.entries.get(reference)!;
      provider.beforeLookup = () => Promise.resolve();
      await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10 });
      // the provider read its state before the refund
      provider.entries.set(reference, { ...before, refundedAmount: '0' });
    };
    await askAbout(payment);
    await lookUp();
    expect(
      await storedOf(api, payment.shop.id).then((rows) => rows.filter((row) => row.payment_id === payment.id)),
    ).toEqual([]);
    expect(await askedOf(api, payment.id)).toMatchObject({ asked: true });
  });
});
