import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import {
  CUSTOMER_FILTERS,
  type CustomerFilterName,
  listCustomers,
} from '../../../src/payments/customers/customer-lists.queries.js';
import { listPayments } from '../../../src/payments/listing/payment-lists.queries.js';
import type { Statement } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { explained } from '../webhooks/explained.js';

const CUSTOMERS = 40_000;
const [BIG, SMALL] = [1, 7];
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Merchant 1 has half of all customers, 199 others share the rest. Addresses are shared by ten customers of any merchant. */
const PLANT = `INSERT INTO customers (id, merchant_id, email, reference, country_code) OVERRIDING SYSTEM VALUE
  SELECT n, CASE WHEN n % 2 = 0 THEN ${BIG} ELSE 2 + n / 2 % 199 END, 'user' || n % ${CUSTOMERS / 10} || '@example.com',
    'ref-' || n, 'DE' FROM generate_series(1, ${CUSTOMERS}) n`;

describe('plans with one merchant that has half of all customers', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query(`INSERT INTO merchants (id, name) OVERRIDING SYSTEM VALUE
      SELECT n, 'merchant ' || n FROM generate_series(1, 200) n ON CONFLICT DO NOTHING`);
    await database.pool.query(PLANT);
    await database.pool.query('ANALYZE customers');
  });
  afterAll(() => database.drop());

  /** The ways to the table of customers, apart from those by one customer's id, with any kind of plan. */
  async function readsOf(statement: Statement, values: unknown[]): Promise<{ reads: Set<string>; rows: number }> {
    const client = await database.pool.connect();
    const found = { reads: new Set<string>(), rows: 0 };
    try {
      await configureSession(client);
      await client.query('BEGIN');
      for (const kind of ['generic', 'custom'] as const) {
        const { reads, rows } = await explained(client, statement, values, kind);
        for (const way of reads) if (way.startsWith('customers ')) found.reads.add(way);
        found.rows = Math.max(found.rows, rows);
      }
      return found;
    } finally {
      await client.query('ROLLBACK');
      client.release(true);
    }
  }

  const FILTERS: [CustomerFilterName[], unknown[], string][] = [
    [['email'], ['user4@example.com'], 'customers_email_hash_id'],
    [['reference', 'email'], ['ref-4', 'user4@example.com'], 'customers_merchant_id_reference'],
    [['reference'], ['ref-4'], 'customers_merchant_id_reference'],
    [[], [], 'customers_merchant_id_id'],
  ];

  it('FILTERS has a case for each filter of customers', () => {
    expect(new Set(FILTERS.flatMap(([given]) => given))).toEqual(new Set(CUSTOMER_FILTERS));
  });

  for (const [given, values, index] of FILTERS)
    for (const merchant of [BIG, SMALL])
      it(`lists customers of merchant ${merchant} by ${given.join(' and ') || 'time'} with one index`, async () => {
        const { reads, rows } = await readsOf(listCustomers(given), [merchant, MAX_ID, 21, ...values]);
        expect([...reads]).toEqual([`customers by ${index}`]);
        expect(rows).toBeLessThan(50);
      });

  for (const merchant of [BIG, SMALL])
    it(`lists payments of merchant ${merchant} by an address with the index of addresses`, async () => {
      const values = [merchant, ['completed'], MAX_ID, 21, 0, 'user4@example.com'];
      const list = await readsOf(listPayments(['customerEmail']), [...values, 21]);
      const walk = await readsOf(listPayments(['customerEmail']), [...values, 200]);
      expect([...list.reads, ...walk.reads]).toContain('customers by customers_email_hash_id');
      for (const { reads, rows } of [list, walk]) {
        expect([...reads].filter((way) => /whole|merchant_id/.test(way))).toEqual([]);
        expect(rows).toBeLessThan(100);
      }
    });
});
