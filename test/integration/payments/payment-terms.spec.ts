import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ERASE_CUSTOMER, ERASE_PAYMENTS } from '../../../src/payments/erasure/erasure.queries.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { revertTo } from '../../support/upgrade/schema.js';

const MERCHANT = 1;
/** More than one batch of the backfill. */
const PAYMENTS = 4_500;

const INSERT = `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id,
    payment_provider, amount, currency, created_at, updated_at, expires_at, metadata)
  SELECT n, ${MERCHANT}, 1, 1, 1, CASE WHEN n % 3 > 0 THEN n % 3 END, n, 'sandbox', 1, 'EUR', now(), now(), now(),
    CASE WHEN n % 10 > 0 THEN json_build_object('order_id', 'A-' || n, 'channel', 'web') END
  FROM generate_series($1::int, $2::int) n`;

describe('terms of payments from before they existed', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
    await revertTo(database, 'PaymentTerms');
    await database.pool.query('INSERT INTO customers (id, merchant_id) VALUES (1, $1), (2, $1)', [MERCHANT]);
    await database.pool.query(INSERT, [1, PAYMENTS]);
  });
  afterEach(() => database.drop());

  const terms = async (where = 'true'): Promise<number> =>
    (await database.pool.query(`SELECT FROM payment_terms t JOIN payments p ON p.id = t.payment_id WHERE ${where}`))
      .rowCount!;
  const missing = async (): Promise<number> =>
    (
      await database.pool
        .query(`SELECT FROM payments p CROSS JOIN LATERAL terms_of_metadata(p.merchant_id, p.metadata) m
      WHERE NOT EXISTS (SELECT FROM payment_terms t
        WHERE t.payment_id = p.id AND t.value_hash = m.value_hash AND t.key_hash = m.key_hash)`)
    ).rowCount!;

  it('each is written once, also by a migration that runs again', async () => {
    await migrate(database.url);
    expect([await terms(), await missing()]).toEqual([PAYMENTS * 0.9 * 2, 0]);
    await database.pool.query(`DELETE FROM migrations WHERE name LIKE 'PaymentTerms%'`);
    await migrate(database.url);
    expect([await terms(), await missing()]).toEqual([PAYMENTS * 0.9 * 2, 0]);
  });

  it('include those of payments that a process of the version before inserts meanwhile', async () => {
    const migrating = migrate(database.url);
    for (let id = PAYMENTS + 1; id <= PAYMENTS + 300; id += 10) await database.pool.query(INSERT, [id, id + 9]);
    await migrating;
    expect(await missing()).toBe(0);
    expect(await terms(`p.id > ${PAYMENTS}`)).toBe(300 * 0.9 * 2);
  });

  /** Erases a customer's payments as a process of the version before does. */
  const erasePayments = async (customerId: number): Promise<void> => {
    for (let after: number | undefined = 0; after !== undefined;)
      after = (await database.database.query<{ id: number }>(ERASE_PAYMENTS, [customerId, after, 100])).at(-1)?.id;
  };

  it('of a customer whose erasure has begun are not written', async () => {
    await database.database.query(ERASE_CUSTOMER, [1, MERCHANT, 60_000]);
    await migrate(database.url);
    expect(await terms('p.customer_id = 1')).toBe(0);
    expect(await terms('p.customer_id = 2')).toBe(1_350 * 2);
  });

  it('an erasure that waits for the backfill deletes them', async () => {
    // the backfill waits for this lock with its batch read
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM customers WHERE id = 2 FOR UPDATE');
    const migrating = migrate(database.url);
    const waiting = (count: number) =>
      eventually(async () => {
        const { rowCount } = await database.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount! >= count;
      });
    await waiting(1);
    const erasing = database.database.query(ERASE_CUSTOMER, [1, MERCHANT, 60_000]).then(() => erasePayments(1));
    await waiting(2);
    await holder.query('COMMIT');
    holder.release();
    await Promise.all([migrating, erasing]);
    expect(await terms('p.customer_id = 1')).toBe(0);
    expect(await terms('p.customer_id = 2')).toBe(1_350 * 2);
  });

  it('they are deleted when a process of the version before erases a customer', async () => {
    await migrate(database.url);
    expect(await terms('p.customer_id = 1')).toBe(1_350 * 2);
    await erasePayments(1);
    expect(await terms('p.customer_id = 1')).toBe(0);
    expect(await terms('p.customer_id = 2')).toBe(1_350 * 2);
  });
});
