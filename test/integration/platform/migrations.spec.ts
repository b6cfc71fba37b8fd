import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { SCOPES } from '../../../src/access/scopes.js';
import { hasPendingMigrations, migrate } from '../../../src/platform/database/migrate.js';
import { MIGRATION_NAMES } from '../../../src/platform/database/migrations/list.js';
import { eventually } from '../../support/eventually.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { migrations, migrationsSince, revertTo, schemaOf } from '../../support/upgrade/schema.js';

const DELETE_MIGRATION = 'DELETE FROM migrations WHERE name = $1 RETURNING "timestamp" AS time';
const INSERT_MIGRATION = 'INSERT INTO migrations ("timestamp", name) VALUES ($1, $2)';

describe('migrations', () => {
  let opened: TestDatabase | undefined;
  afterEach(async () => {
    await opened?.drop();
    opened = undefined;
  });
  const open = async (database: Promise<TestDatabase>): Promise<TestDatabase> => (opened = await database);

  it('lists what is in their folder, by the names that the database keeps, in order of time', async () => {
    expect(migrations.map(({ name }) => name)).toEqual(MIGRATION_NAMES);
    const times = MIGRATION_NAMES.map((name) => Number(/\d+$/.exec(name)));
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    const files = await readdir('src/platform/database/migrations');
    expect(times).toEqual(expect.arrayContaining(files.filter((name) => /^\d/.test(name)).map(parseFloat)));
  });

  it('is told pending as long as one is missing', async () => {
    const migrated = await open(createTestDatabase());
    for (const name of MIGRATION_NAMES) {
      const { rows } = await migrated.pool.query<{ time: number }>(DELETE_MIGRATION, [name]);
      expect(await hasPendingMigrations(migrated.url)).toBe(true);
      await migrated.pool.query(INSERT_MIGRATION, [rows[0]!.time, name]);
    }
    expect(await hasPendingMigrations(migrated.url)).toBe(false);
  });

  it('makes the schema from nothing, and does nothing the second time', async () => {
    const empty = await open(createEmptyDatabase());
    expect(await hasPendingMigrations(empty.url)).toBe(true);
    expect(await migrate(empty.url)).toHaveLength(migrations.length);
    expect(await hasPendingMigrations(empty.url)).toBe(false);
    const before = await empty.dump();
    expect(await migrate(empty.url)).toEqual([]);
    expect(await empty.dump()).toBe(before);
  });

  it('runs each migration once when several processes migrate at once', async () => {
    const empty = await open(createEmptyDatabase());
    const ran = await Promise.all([migrate(empty.url), migrate(empty.url), migrate(empty.url)]);
    expect(ran.flat()).toHaveLength(migrations.length);
    expect(await hasPendingMigrations(empty.url)).toBe(false);
  });

  it('keeps nobody from writing while it makes an index over what is there', async () => {
    for (const Migration of migrationsSince('ProviderOperations')) {
      const statements: string[] = [];
      const query = (statement: string) => {
        statements.push(statement);
        return Promise.resolve(statement.includes('AS moment') ? [{ moment: '-infinity' }] : []);
      };
      const nothing = () => Promise.resolve();
      const runner = { query, startTransaction: nothing, commitTransaction: nothing, rollbackTransaction: nothing };
      await new Migration().up(runner as never);
      const text = statements.join(';');
      const made = [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, table]) => table);
      const blocking = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[\s\S]*?ON (\w+)/g)];
      expect(blocking.map(([, table]) => table).filter((table) => !made.includes(table))).toEqual([]);
    }
  });

  it('makes an index anew that a crash left unfinished', async () => {
    const migrated = await open(createTestDatabase());
    const schema = await schemaOf(migrated);
    await revertTo(migrated, 'CustomerReferences');
    await migrated.pool.query('ALTER TABLE customers ADD COLUMN reference text');
    const { rows } = await migrated.pool.query<{ id: number }>(
      `INSERT INTO merchants (name) VALUES ('one') RETURNING id`,
    );
    const insert = `INSERT INTO customers (merchant_id, reference) SELECT $1, 'same' FROM generate_series(1, 2)`;
    await migrated.pool.query(insert, [rows[0]!.id]);
    const unfinished = migrated.pool.query(
      'CREATE UNIQUE INDEX CONCURRENTLY customers_merchant_id_reference ON customers (merchant_id, reference) WHERE reference IS NOT NULL',
    );
    await expect(unfinished).rejects.toThrow('could not create unique index');
    await migrated.pool.query('DELETE FROM customers');
    await migrate(migrated.url);
    expect(await schemaOf(migrated)).toEqual(schema);
    const { rows: invalid } = await migrated.pool.query(
      'SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid',
    );
    expect(invalid).toEqual([]);
  });

  it('lets the clients that have all scopes read the audit log, and no others', async () => {
    const migrated = await open(createTestDatabase());
    await revertTo(migrated, 'AuditLog');
    const all = SCOPES.filter((scope) => scope !== 'audit:read');
    await migrated.pool.query(`INSERT INTO merchants (name) VALUES ('one')`);
    await migrated.pool.query(
      `INSERT INTO api_clients (merchant_id, client_id, name, secret_hash, scopes)
      VALUES (1, 'all', '', '', $1), (1, 'few', '', '', $2)`,
      [all, all.slice(1)],
    );
    await migrate(migrated.url);
    const { rows } = await migrated.pool.query('SELECT scopes FROM api_clients ORDER BY client_id');
    expect(rows).toEqual([{ scopes: [...all, 'audit:read'] }, { scopes: all.slice(1) }]);
  });

  it('lets the clients that read webhooks keep the secrets of shops, and no others', async () => {
    const migrated = await open(createTestDatabase());
    await revertTo(migrated, 'WebhookSecretsScope');
    await migrated.pool.query(`INSERT INTO merchants (name) VALUES ('one')`);
    await migrated.pool.query(
      `INSERT INTO api_clients (merchant_id, client_id, name, secret_hash, scopes, revoked_at)
      VALUES (1, 'a', '', '', '{webhooks:read}', NULL), (1, 'b', '', '', '{webhooks:read,shops:read}', now()),
        (1, 'c', '', '', '{webhooks:write,shops:write}', NULL)`,
    );
    await migrate(migrated.url);
    const { rows } = await migrated.pool.query<{ scopes: string[] }>(
      'SELECT scopes FROM api_clients ORDER BY client_id',
    );
    expect(rows.map(({ scopes }) => scopes)).toEqual([
      ['webhooks:read', 'webhooks:secrets'],
      ['webhooks:read', 'shops:read', 'webhooks:secrets'],
      ['webhooks:write', 'shops:write'],
    ]);
  });

  it('gives what a running system has begun a reference, and an operation that recovery looks at', async () => {
    const migrated = await open(createTestDatabase());
    await revertTo(migrated, 'ProviderOperations');
    const rows = [
      ['pending', null],
      ['pending', 'unknown'],
      ['processing', 'processing'],
      ['completed', 'approved'],
      ['failed', 'declined'],
    ];
    for (const [index, [status, outcome]] of rows.entries()) {
      const values = [index + 1, status, outcome];
      await migrated.pool.query(
        `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
          currency, status, created_at, updated_at, expires_at)
        SELECT $1, 1, 1, 1, 1, 'ps', 'sandbox', 1, 'EUR', $2, now(), now(), now() WHERE $3::text IS DISTINCT FROM ''`,
        values,
      );
      await migrated.pool.query(
        `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, outcome, started_at, ended_at)
        SELECT $1, 1, 1, 'sandbox', $3::text, now(), CASE WHEN $3::text IS NOT NULL THEN now() END WHERE $2::text <> ''`,
        values,
      );
    }
    await migrate(migrated.url);
    const { rows: references } = await migrated.pool.query(
      'SELECT count(*)::int AS attempts, count(DISTINCT reference)::int AS own FROM payment_attempts',
    );
    expect(references).toEqual([{ attempts: 5, own: 5 }]);
    const { rows: operations } = await migrated.pool.query(
      `SELECT o.payment_id, o.kind, o.state, o.idempotency_key, o.next_try_at IS NOT NULL AS is_due, o.reference = a.reference AS is_its
      FROM provider_operations o JOIN payment_attempts a ON a.payment_id = o.payment_id ORDER BY o.payment_id`,
    );
    expect(operations).toEqual(
      ['open', 'unknown', 'pending'].map((state, index) => ({
        payment_id: index + 1,
        kind: 'charge',
        state,
        idempotency_key: `authorize-${index + 1}-1`,
        is_due: true,
        is_its: true,
      })),
    );
  });

  it('puts on record what older processes have begun since operations were opened', async () => {
    const migrated = await open(createTestDatabase());
    await revertTo(migrated, 'AttemptsOfOlderProcesses');
    for (const [id, status] of ['processing', 'completed'].entries()) {
      await migrated.pool.query(
        `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
          currency, status, created_at, updated_at, expires_at)
        VALUES ($1, 1, 1, 1, 1, 'ps', 'sandbox', 1, 'EUR', $2, now(), now(), now())`,
        [id, status],
      );
      await migrated.pool.query(
        `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at) VALUES ($1, 1, 1, 'sandbox', now())`,
        [id],
      );
    }
    await migrate(migrated.url);
    const { rows } = await migrated.pool.query(
      'SELECT payment_id, kind, state, idempotency_key FROM provider_operations',
    );
    expect(rows).toEqual([{ payment_id: 0, kind: 'charge', state: 'open', idempotency_key: 'authorize-0-1' }]);
  });

  describe('beside a transaction that lasts', () => {
    let migrated: TestDatabase;
    let long: PoolClient;

    beforeEach(async () => {
      migrated = await open(createTestDatabase());
      await revertTo(migrated, 'TraceContexts');
      long = await migrated.pool.connect();
      await long.query(`SET application_name = 'a long report'; BEGIN; SELECT FROM payments, failing_endpoints`);
    });
    afterEach(() => long.release());

    it('lets others read and write while it waits for a lock, and names who holds it', async () => {
      const told: string[] = [];
      const migrating = migrate(migrated.url, (line) => told.push(line));
      await eventually(() => told.length > 0);
      // nobody stands in line before it for longer than the migration waits
      await migrated.pool.query('UPDATE payments SET status = status');
      expect(await Promise.race([migrating, Promise.resolve('is waiting')])).toBe('is waiting');
      await long.query('COMMIT');
      expect(await migrating).toContain('TraceContexts1763930000000');
      expect(told[0]).toMatch(
        /^TraceContexts\d+ tries again, 1 in vain; a lock is held by pid \d+ \(a long report, idle in/,
      );
      expect(told.filter((line) => line.startsWith('ran '))).toHaveLength(migrationsSince('TraceContexts').length);
    });
  });

  it('reverts down to nothing and comes up again as before', async () => {
    const migrated = await open(createTestDatabase());
    const schema = await schemaOf(migrated);
    await revertTo(migrated, 'InitialSchema');
    const left = await migrated.pool.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind = 'r' AND relname <> 'migrations'`);
    expect(left.rows).toEqual([]);
    expect(await hasPendingMigrations(migrated.url)).toBe(true);
    await migrate(migrated.url);
    expect(await schemaOf(migrated)).toEqual(schema);
  });

  it('gives the tests a template that is up to date', async () => {
    expect(await hasPendingMigrations((await open(createTestDatabase())).url)).toBe(false);
  });
});
