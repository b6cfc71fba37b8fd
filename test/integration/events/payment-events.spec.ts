import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StuckOperations } from '../../../src/payments/work/stuck-operations.job.js';
import { loadMoney } from '../../../src/payments/store/load-money.js';
import { MoneyWriter } from '../../../src/payments/store/money-writer.service.js';
import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import { Database, type Transaction } from '../../../src/platform/database/database.js';
import type { Batch, MaintenanceJobs } from '../../../src/platform/maintenance/maintenance-jobs.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { answered, applyIn } from '../../support/app/charge-facts.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { LedgerProvider } from '../payments/ledger-provider.js';
import { scriptNotifications, sendEvents, type TestEvent } from '../payments/scripted-events.js';
import { type WrittenEvent, writtenEvents } from './written-events.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;

beforeAll(async () => {
  api = await startApi({ PROVIDER_TIMEOUT_MS: '500' }, { lockTimeoutMs: 30_000 });
  merchant = new Merchant(await api.login());
  scriptNotifications(api);
});
beforeEach(async () => {
  provider = new LedgerProvider(api);
  shopId = (await merchant.createShop(`Shop ${Math.random()}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const FAILURE = new Error('the process dies before the commit');
const pay = (fields: Record<string, unknown> = {}) => merchant.pay(`flow ${shopId}`, fields);
const send = (...events: TestEvent[]) => sendEvents(merchant, shopId, events);
const of = ({ provider_transaction_id: transactionId }: PaymentAnswer) => ({ transactionId });
const eventsOf = (type: string, { id }: { id: number }) => writtenEvents(api, { type, paymentId: id });
const refund = ({ id }: { id: number }, amount: number) => merchant.api.post(`/payments/${id}/refunds`, { amount });
const sql = (text: string, values: unknown[]) => api.database.pool.query(text, values);

/** Runs `write` in a transaction that is rolled back at its end. */
const rolledBack = (write: (transaction: Transaction) => Promise<unknown>): Promise<void> =>
  expect(
    api.get(Database).transaction(async (transaction) => {
      await write(transaction);
      throw FAILURE;
    }),
  ).rejects.toBe(FAILURE);

describe('payment.amounts_changed', () => {
  const changesOf = async (payment: { id: number }) =>
    (await eventsOf('payment.amounts_changed', payment)).map(({ data }) => {
      const [before, after] = [data['before'], data['after']] as Record<string, number>[];
      const pairs = ['amount_authorized', 'amount_captured', 'amount_refunded'].map(
        (name) => `${before![name]}>${after![name]}`,
      );
      return [data['cause'], data['status'], ...pairs];
    });

  it('reports each part of a refund once, with the amounts before and after, next to the refund', async () => {
    const payment = await pay();
    await refund(payment, 10);
    await refund(payment, 39.9);
    expect(await changesOf(payment)).toEqual([
      ['refund_created', 'completed', '49.9>49.9', '49.9>49.9', '0>10'],
      ['refund_created', 'completed', '49.9>49.9', '49.9>49.9', '10>49.9'],
    ]);
    const all = await writtenEvents(api, { paymentId: payment.id });
    const expected = ['refund.created', 'payment.amounts_changed', 'refund.updated'];
    expect(all.map(({ type }) => type)).toEqual([...expected, ...expected]);
    expect(all[1]).toMatchObject({
      shop_id: shopId,
      data: { payment_id: payment.id, refund_id: all[0]!.data['id'], currency: 'EUR' },
    });
  });

  it('reports the amount of a failed refund once', async () => {
    provider.fates = { refund: [{ refused: 'not now' }] };
    const payment = await pay();
    await refund(payment, 20);
    expect((await changesOf(payment)).map(([cause, , , , refunded]) => [cause, refunded])).toEqual([
      ['refund_created', '0>20'],
      ['refund_failed', '20>0'],
    ]);
  });

  it('reports an authorisation that becomes known later, and not the capture, which changes the status', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay({ capture: 'manual' });
    const captureBefore = '2030-01-01T00:00:00.000Z';
    const authorized = { status: 'authorized', match: of(payment), amount: '49.90', captureBefore } as never;
    await send(authorized);
    await send({ ...(authorized as object), id: 'a repeat' } as never);
    provider.finish(payment.id, 'authorized');
    await merchant.api.post(`/payments/${payment.id}/capture`, { amount: 30 });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_captured: 30 });
    expect(await changesOf(payment)).toEqual([['authorized', 'processing', '0>49.9', '0>0', '0>0']]);
  });

  it('reports exactly the refunds that fit, of concurrent ones', async () => {
    const payment = await pay();
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => refund(payment, 15)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refunded = (await changesOf(payment)).map((change) => change[4]);
    expect(refunded).toEqual(['0>15', '15>30', '30>45']);
  });

  it('disappears with a change that is rolled back', async () => {
    const { id } = await pay();
    await rolledBack((transaction) => applyIn(api, transaction, id, answered('captured', { refunded: '5' })));
    expect(await writtenEvents(api, { paymentId: id })).toEqual([]);
  });
});

describe('payment.late_charge', () => {
  /** A payment that has failed, and that its provider may still charge. */
  async function failedPayment(): Promise<PaymentAnswer> {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await send({ status: 'failed', match: of(payment) });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'failed' });
    return payment;
  }

  it('reports the charge of an ended payment once, for repeated and concurrent reports', async () => {
    const payment = await failedPayment();
    const charged: TestEvent = { status: 'completed', match: of(payment), amount: '49.90' };
    await Promise.all([1, 2, 3, 4].map(() => send(charged)));
    await send(charged);
    const [event, ...others] = await eventsOf('payment.late_charge', payment);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      shop_id: shopId,
      data: {
        payment_id: payment.id,
        status: 'failed',
        attempt: 1,
        provider: 'sandbox',
        amount: 49.9,
        currency: 'EUR',
      },
    });
    expect(await merchant.payment(payment.id)).toMatchObject({ charged_after_end: true });
  });

  it('disappears with a change that is rolled back', async () => {
    const { id } = await failedPayment();
    await rolledBack((transaction) => applyIn(api, transaction, id, answered('captured')));
    expect(await eventsOf('payment.late_charge', { id })).toEqual([]);
    expect(await merchant.payment(id)).toMatchObject({ charged_after_end: false });
  });
});

describe('capture.failed', () => {
  const failedOf = async (payment: { id: number }) =>
    (await eventsOf('capture.failed', payment)).map((event) => [event.shop_id, event.data]);

  it('reports the operation, its amount and its reason, and no note of a person', async () => {
    provider.fates = { capture: [{ refused: 'card_expired' }] };
    const payment = await pay({ capture: 'manual' });
    await merchant.api.post(`/payments/${payment.id}/capture`, { amount: 30 });
    const { body } = await merchant.api.get<{ data: Record<'id' | 'kind', unknown>[] }>(
      `/payments/${payment.id}/operations`,
    );
    const operationId = body.data.find(({ kind }) => kind === 'capture')!.id as number;
    const record = async (transaction: Transaction) => {
      const locked = await api.get(PaymentsService).lock(transaction, payment.id);
      const state = await loadMoney(transaction, locked, new Date());
      await api.get(MoneyWriter).write(transaction, state, [{ do: 'capture_failed', operation: operationId }]);
    };
    await rolledBack(record);
    const before = (await failedOf(payment)).length;
    await api.get(Database).transaction(record);
    await sql(`UPDATE provider_operations SET reason = 'settled as failed: Ada called' WHERE id = $1`, [operationId]);
    await api.get(Database).transaction(record);
    const data = { payment_id: payment.id, operation_id: operationId, attempt: 1, provider: 'sandbox' };
    expect((await failedOf(payment)).slice(before)).toEqual(
      ['card_expired', 'settled_by_operator'].map((reason) => [
        shopId,
        { ...data, amount: 30, currency: 'EUR', reason },
      ]),
    );
  });
});

describe('operation.stuck', () => {
  let run: (transaction: Transaction) => Promise<Batch>;
  beforeAll(() => {
    const jobs: Pick<MaintenanceJobs, 'add'> = { add: (job) => (run = (transaction) => job.batch(transaction)) };
    new StuckOperations(jobs as MaintenanceJobs).onModuleInit();
  });

  const report = () => api.get(Database).transaction(run);
  const stuckOf = async (payment: { id: number }) =>
    (await eventsOf('operation.stuck', payment)).map(({ data }) => [data['kind'], data['is_stopped']]);
  const age = ({ id }: { id: number }, minutes: number) =>
    sql(`UPDATE provider_operations SET created_at = now() - $2 * interval '1 minute' WHERE payment_id = $1`, [
      id,
      minutes,
    ]);

  async function lostCharge(): Promise<PaymentAnswer> {
    provider.fates = { charge: ['lost'] };
    return pay();
  }

  it('reports an operation without an outcome for 15 minutes, once', async () => {
    const payment = await lostCharge();
    await age(payment, 14);
    await report();
    expect(await stuckOf(payment)).toEqual([]);
    await age(payment, 16);
    await report();
    await report();
    const events: WrittenEvent[] = await eventsOf('operation.stuck', payment);
    expect(events).toMatchObject([
      { shop_id: shopId, data: { kind: 'charge', is_stopped: false, attempt: 1, amount: 49.9, provider: 'sandbox' } },
    ]);
  });

  it('reports each operation once, if workers run at the same time', async () => {
    const payments = [await lostCharge(), await lostCharge(), await lostCharge()];
    for (const payment of payments) await age(payment, 20);
    await Promise.all([report(), report(), report(), report()]);
    for (const payment of payments) expect(await stuckOf(payment)).toEqual([['charge', false]]);
  });

  it('reports an operation that was stopped, at any age', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await send({ status: 'completed', match: of(payment), amount: '1.00' });
    await report();
    expect(await stuckOf(payment)).toEqual([['charge', true]]);
  });

  it('reports no charge whose payer has time, and no finished operation', async () => {
    const done = await pay();
    provider.chargeAs = () => 'open';
    const waiting = await pay();
    await age(waiting, 60);
    await age(done, 60);
    await report();
    expect([await stuckOf(waiting), await stuckOf(done)]).toEqual([[], []]);
  });

  it('disappears with a mark that is rolled back, and the next run reports it', async () => {
    const payment = await lostCharge();
    await age(payment, 20);
    await rolledBack(run);
    expect(await stuckOf(payment)).toEqual([]);
    await report();
    expect(await stuckOf(payment)).toEqual([['charge', false]]);
  });
});
