import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { ExpiryService } from '../../../src/payments/expiry/expiry.service.js';
import { OperationRecords } from '../../../src/payments/ledger/operation-records.service.js';
import { PaymentsService } from '../../../src/payments/ledger/payments.service.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import type { FakeTransaction } from '../../support/servers/adyen/adyen-account.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';

interface Delayed {
  payment: PaymentAnswer;
  /** Makes its charge arrive at Adyen later. */
  arrive: () => Promise<void>;
  held: () => FakeTransaction[];
}

describe('a charge that reaches Adyen after its void', () => {
  let fake: FakeAdyen;
  let api: TestApi;
  let merchant: Merchant;

  beforeAll(async () => {
    fake = await FakeAdyen.start();
    api = await startApi({ ADYEN_API_BASE: fake.url, PROVIDER_TIMEOUT_MS: '5000' });
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('A', { provider: 'adyen', provider_credentials: ADYEN_CREDENTIALS });
    await merchant.createFlow('checkout', [shop.id]);
    const url = `${api.url}/providers/adyen/notifications/${shop.id}`;
    fake.account(MERCHANT_ACCOUNT).webhooks.endpoint = { url, hmacKey: HMAC_KEY };
  });
  afterAll(async () => {
    await api.stop();
    await fake.close();
  });

  /** Creates a payment whose charge is lost on its way. */
  async function delayedPayment(): Promise<Delayed> {
    fake.injectFault({ when: 'before', what: 'reset' }, { path: /payments$/ });
    const payment = await merchant.pay('checkout', { payment_method: { token: 'shopper-1/AUTHORISED' } });
    expect(payment.status).toBe('pending');
    const { path, body, headers } = fake.calls.findLast((call) => call.path.endsWith('/payments'))!;
    const { 'x-api-key': apiKey, 'idempotency-key': key } = headers as Record<string, string>;
    const arrive = async () => {
      const sent = { 'x-api-key': apiKey!, 'idempotency-key': key!, 'content-type': 'application/json' };
      const answer = await fetch(fake.url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
    };
    const held = () => fake.transactions().filter(({ reference }) => reference === body['reference']);
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
      api.get(PaymentsService),
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
