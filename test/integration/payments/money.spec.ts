import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { ExpiryService } from '../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { SystemClock } from '../../../src/shared/clock.js';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { sharedCheckout } from './checkout.js';
import { LedgerProvider } from './ledger-provider.js';
import { aRecovery, makeDue, operationsOf, recover } from '../../support/app/recovery-harness.js';
import { scriptNotifications, sendEvents } from './scripted-events.js';

const ENDPOINT = 'http://127.0.0.1:4000/';

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

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

const pay = (fields: Record<string, unknown> = {}) =>
  merchant.pay('checkout', { webhook_endpoint: ENDPOINT, ...fields });
const act = (payment: { id: number }, action: 'cancel' | 'refund', body?: unknown) =>
  merchant.api.post(`/payments/${payment.id}/${action}`, body);
const statusOf = async ({ id }: { id: number }) => (await merchant.payment(id)).status;
const webhooksOf = async ({ id }: { id: number }) =>
  (await api.deliveriesOf(id)).map((delivery) => delivery.payment_status);

async function expire({ id }: { id: number }): Promise<void> {
  await sql(`UPDATE payments SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
  await new ExpiryService(
    api.get(Database),
    api.get(MoneyService),
    api.get(OperationRecords),
    new SystemClock(),
  ).expireBatch();
}

describe('a charge whose answer got lost', () => {
  it('completes its payment through recovery, and can be refunded', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    expect(payment.status).toBe('pending');
    await recover(api, [payment.id], 1);
    expect(await statusOf(payment)).toBe('completed');
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'confirmed', is_due: false }]);
    expect((await act(payment, 'refund')).status).toBe(200);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
  });

  it('stays due until the provider answers a look-up', async () => {
    provider.fates = { charge: ['lost'], lookup: ['lost', 'dropped'] };
    const payment = await pay();
    await recover(api, [payment.id], 2);
    expect(await operationsOf(api, payment.id)).toMatchObject([{ state: 'unknown', is_due: true }]);
    await recover(api, [payment.id], 1);
    expect(await statusOf(payment)).toBe('completed');
  });

  it('appears in the log when a check has a new finding, and not at every check', async () => {
    const log = jest.spyOn(Logger.prototype, 'log');
    const logged = () =>
      log.mock.calls.flatMap(([line]: unknown[]) => {
        const { msg, paymentId, outcome } = line as { msg?: string; paymentId?: number; outcome?: string };
        return msg === 'checked an open operation' && paymentId === payment.id ? [outcome] : [];
      });
    provider.fates = { charge: ['dropped'] };
    const payment = await pay();
    await recover(api, [payment.id], 4);
    expect(logged()).toEqual(['not_found']);
    provider.fates = { lookup: ['lost', 'lost'] };
    await recover(api, [payment.id], 2);
    expect(logged()).toEqual(['not_found', 'no_answer']);
    await recover(api, [payment.id], 2);
    expect(logged()).toEqual(['not_found', 'no_answer', 'not_found']);
    log.mockRestore();
  });

  it('stays visible after three days of checks', async () => {
    provider.fates = { charge: ['lost'], lookup: ['lost'] };
    const payment = await pay();
    await sql(`UPDATE provider_operations SET created_at = now() - interval '73 hours' WHERE payment_id = $1`, [
      payment.id,
    ]);
    await recover(api, [payment.id], 1);
    expect(await operationsOf(api, payment.id)).toMatchObject([{ state: 'unknown', is_due: false }]);
  });
});

describe('a charge that never arrived', () => {
  it('gets a void when its payment expires, and is refused if it arrives after that', async () => {
    provider.fates = { charge: ['dropped'] };
    const payment = await pay();
    await expire(payment);
    await recover(api, [payment.id], 1);
    expect(await statusOf(payment)).toBe('cancelled');
    expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ cause: 'expired' });
    const [{ key, reference } = { key: '', reference: '' }] = provider.callsOf(payment.id, 'charge');
    const late = { paymentId: payment.id, idempotencyKey: key, reference, amount: '49.9000', currency: 'EUR' };
    expect(await provider.charge(late as never)).toMatchObject({ outcome: 'declined' });
    await recover(api, [payment.id]);
    expect(await operationsOf(api, payment.id)).toMatchObject([
      { kind: 'charge', state: 'refused', reason: 'voided' },
      { kind: 'void', state: 'confirmed', cause: 'expired' },
    ]);
  });
});

describe('idempotency keys at the provider', () => {
  it('differ after a restore, because they are random', async () => {
    const before = await pay();
    await sql(`SELECT setval('payments_id_seq', $1, false)`, [before.id]);
    await sql('DELETE FROM payments WHERE id = $1', [before.id]);
    for (const table of ['payment_attempts', 'provider_operations', 'payment_status_changes']) {
      await sql(`DELETE FROM ${table} WHERE payment_id = $1`, [before.id]);
    }
    const after = await pay();
    expect(after).toMatchObject({ id: before.id, status: 'completed' });
    const [first, second] = provider.callsOf(after.id, 'charge');
    expect(first!.key).not.toBe(second!.key);
    expect(first!.reference).not.toBe(second!.reference);
  });

  it('change after a refused refund', async () => {
    provider.fates = { refund: [{ refused: 'insufficient balance' }] };
    const payment = await pay();
    expect((await act(payment, 'refund', { reason: 'one' })).body).toMatchObject({ code: 'provider_unconfirmed' });
    expect(await statusOf(payment)).toBe('completed');
    expect((await act(payment, 'refund', { reason: 'two' })).status).toBe(200);
    const calls = provider.callsOf(payment.id, 'refund');
    expect(calls.map(({ reason }) => reason)).toEqual(['one', 'two']);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
  });

  it('stay the same, like the body, for a refund without an answer', async () => {
    provider.fates = { refund: ['lost'] };
    const payment = await pay();
    expect((await act(payment, 'refund', { reason: 'one' })).status).toBe(503);
    expect((await act(payment, 'refund', { reason: 'two' })).status).toBe(200);
    const calls = provider.callsOf(payment.id, 'refund');
    expect(calls.map(({ reason }) => reason)).toEqual(['one', 'one']);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
  });
});

describe('a refund without an answer', () => {
  it('stays unknown if the provider is unavailable after a call that another process may have made', async () => {
    const payment = await pay();
    provider.fates = { refund: ['dropped', 'unavailable'] };
    expect((await act(payment, 'refund')).status).toBe(503);
    // simulates a process that died during the call: no result was recorded
    await sql(
      `UPDATE provider_operations SET state = 'open', last_answer = NULL WHERE payment_id = $1 AND kind = 'refund'`,
      [payment.id],
    );
    await recover(api, [payment.id], 1);
    expect((await operationsOf(api, payment.id))[1]).toMatchObject({ state: 'unknown', is_due: true });
    await recover(api, [payment.id], 1);
    expect(new Set(provider.callsOf(payment.id, 'refund').map(({ key }) => key)).size).toBe(1);
  });
});

describe('voids and refunds that a provider completes later', () => {
  it.each([
    ['refund', 'captured', 'completed', 'refunded', 'refunded'],
    ['cancel', 'open', 'processing', 'voided', 'cancelled'],
  ] as const)(
    '%s of a charge that is %s leaves the payment %s until then',
    async (action, charged, before, done, after) => {
      provider.chargeAs = () => charged;
      provider.isAsynchronous = true;
      const payment = await pay();
      expect(dataOf<PaymentAnswer>(await act(payment, action)).status).toBe(before);
      await recover(api, [payment.id], 1);
      expect(await statusOf(payment)).toBe(before);
      provider.finish(payment.id, done);
      await recover(api, [payment.id], 2);
      expect(await statusOf(payment)).toBe(after);
      expect((await operationsOf(api, payment.id)).map(({ is_due: isDue }) => isDue)).toEqual([false, false]);
    },
  );
});

describe('a charge after the cancellation of its payment', () => {
  const cancelWhileCharging = () => {
    provider.beforeAnswer = async ({ paymentId }) => {
      expect((await act({ id: paymentId }, 'cancel')).status).toBe(200);
    };
    return pay();
  };

  it('leads to a refund, even after several failures', async () => {
    provider.fates = { refund: ['dropped', { refused: 'not settled yet' }, 'lost'] };
    const payment = await cancelWhileCharging();
    expect(payment.status).toBe('cancelled');
    await recover(api, [payment.id], 5);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
    const keys = provider.callsOf(payment.id, 'refund').map(({ key }) => key);
    expect(keys[0]).toBe(keys[1]); // no answer: the same key
    expect(keys[1]).not.toBe(keys[2]); // refused: another key
    expect(await operationsOf(api, payment.id)).toMatchObject([
      { kind: 'charge', state: 'confirmed' },
      { kind: 'void', state: 'refused' },
      { kind: 'refund', state: 'confirmed', cause: 'charged_after_end' },
    ]);
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'cancelled', charged_after_end: true });
    expect(await webhooksOf(payment)).toEqual(['cancelled']);
  });
});

describe('a provider that gives one transaction id to two payments', () => {
  it('charges both, and both payments are completed', async () => {
    provider.transactionIdOf = () => 'tx_always';
    const first = await pay();
    const second = await pay();
    expect([first.status, second.status]).toEqual(['completed', 'completed']);
    expect(first.provider_transaction_id).toBe('tx_always');
    expect(second).not.toHaveProperty('provider_transaction_id', 'tx_always');
    expect(second.provider_metadata).toEqual({ repeated_transaction_id: 'tx_always' });
    expect((await act(second, 'refund')).status).toBe(200);
    expect(provider.heldOf(second.id)).toEqual(['refunded']);
  });
});

describe('concurrency', () => {
  it('concurrent recoveries look each operation up once', async () => {
    provider.fates = { charge: Array<'lost'>(10).fill('lost') };
    const payments = await Promise.all(Array.from({ length: 10 }, () => pay()));
    await makeDue(
      api,
      payments.map(({ id }) => id),
    );
    await Promise.all([aRecovery(api).recoverDue(), aRecovery(api).recoverDue(), aRecovery(api).recoverDue()]);
    for (const payment of payments) {
      expect(provider.callsOf(payment.id, 'lookup')).toHaveLength(1);
      expect(await webhooksOf(payment)).toEqual(['processing', 'completed']);
    }
  });

  it('recovery and the merchant’s own repeat complete a payment once', async () => {
    for (let round = 0; round < 5; round++) {
      const key = `repeat-${round}`;
      const post = () => merchant.tryPay('checkout', { webhook_endpoint: ENDPOINT }, { 'idempotency-key': key });
      provider.fates = { charge: ['lost'] };
      const payment = dataOf<PaymentAnswer>(await post());
      await sql(`UPDATE idempotency_keys SET response_body = NULL, locked_until = now() WHERE key = $1`, [key]);
      await Promise.all([recover(api, [payment.id], 1), post()]);
      expect(await webhooksOf(payment)).toEqual(['processing', 'completed']);
      expect(provider.heldOf(payment.id)).toEqual(['captured']);
    }
  });

  it('expiry and a late answer end with the payment completed, and charged once', async () => {
    provider.beforeAnswer = async ({ paymentId: id }) => {
      await expire({ id });
      await recover(api, [id], 2);
    };
    const payment = await pay();
    await recover(api, [payment.id], 2);
    expect(await statusOf(payment)).toBe('completed');
    expect(provider.heldOf(payment.id)).toEqual(['captured']);
    expect(await merchant.payment(payment.id)).toMatchObject({ charged_after_end: false });
    expect((await operationsOf(api, payment.id)).map(({ is_due: isDue }) => isDue)).toEqual([false, false]);
  });
});

describe('a provider without a look-up', () => {
  beforeEach(() => {
    provider.capabilities = { ...provider.capabilities, lookup: 'none', idempotencyWindowMs: 3_600_000 };
  });

  it('gets the charge again, under its key and with its payment method', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay({ payment_method: { token: 'tok_one' } });
    await recover(api, [payment.id], 1);
    expect(await statusOf(payment)).toBe('completed');
    const calls = provider.callsOf(payment.id, 'charge');
    expect(calls.map(({ token }) => token)).toEqual(['tok_one', 'tok_one']);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
    const withToken = 'SELECT FROM provider_operations WHERE payment_id = $1 AND sealed_payment_token IS NOT NULL';
    expect(await sql(withToken, [payment.id])).toEqual([]);
  });

  it('gets a void after its window for idempotency keys', async () => {
    provider.fates = { charge: ['dropped'] };
    const payment = await pay();
    await sql(`UPDATE provider_operations SET created_at = now() - interval '2 hours' WHERE payment_id = $1`, [
      payment.id,
    ]);
    await recover(api, [payment.id], 2);
    expect(provider.callsOf(payment.id, 'charge')).toHaveLength(1);
    expect(await statusOf(payment)).toBe('cancelled');
  });

  it('completes an expired payment that was charged, instead of voiding it', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    await expire(payment);
    await recover(api, [payment.id], 4);
    expect(await statusOf(payment)).toBe('completed');
    expect(provider.heldOf(payment.id)).toEqual(['captured']);
    expect((await operationsOf(api, payment.id)).map(({ is_due: isDue }) => isDue)).toEqual([false, false]);
  });

  it('gets the charge again when its void failed, and then refunds it', async () => {
    provider.isAsynchronous = true;
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    provider.chargeAs = () => 'open';
    for (const [reference, entry] of provider.entries) provider.entries.set(reference, { ...entry, status: 'open' });
    expect((await act(payment, 'cancel')).status).toBe(200); // the void is pending
    provider.finish(payment.id, 'captured');
    provider.isAsynchronous = false;
    scriptNotifications(api);
    const { reference } = provider.callsOf(payment.id, 'charge')[0]!;
    await sendEvents(merchant, payment.shop.id, [{ status: 'void_failed', match: { reference } }]);
    // due now, according to a clock that may have been set back a little meanwhile
    const rows = await sql(
      `SELECT d.due_at <= clock_timestamp() + interval '500 ms' AS is_due FROM due_work d JOIN provider_operations o
         ON d.kind = 'operation' AND d.subject_id = o.payment_id AND d.part = o.id WHERE o.payment_id = $1 AND o.kind = 'charge'`,
      [payment.id],
    );
    expect(rows).toEqual([{ is_due: true }]);
    await recover(api, [payment.id], 4);
    expect(provider.callsOf(payment.id, 'charge')).toHaveLength(2);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
    expect((await operationsOf(api, payment.id)).map(({ is_due: isDue }) => isDue)).toEqual([false, false, false]);
  });
});
