import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { ExpiryService } from '../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import { Clock } from '../../../src/shared/clock.js';
import type { TestApi } from '../../support/app/api-app.js';
import type { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { giveUpAtOnce, startCheckout } from './checkout.js';
import { aRecovery, makeDue } from '../../support/app/recovery-harness.js';

let api: TestApi;
let merchant: Merchant;
/** The payment that seeded payments are copied from. */
let model: number;

class ManualClock extends Clock {
  constructor(public time: Date) {
    super();
  }

  now(): Date {
    return this.time;
  }
}

beforeAll(async () => {
  ({ api, merchant } = await startCheckout());
  giveUpAtOnce(api);
  model = (
    await merchant.pay('checkout', {
      payment_method: { token: 'tok_timeout' },
      webhook_endpoint: 'http://127.0.0.1:4000/',
      customer: { email: 'ada@example.com' },
    })
  ).id;
  await sql(`UPDATE payments SET expires_at = now() + interval '1 year' WHERE id = $1`, [model]);
});
beforeEach(() => sql(`UPDATE payments SET status = 'failed' WHERE status = 'pending' AND id <> $1`, [model]));
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

/** Inserts pending payments that expired `agoMs` ago and were certainly not charged; returns their ids. */
async function seedExpired(count: number, agoMs = 1_000): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id, payment_provider,
       amount, currency, webhook_endpoint, webhook_lane_id, created_at, updated_at, expires_at)
     SELECT merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id, payment_provider, amount, currency,
       webhook_endpoint, webhook_lane_id, created_at, updated_at, now() - $3 * interval '1 ms'
     FROM payments, generate_series(1, $2) WHERE id = $1 RETURNING id`,
    [model, count, agoMs],
  );
  await sql(
    `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
       amount, currency, state)
     SELECT merchant_id, shop_id, id, 1, 'charge', 'payment', '', '', amount, currency, 'refused'
     FROM payments WHERE id = ANY ($1)`,
    [rows.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}

const expirer = (clock: Clock = new ManualClock(new Date())) =>
  new ExpiryService(api.get(Database), api.get(MoneyService), api.get(OperationRecords), clock);

async function expireAll(service: ExpiryService): Promise<number> {
  let found = 0;
  for (let batch = 1; batch > 0; found += batch) batch = await service.expireBatch();
  return found;
}

const statusOf = async (id: number): Promise<unknown> =>
  (await sql<{ status: string }>('SELECT status FROM payments WHERE id = $1', [id]))[0]!.status;

describe('ExpiryService', () => {
  it('finds each payment once, for any number of workers', async () => {
    const ids = await seedExpired(400);
    const found = await Promise.all(Array.from({ length: 4 }, () => expireAll(expirer())));
    expect(found.reduce((sum, count) => sum + count)).toBe(400);
    const [counts] = await sql(
      `SELECT count(*)::int AS changes, count(DISTINCT payment_id)::int AS payments
       FROM payment_status_changes WHERE payment_id = ANY ($1) AND to_status = 'cancelled' AND cause = 'expired'`,
      [ids],
    );
    expect(counts).toEqual({ changes: 400, payments: 400 });
    const deliveries = await Promise.all([api.deliveriesOf(ids[0]!), api.deliveriesOf(ids.at(-1)!)]);
    for (const each of deliveries) expect(each.map((delivery) => delivery.payment_status)).toEqual(['cancelled']);
  });

  it('skips a locked payment, and finds it later', async () => {
    const ids = await seedExpired(3);
    const clock = new ManualClock(new Date());
    const service = expirer(clock);
    const client = await api.database.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM payments WHERE id = $1 FOR UPDATE', [ids[1]]);
    try {
      expect(await service.expireBatch()).toBe(2);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    clock.time = new Date(clock.time.getTime() + 5_000);
    expect(await service.expireBatch()).toBe(1);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('finds payments that expire after its clock was set back', async () => {
    const clock = new ManualClock(new Date(Date.now() + 3_600_000));
    const service = expirer(clock);
    await expireAll(service);
    clock.time = new Date();
    const [id] = await seedExpired(1);
    await expireAll(service);
    expect(await statusOf(id!)).toBe('cancelled');
  });

  it('finds a missed payment in a later sweep', async () => {
    const clock = new ManualClock(new Date());
    const service = expirer(clock);
    await service.expireBatch();
    const [id] = await seedExpired(1, 3_600_000);
    clock.time = new Date(clock.time.getTime() + 3_600_000);
    expect(await service.expireBatch()).toBe(1);
    expect(await statusOf(id!)).toBe('cancelled');
  });

  it('cancels the others when one of them cannot be written', async () => {
    const ids = await seedExpired(3);
    await sql(`ALTER TABLE payments ADD CONSTRAINT test_stays CHECK (id <> ${ids[1]!} OR status <> 'cancelled')`);
    try {
      await expect(expirer().expireBatch()).rejects.toMatchObject({ code: '23514' });
    } finally {
      await sql('ALTER TABLE payments DROP CONSTRAINT test_stays');
    }
    expect(await Promise.all(ids.map(statusOf))).toEqual(['cancelled', 'pending', 'cancelled']);
  });

  it('writes nothing when its connection dies before the commit', async () => {
    const ids = await seedExpired(3);
    const payments = api.get(PaymentsService);
    const dying = api.get(Database).transaction(async (transaction) => {
      const locked = [];
      for (const id of ids) locked.push(await payments.lock(transaction, id));
      await api.get(MoneyService).applyToAll(transaction, locked, { about: 'end', to: 'cancelled', cause: 'expired' });
      await transaction.query({ name: 'test.die', text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
    });
    await expect(dying).rejects.toThrow();
    expect(await expireAll(expirer())).toBe(3);
    expect(await statusOf(ids[0]!)).toBe('cancelled');
  });

  it('cancels payments of a customer who was erased', async () => {
    const [id] = await seedExpired(1);
    await sql(`UPDATE customers SET erased_at = now(), email = NULL`);
    expect(await expireAll(expirer())).toBe(1);
    expect(await statusOf(id!)).toBe('cancelled');
  });
});

describe('expiry of a payment that its provider may have charged', () => {
  const pending = () =>
    merchant.pay('checkout', {
      payment_method: { token: 'tok_timeout' },
      expires_in: 60,
      webhook_endpoint: 'http://127.0.0.1:4000/',
    });

  const expirerAt = (ms: number) => expirer(new ManualClock(new Date(ms)));

  /**
   * Recovers until the payment is cancelled: on a busy machine the provider may be too slow, and is then asked again.
   */
  const recoveredBy = (workers: number, paymentId: number) =>
    eventually(async () => {
      await makeDue(api, [paymentId]);
      await Promise.all(Array.from({ length: workers }, () => aRecovery(api).recoverDue()));
      expect((await merchant.payment(paymentId)).status).toBe('cancelled');
    });

  it('cancels a pending payment after its time, not before, and no other payment', async () => {
    const processing = ['tok_pending', 'tok_requires_action', 'tok_provider_action'].map((token) =>
      merchant.pay('checkout', { payment_method: { token }, expires_in: 60 }),
    );
    const waiting = await Promise.all(processing);
    const payment = await pending();
    await expirerAt(Date.parse(payment.expires_at) - 1).expireBatch();
    expect((await merchant.payment(payment.id)).status).toBe('pending');
    await expirerAt(Date.parse(payment.expires_at)).expireBatch();
    expect((await merchant.payment(payment.id)).status).toBe('pending');
    await recoveredBy(1, payment.id);
    expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ cause: 'expired' });
    for (const { id, next_action: action } of waiting) {
      expect(await merchant.payment(id)).toMatchObject({ status: 'processing', next_action: action });
    }
  });

  it('cancels a payment once when several workers find it', async () => {
    const payment = await pending();
    const later = Date.now() + 3_600_000;
    await Promise.all(Array.from({ length: 4 }, () => expirerAt(later).expireBatch()));
    await recoveredBy(4, payment.id);
    expect((await api.deliveriesOf(payment.id)).map((delivery) => delivery.payment_status)).toEqual(['cancelled']);
  });
});
