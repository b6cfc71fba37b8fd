import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import type { Merchant, PaymentAnswer } from '../../support/app/merchant.js';
import { startCheckout } from './checkout.js';
import { LedgerProvider } from './ledger-provider.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';

/**
 * Inserts a payment like processes of the version before `provider_operations`, without customers, keys and counters,
 * which have not changed. $1 merchant, $2 shop, $3 flow.
 */
const OLD_INSERT = `WITH accepted AS MATERIALIZED (
      SELECT nextval('payments_id_seq') AS id, $1::bigint AS merchant_id, $2::bigint AS shop_id, $3::bigint AS flow_id,
        'sandbox' AS payment_provider, 'sandbox_' || gen_random_uuid() AS provider_transaction_id,
        clock_timestamp() AS created_at
    ), payments_inserted AS (
      INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id,
        provider_transaction_id, payment_provider, amount, currency,
        created_at, updated_at, expires_at, max_attempts, decision)
      SELECT id, merchant_id, shop_id, flow_id, 1, 'ps',
        provider_transaction_id, payment_provider, 49.9, 'EUR',
        created_at, created_at, created_at + interval '15 minutes', 1, '{}'
      FROM accepted
      RETURNING id, amount
    ), attempts_begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at)
      SELECT id, 1, shop_id, payment_provider, provider_transaction_id, created_at FROM accepted
    )
    SELECT id FROM payments_inserted`;

/** Begins the next attempt like these processes: $1 payment. */
const OLD_NEXT_ATTEMPT = `WITH ended AS (
      UPDATE payment_attempts SET outcome = 'soft_declined', ended_at = now() WHERE payment_id = $1 AND number = 1
    ), begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at)
      SELECT id, 2, shop_id, 'sandbox', 'sandbox_' || gen_random_uuid(), now() FROM payments WHERE id = $1
    )
    UPDATE payments SET attempt = 2, updated_at = now() WHERE id = $1`;

/** Completes a payment like these processes: $1 payment. */
const OLD_COMPLETION = `WITH ended AS (
      UPDATE payment_attempts SET outcome = 'approved', ended_at = now() WHERE payment_id = $1
    )
    UPDATE payments SET status = 'completed', updated_at = now() WHERE id = $1`;

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let model: PaymentAnswer;

beforeAll(async () => {
  ({ api, merchant } = await startCheckout());
  model = await merchant.pay('checkout');
});
beforeEach(() => {
  provider = new LedgerProvider(api);
  provider.capabilities = { ...provider.capabilities, lookup: 'none', idempotencyWindowMs: 3_600_000 };
});
afterAll(() => api.stop());

async function oldPayment(): Promise<number> {
  const values = [await merchantId(), model.shop.id, model.flow_id];
  return (await api.database.pool.query<{ id: number }>(OLD_INSERT, values)).rows[0]!.id;
}
const merchantId = async () =>
  (await api.database.pool.query<{ id: number }>('SELECT merchant_id AS id FROM shops')).rows[0]!.id;
const run = (statement: string, paymentId: number) => api.database.pool.query(statement, [paymentId]);

describe('a payment of a process of the version before operations', () => {
  it('gets recovered under the key that the process sent to the provider', async () => {
    const id = await oldPayment();
    await provider.charge({ paymentId: id, idempotencyKey: `authorize-${id}-1`, reference: 'none' } as never);
    provider.calls.splice(0);
    await recover(api, [id], 1);
    expect((await merchant.payment(id)).status).toBe('completed');
    expect(provider.calls).toMatchObject([{ operation: 'charge', key: `authorize-${id}-1` }]);
    expect(provider.entries.size).toBe(1);
  });

  it('gets a recorded operation for its next attempt, too', async () => {
    const id = await oldPayment();
    await run(OLD_NEXT_ATTEMPT, id);
    expect(await operationsOf(api, id)).toMatchObject([
      { kind: 'charge', attempt: 1, state: 'open', idempotency_key: `authorize-${id}-1`, is_due: true },
      { kind: 'charge', attempt: 2, state: 'open', idempotency_key: `authorize-${id}-2`, is_due: true },
    ]);
    const { rows } = await api.database.pool.query<{ reference: string }>(
      'SELECT DISTINCT reference FROM payment_attempts WHERE payment_id = $1 AND reference IS NOT NULL',
      [id],
    );
    expect(rows).toHaveLength(2);
  });

  it('that the process completes stays unchanged, without a call of the provider', async () => {
    const id = await oldPayment();
    await run(OLD_COMPLETION, id);
    await recover(api, [id]);
    const amounts = { amount_authorized: 49.9, amount_captured: 49.9, amount_refunded: 0 };
    expect(await merchant.payment(id)).toMatchObject({ status: 'completed', charged_after_end: false, ...amounts });
    expect(await operationsOf(api, id)).toMatchObject([{ kind: 'charge', state: 'confirmed', is_due: false }]);
    expect(provider.calls).toEqual([]);
  });
});
