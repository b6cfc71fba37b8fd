import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OperationRecords } from '../../../src/payments/ledger/operation-records.service.js';
import { PaymentsService } from '../../../src/payments/ledger/payments.service.js';
import { Database } from '../../../src/platform/database/database.js';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant } from '../../support/app/merchant.js';
import { startCheckout } from './checkout.js';
import { LedgerProvider } from './ledger-provider.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { sendEvents, scriptNotifications } from './scripted-events.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;

beforeAll(async () => {
  ({ api, merchant } = await startCheckout({ PROVIDER_TIMEOUT_MS: '2000' }));
});
beforeEach(() => {
  provider = new LedgerProvider(api);
});
afterAll(() => api.stop());

const pay = () => merchant.pay('checkout');
const act = (payment: { id: number }, action: 'cancel' | 'refund') =>
  merchant.api.post(`/payments/${payment.id}/${action}`);
const statusOf = async ({ id }: { id: number }) => (await merchant.payment(id)).status;
const keysOf = (payment: { id: number }, operation: 'void' | 'refund') =>
  new Set(provider.callsOf(payment.id, operation).map(({ key }) => key));

/** Fails the operation like a notification about it. */
const fail = (payment: { id: number }, kind: 'void' | 'refund', providerOperationId?: string) =>
  api.get(Database).transaction(async (transaction) => {
    const locked = await api.get(PaymentsService).lock(transaction, payment.id);
    const failure = { reason: `${kind}_failed`, ...(providerOperationId && { providerOperationId }) };
    return api.get(OperationRecords).fail(transaction, locked, { attempt: locked.attempt, kind }, failure);
  });

const cancelWhileCharging = () => {
  provider.beforeAnswer = async ({ paymentId }) => {
    expect((await act({ id: paymentId }, 'cancel')).status).toBe(200);
  };
  return pay();
};

describe('an unavailable provider', () => {
  it('refuses the only call of a refund', async () => {
    provider.fates = { refund: ['unavailable'] };
    const payment = await pay();
    expect((await act(payment, 'refund')).status).toBe(409);
    expect((await act(payment, 'refund')).status).toBe(200);
    expect(keysOf(payment, 'refund').size).toBe(2);
  });

  it('leaves the outcome unknown of a refund whose first answer was lost, so the key is kept', async () => {
    provider.fates = { refund: ['lost', 'unavailable', 'unavailable'] };
    const payment = await pay();
    expect((await act(payment, 'refund')).status).toBe(503);
    expect((await act(payment, 'refund')).status).toBe(503);
    await recover(api, [payment.id], 1);
    expect(await operationsOf(api, payment.id)).toMatchObject([
      { kind: 'charge' },
      { kind: 'refund', state: 'unknown', is_due: true },
    ]);
    await recover(api, [payment.id], 1);
    expect(await statusOf(payment)).toBe('refunded');
    expect(keysOf(payment, 'refund').size).toBe(1);
  });

  it('leaves the outcome unknown of a call that another process may have made', async () => {
    const payment = await pay();
    provider.fates = { refund: ['dropped', 'unavailable'] };
    expect((await act(payment, 'refund')).status).toBe(503);
    // simulates a process that died during the call: no result was recorded
    await api.database.pool.query(
      `UPDATE provider_operations SET state = 'open', last_answer = NULL WHERE payment_id = $1 AND kind = 'refund'`,
      [payment.id],
    );
    await recover(api, [payment.id], 1);
    expect((await operationsOf(api, payment.id))[1]).toMatchObject({ state: 'unknown', is_due: true });
    await recover(api, [payment.id], 1);
    expect(keysOf(payment, 'refund').size).toBe(1);
  });

  it('keeps the key of a reversal that may have been made, and changes the key of one that was not', async () => {
    provider.fates = { refund: ['unavailable', 'lost', 'unavailable'] };
    const payment = await cancelWhileCharging();
    await recover(api, [payment.id], 5);
    const [first, second, third] = provider.callsOf(payment.id, 'refund').map(({ key }) => key);
    expect(first).not.toBe(second);
    expect(third).toBe(second);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
  });
});

describe('a void or refund that failed after the provider had accepted it', () => {
  beforeEach(() => {
    provider.isAsynchronous = true;
  });

  it('becomes refused if a merchant requested it, and can be requested again', async () => {
    const payment = await pay();
    expect((await act(payment, 'refund')).status).toBe(200);
    scriptNotifications(api);
    const [refund] = dataOf<{ provider_refund_id: string }[]>(
      await merchant.api.get(`/payments/${payment.id}/refunds`),
    );
    const match = { transactionId: payment.provider_transaction_id };
    const event = { status: 'refund_failed', match, operationId: refund!.provider_refund_id } as const;
    await sendEvents(merchant, payment.shop.id, [event, event]);
    expect((await operationsOf(api, payment.id))[1]).toMatchObject({ state: 'refused', reason: 'refund_failed' });
    expect((await act(payment, 'refund')).status).toBe(200);
    expect(keysOf(payment, 'refund').size).toBe(2);
  });

  it('matches only its own operation', async () => {
    const payment = await pay();
    await act(payment, 'refund');
    expect(await fail(payment, 'refund', 'op_of_another')).toBe(false);
    expect(await fail(payment, 'void')).toBe(false);
    expect((await operationsOf(api, payment.id))[1]).toMatchObject({ state: 'pending' });
  });

  it('gets another key and is requested again if it reverses a late charge', async () => {
    provider.isAsynchronous = false;
    const payment = await cancelWhileCharging();
    provider.isAsynchronous = true;
    await recover(api, [payment.id], 1);
    expect(await fail(payment, 'refund')).toBe(true);
    provider.isAsynchronous = false;
    await recover(api, [payment.id], 1);
    expect(keysOf(payment, 'refund').size).toBe(2);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
  });

  it('leads to a repeat of the charge if there is no look-up, and then to its refund', async () => {
    provider.capabilities = { ...provider.capabilities, lookup: 'none', idempotencyWindowMs: 3_600_000 };
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    provider.chargeAs = () => 'open';
    for (const [reference, entry] of provider.entries) provider.entries.set(reference, { ...entry, status: 'open' });
    expect((await act(payment, 'cancel')).status).toBe(200); // the void is pending
    provider.finish(payment.id, 'captured');
    provider.isAsynchronous = false;
    expect(await fail(payment, 'void')).toBe(true);
    // due now, according to a clock that may have been set back a little meanwhile
    const { rows } = await api.database.pool.query<{ is_due: boolean }>(
      `SELECT next_try_at <= clock_timestamp() + interval '500 ms' AS is_due FROM provider_operations WHERE payment_id = $1 AND kind = 'charge'`,
      [payment.id],
    );
    expect(rows).toEqual([{ is_due: true }]);
    await recover(api, [payment.id], 4);
    expect(provider.callsOf(payment.id, 'charge')).toHaveLength(2);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
    expect((await operationsOf(api, payment.id)).map(({ is_due: isDue }) => isDue)).toEqual([false, false, false]);
  });
});
