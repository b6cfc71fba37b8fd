import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SERVICE_TABLES } from '../../../bench/support/delivery-tables.js';
import { receiptNumber } from '../../../bench/support/receipt-number.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const UUID_V7 = /^whd_([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AT = '2026-11-21T01:02:03.456Z';

describe('the webhook-id of a delivery', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const idOf = async (id: number, createdAt: string, on = database): Promise<string> => {
    const { rows } = await on.pool.query<{ id: string }>('SELECT webhook_id($1, $2) AS id', [id, createdAt]);
    return rows[0]!.id;
  };

  it('is whd_ and a UUIDv7 of the millisecond in which the delivery was made', async () => {
    const [, high, low] = UUID_V7.exec(await idOf(17, AT)) ?? [];
    expect(parseInt(`${high}${low}`, 16)).toBe(Date.parse(AT));
  });

  it('is the same whenever it is asked for', async () => {
    expect(await idOf(17, AT)).toBe(await idOf(17, AT));
  });

  it('is of no other delivery, also of those of the same millisecond', async () => {
    const { rows } = await database.pool.query<{ ids: number }>(
      'SELECT count(DISTINCT webhook_id(n, $1)) AS ids FROM generate_series(1, 20000) n',
      [AT],
    );
    expect(rows[0]!.ids).toBe(20_000);
  });

  it('is of no delivery with that number and time in another database', async () => {
    const other = await createEmptyDatabase();
    try {
      await migrate(other.url);
      expect(await idOf(17, AT, other)).toMatch(UUID_V7);
      expect(await idOf(17, AT, other)).not.toBe(await idOf(17, AT));
    } finally {
      await other.drop();
    }
  });

  it('is the number in SQL that the receivers of benchmarks keep of it', async () => {
    const { rows } = await database.pool.query<{ id: string; number: number }>(
      `SELECT webhook_id(d.id, d.created_at) AS id, ${SERVICE_TABLES.receiptNumber} AS number
       FROM (SELECT n AS id, $1::timestamptz AS created_at FROM generate_series(1, 100) n) d`,
      [AT],
    );
    expect(rows.map(({ id }) => receiptNumber(id))).toEqual(rows.map(({ number }) => number));
    expect(receiptNumber('17')).toBe(17);
  });

  it('does not tell how many deliveries there are', async () => {
    const tail = (await idOf(17, AT)).slice(-12);
    const unkeyed = createHash('sha256').update(Buffer.from('0000000000000011', 'hex')).digest('hex');
    expect(unkeyed).not.toContain(tail);
  });

  it('stays the number of deliveries from before, and of those of the hour in which older workers may still run', async () => {
    const old = await createTestDatabase();
    try {
      await undoLast(old);
      await old.pool.query(
        `INSERT INTO pending_deliveries (due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
          event, payment_status, webhook_endpoint) VALUES (now(), 1, 1, 1, 1, now(), now(), 2, 'e', 'completed', 'https://shop.example/')`,
      );
      await migrate(old.url);
      const after = (ms: number): string => new Date(Date.now() + ms).toISOString();
      expect(await idOf(17, AT, old)).toBe('17');
      expect(await idOf(17, after(1_800_000), old)).toBe('17');
      expect(await idOf(17, after(3_700_000), old)).toMatch(UUID_V7);
    } finally {
      await old.drop();
    }
  });

  /** To the schema from before webhook-ids. */
  async function undoLast(on: TestDatabase): Promise<void> {
    const dataSource = await new DataSource(dataSourceOptions(on.url, 1)).initialize();
    try {
      const isThere = () => dataSource.query<unknown[]>(`SELECT 1 FROM pg_proc WHERE proname = 'webhook_id'`);
      while ((await isThere()).length > 0) await dataSource.undoLastMigration();
    } finally {
      await dataSource.destroy();
    }
  }
});
