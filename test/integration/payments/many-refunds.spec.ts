import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { factOf } from '../../../src/payments/money/state/call-fact.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import type { OtherRefunds } from '../../../src/payments/money/state/state.js';
import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import { loadMoney } from '../../../src/payments/store/load-money.js';
import { Database } from '../../../src/platform/database/database.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { LedgerProvider } from './ledger-provider.js';

const REFUNDS = 300;
interface Loaded {
  operations: (number | null)[];
  refunds: number[];
  otherRefunds: OtherRefunds;
}

const EVENT = {
  ...{ provider: 'sandbox', transactionId: null, reference: null, currency: null, declineCode: null, dispute: null },
  ...{ data: {}, receivedAt: new Date() },
};

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  api = await sharedApi();
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

  it('a sync claims no operation that is closed', async () => {
    const payment = await refundedOften();
    const { statements } = await costOf(() => merchant.api.post(`/payments/${payment.id}/sync`));
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThan(REFUNDS);
  });

  describe('is decided about', () => {
    let payment: PaymentAnswer;
    /** The id of a refund, oldest first, which has that of the provider as well. */
    let ids: number[];
    const load = (fact?: Fact): Promise<Loaded> =>
      api.app.get(Database).transaction(async (transaction) => {
        const locked = await api.app.get(PaymentsService).lock(transaction, payment.id);
        const { operations, refunds, otherRefunds } = await loadMoney(transaction, locked, new Date(), fact);
        const given = operations.filter(({ kind }) => kind === 'refund');
        return { operations: given.map((row) => row.refund_id), refunds: refunds.map(({ id }) => id), otherRefunds };
      });
    const reported = (operationId: string | null, amount: string | null): Fact =>
      factOf({ ...EVENT, status: 'refunded', operationId, amount }, 1, 'automatic');

    beforeEach(async () => {
      payment = await refundedOften();
      const { rows } = await api.database.pool.query<{ id: number }>(
        `UPDATE refunds SET provider_refund_id = 're_' || id WHERE payment_id = $1 RETURNING id`,
        [payment.id],
      );
      ids = rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
      await api.database.pool.query(`UPDATE refunds SET status = 'failed', amount = 2 WHERE id = $1`, [ids[0]]);
      await api.database.pool.query('UPDATE refunds SET provider_refund_id = NULL, amount = 3 WHERE id = $1', [ids[1]]);
    });

    it('by the sum of those that have ended', async () => {
      const sum = `${REFUNDS - 2 + 3}.0000`;
      expect(await load()).toEqual({ operations: [], refunds: [], otherRefunds: { count: REFUNDS, sum } });
    });

    it.each<[string, number, (() => string) | null, string]>([
      ['has its id', 2, () => `re_${ids[2]}`, '1'],
      ['has no id, and failed with this amount', 0, null, '2'],
      ['has the amount of the one without an id', 1, () => 'of_another', '3'],
    ])('by the one whose report %s', async (_, index, id, amount) => {
      const found = await load(reported(id && id(), amount));
      expect(found).toMatchObject({ operations: [ids[index]], refunds: [ids[index]] });
      expect(found.otherRefunds.count).toBe(REFUNDS - 1);
    });

    it('by the one of the operation that is called', async () => {
      const { rows } = await api.database.pool.query<{ id: string }>(
        'SELECT id FROM provider_operations WHERE payment_id = $1 AND refund_id = $2',
        [payment.id, ids[4]],
      );
      const result = { outcome: 'confirmed' } as const;
      const fact = { about: 'operation', operation: Number(rows[0]!.id), key: '', lastAnswer: '', result } as const;
      expect(await load(fact)).toMatchObject({ operations: [ids[4]], refunds: [ids[4]] });
    });

    it('by those that are pending, or that a waiting notification names', async () => {
      await api.database.pool.query(`UPDATE refunds SET status = 'pending' WHERE id = $1`, [ids[5]]);
      await api.database.pool.query(
        `INSERT INTO provider_notifications (provider, shop_id, notification_id, fingerprint, payment_id, attempt, status,
            operation_id, amount, data, received_at, outcome, reason)
          SELECT payment_provider, shop_id, 'many', 'many', id, 1, 'refunded', $2, '1', '{}', now(), 'waiting', 'payment_is_completed'
          FROM payments WHERE id = $1`,
        [payment.id, `re_${ids[6]}`],
      );
      expect(await load()).toMatchObject({ operations: [ids[5], ids[6]], refunds: [ids[5], ids[6]] });
    });
  });
});
