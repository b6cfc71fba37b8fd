import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { LedgerProvider } from './ledger-provider.js';

const REFUNDS = 300;

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  api = await startApi();
  new LedgerProvider(api);
  merchant = new Merchant(await api.login());
  await merchant.createFlow('checkout', [(await merchant.createShop('A')).id]);
});
afterAll(() => api.stop());

/** A payment with many small refunds, all made. */
async function refundedOften(): Promise<PaymentAnswer> {
  const payment = await merchant.pay('checkout', { amount: 1_000 });
  await api.database.pool.query(
    `WITH created AS (
      INSERT INTO refunds (merchant_id, shop_id, payment_id, attempt, amount, currency, status, metadata, origin,
        created_at, updated_at)
      SELECT p.merchant_id, p.shop_id, p.id, p.attempt, 1, p.currency, 'succeeded', '{}', 'api', now(), now()
      FROM payments p, generate_series(1, $2::integer) WHERE p.id = $1 RETURNING *
    ), requested AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, charge_attempt, refund_id, kind, cause,
        idempotency_key, reference, amount, currency, state)
      SELECT merchant_id, shop_id, payment_id, attempt, id, 'refund', 'refund_requested', gen_random_uuid()::text, 'r',
        amount, currency, 'confirmed' FROM created
    )
    UPDATE payments SET amount_refunded = $2 WHERE id = $1`,
    [payment.id, REFUNDS],
  );
  return payment;
}

/** The most rows that a statement returned, and the number of statements, while `run` ran. */
async function costOf(run: () => Promise<{ status: number }>): Promise<{ rows: number; statements: number }> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    expect((await run()).status).toBeLessThan(300);
    const results = await Promise.all(query.mock.results.map(({ value }) => value as unknown));
    const rows = results.map((result) => (result as pg.QueryResult | undefined)?.rows?.length ?? 0);
    return { rows: Math.max(...rows), statements: rows.length };
  } finally {
    query.mockRestore();
  }
}

describe('a payment with many refunds', () => {
  it('RefundsService reads none of the earlier ones for the next', async () => {
    const payment = await refundedOften();
    const { rows } = await costOf(() => merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 1 }));
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(10);
  });

  it('PaymentSync claims no operation that is closed', async () => {
    const payment = await refundedOften();
    const { statements } = await costOf(() => merchant.api.post(`/payments/${payment.id}/sync`));
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThan(REFUNDS);
  });
});
