import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const PAGE = readFileSync(new URL('../../../docs/internals/data.md', import.meta.url), 'utf8');

/** Tables about payments that no or few payments write, and the sandbox's, which is another company. */
const RARE = [
  'archived_charges',
  'disputes',
  'idempotency_keys',
  'provider_notifications',
  'refunds',
  'sandbox_transactions',
  'saved_payment_methods',
  'webhook_events',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const indexesOf = async (condition: string, values: unknown[]): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT i.indexrelid::regclass::text AS name
     FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_index i ON i.indrelid = t.oid
     WHERE n.nspname = 'public' AND t.relkind IN ('r', 'p') AND NOT t.relispartition AND ${condition}`,
    values,
  );
  return rows.map(({ name }) => name).sort();
};

describe('docs/internals/data.md', () => {
  const listed = [...PAGE.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!);

  it('lists each index of the tables that payments write, and no other', async () => {
    const indexes = await indexesOf(
      `t.relname <> ALL ($1) AND (t.relname IN ('payments', 'customers', 'due_work') OR EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname IN ('payment_id', 'delivery_id')
          AND NOT a.attisdropped))`,
      [RARE],
    );
    expect([...listed].sort()).toEqual(indexes);
  });
});
