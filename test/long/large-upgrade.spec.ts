import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/schema/upgrade/migrate.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { restoreOldDatabase } from '../support/upgrade/old-database.js';
import { dropOldObjects, schemaOf } from '../support/upgrade/schema.js';

const PAYMENTS = 100_000;
/** Greater than any id of the old database. */
const STRIDE = 1_000;

/** Tables whose rows belong to a payment or its customer, and columns whose values must differ between copies. */
const COPIED: Record<string, string[]> = {
  payments: ['provider_transaction_id'],
  payment_attempts: ['provider_transaction_id', 'reference'],
  payment_status_changes: [],
  payment_terms: [],
  provider_operations: ['reference', 'idempotency_key'],
  refunds: ['provider_refund_id', 'idempotency_key'],
  disputes: ['provider_dispute_id'],
  customers: ['reference'],
  saved_payment_methods: ['idempotency_key'],
  idempotency_keys: ['key'],
  provider_notifications: ['notification_id', 'provider_transaction_id'],
  webhook_deliveries: [],
  webhook_attempts: [],
};
const IDS = ['id', 'payment_id', 'customer_id', 'refund_id', 'delivery_id', 'body_id'];

let database: TestDatabase;
let seconds: number;
let before: Record<string, number>;

const rows = async <Row extends object>(text: string): Promise<Row[]> => (await database.pool.query<Row>(text)).rows;

/** Copies each payment of the old database, with all that belongs to it, until there are as many as wanted. */
async function copyRows(): Promise<void> {
  const [old] = await rows<{ payments: number }>('SELECT count(*)::int AS payments FROM payments');
  const copies = Math.ceil(PAYMENTS / old!.payments) - 1;
  const client = await database.pool.connect();
  // without triggers: their rows are copied, too
  await client.query('SET session_replication_role = replica');
  for (const [table, distinct] of Object.entries(COPIED)) {
    const { rows: columns } = await client.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
    );
    const names = columns.map(({ name }) => name);
    const values = names.map((name) => {
      if (IDS.includes(name)) return `t.${name} + ${STRIDE} * n`;
      return distinct.includes(name) ? `t.${name} || '-' || n` : `t.${name}`;
    });
    await client.query(
      `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
        SELECT ${values.join(', ')} FROM ${table} t CROSS JOIN generate_series(1, ${copies}) n`,
    );
  }
  client.release(true);
}

const countRows = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(COPIED))
    counts[table] = (await rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]!.count;
  return counts;
};

beforeAll(async () => {
  database = await restoreOldDatabase('http://127.0.0.1:1');
  await copyRows();
  before = await countRows();
  const startedAt = performance.now();
  await migrate(database.url);
  seconds = (performance.now() - startedAt) / 1_000;
});
afterAll(() => database.drop());

describe('an upgrade of a large database', () => {
  it('The upgrade keeps all rows', async () => {
    process.stdout.write(`upgrade of ${before['payments']} payments: ${seconds.toFixed(1)} s\n`);
    expect(before['payments']).toBeGreaterThanOrEqual(PAYMENTS);
    expect(await countRows()).toEqual(before);
  });

  it('The upgrade gives all of it the schema of a new database', async () => {
    const copy = await createTestDatabase();
    try {
      const fresh = await schemaOf(copy);
      await dropOldObjects(database);
      expect(await schemaOf(database)).toEqual(fresh);
    } finally {
      await copy.drop();
    }
  });

  it.each([
    [
      'operations that are open',
      `SELECT count(*)::int AS count FROM provider_operations WHERE state IN ('open', 'pending', 'unknown')`,
      `SELECT count(*)::int AS count FROM due_work JOIN provider_operations o ON o.payment_id = subject_id AND o.id = part
        WHERE due_work.kind = 'operation' AND owner_id = merchant_id`,
    ],
    [
      'erasures, detachments and lapses',
      `SELECT (SELECT count(*) FROM customers WHERE erasure_due_at IS NOT NULL)::int
        + (SELECT count(*) FROM saved_payment_methods WHERE removed_at IS NOT NULL)::int
        + (SELECT count(*) FROM payments WHERE status = 'processing' AND capture_before IS NOT NULL)::int AS count`,
      `SELECT count(*)::int AS count FROM due_work WHERE kind IN ('erasure', 'saved_method', 'authorization')`,
    ],
    [
      'attempts that a payment has left',
      `SELECT count(*)::int AS count FROM payment_attempts
        WHERE outcome IN ('soft_declined', 'unavailable') AND provider_transaction_id IS NOT NULL`,
      `SELECT count(*)::int AS count FROM payment_attempts WHERE left_transaction_id = provider_transaction_id`,
    ],
    [
      'idempotency keys',
      `SELECT count(*)::int AS count FROM idempotency_keys`,
      `SELECT count(*)::int AS count FROM idempotency_keys JOIN api_clients USING (client_id, merchant_id)`,
    ],
  ])('The upgrade reaches all %s', async (_, expected, found) => {
    const [wanted] = await rows<{ count: number }>(expected);
    expect(wanted!.count).toBeGreaterThan(1_000);
    expect(await rows(found)).toEqual([wanted]);
  });
});
