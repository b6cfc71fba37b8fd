import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { ExpiryService } from '../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { SystemClock } from '../../../src/shared/clock.js';
import type { Merchant, PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import type { FakeTransaction } from '../../support/servers/adyen/adyen-account.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';

interface Delayed {
  payment: PaymentAnswer;
  /** Makes its charge arrive at Adyen later. */
  arrive: () => Promise<void>;
  held: () => FakeTransaction[];
}

describe('a charge that reaches Adyen after its void', () => {
  let api: ProviderApi;
  let merchant: Merchant;

  beforeAll(async () => {
    api = await sharedProviderApi();
    merchant = await api.merchantAt('adyen');
  });
  afterAll(() => api.stop());

  /** Creates a payment whose charge is lost on its way. */
  async function delayedPayment(): Promise<Delayed> {
    api.adyen.injectFault({ when: 'before', what: 'reset' }, { path: /payments$/ });
    const payment = await merchant.pay('checkout', { payment_method: { token: 'shopper-1/AUTHORISED' } });
    expect(payment.status).toBe('pending');
    const { path, body, headers } = api.adyen.calls.findLast((call) => call.path.endsWith('/payments'))!;
    const { 'x-api-key': apiKey, 'idempotency-key': key } = headers as Record<string, string>;
    const arrive = async () => {
      const sent = { 'x-api-key': apiKey!, 'idempotency-key': key!, 'content-type': 'application/json' };
      const answer = await fetch(api.adyen.url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
    };
    const held = () => api.adyen.transactions().filter(({ reference }) => reference === body['reference']);
    return { payment, arrive, held };
  }
  const voidOf = async ({ id }: PaymentAnswer) => (await operationsOf(api, id)).find(({ kind }) => kind === 'void');

  it('of a cancelled payment is refunded after its void failed', async () => {
    const { payment, arrive, held } = await delayedPayment();
    expect((await merchant.api.post(`/payments/${payment.id}/cancel`)).status).toBe(200);
    await eventually(async () => expect((await voidOf(payment))?.reason).toBe('void_failed'));
    await arrive();
    await eventually(async () =>
      expect(await merchant.payment(payment.id)).toMatchObject({ status: 'cancelled', charged_after_end: true }),
    );
    await recover(api, [payment.id], 1);
    await eventually(async () =>
      expect(await operationsOf(api, payment.id)).toMatchObject([
        { kind: 'charge', state: 'confirmed', is_due: false },
        { kind: 'void', state: 'refused', is_due: false },
        { kind: 'refund', cause: 'charged_after_end', state: 'confirmed', is_due: false },
      ]),
    );
    expect((await merchant.history(payment.id)).map(({ cause }) => cause).slice(-2)).toEqual([
      'charged_after_end',
      'late_charge_reversed',
    ]);
    expect((await merchant.payment(payment.id)).status).toBe('cancelled');
    expect(held()).toMatchObject([{ status: 'refunded' }]);
  });

  it('of an expired payment completes it if the void failed', async () => {
    const { payment, arrive, held } = await delayedPayment();
    await api.database.pool.query(`UPDATE payments SET expires_at = now() WHERE id = $1`, [payment.id]);
    await new ExpiryService(
      api.get(Database),
      api.get(MoneyService),
      api.get(OperationRecords),
      new SystemClock(),
    ).expireBatch();
    // after the window of the key the charge is not repeated
    await api.database.pool.query(
      `UPDATE provider_operations SET created_at = now() - interval '7 days' WHERE payment_id = $1 AND kind = 'charge'`,
      [payment.id],
    );
    await recover(api, [payment.id], 1);
    await eventually(async () => expect((await voidOf(payment))?.reason).toBe('void_failed'));
    await arrive();
    await eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
    await recover(api, [payment.id], 2);
    expect((await operationsOf(api, payment.id)).map(({ is_due: isDue }) => isDue)).toEqual([false, false]);
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', charged_after_end: false });
    expect(held()).toMatchObject([{ status: 'captured' }]);
  });
});
