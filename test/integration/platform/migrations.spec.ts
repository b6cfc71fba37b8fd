import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { hasPendingMigrations, migrate } from '../../../src/platform/database/migrations/migrate.js';
import { MIGRATION_NAMES } from '../../../src/platform/database/migrations/list.js';
import { eventually } from '../../support/eventually.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { contentsOf, dieAtStatements } from '../../support/upgrade/interruptions.js';
import { restoreOldDatabase } from '../../support/upgrade/old-database.js';
import { migrations, migrationsSince, revertTo, schemaOf } from '../../support/upgrade/schema.js';

const DELETE_MIGRATION = 'DELETE FROM migrations WHERE name = $1 RETURNING "timestamp" AS time';
const INSERT_MIGRATION = 'INSERT INTO migrations ("timestamp", name) VALUES ($1, $2)';
const FIND_NAMES = 'SELECT name FROM migrations ORDER BY "timestamp"';
const [INITIAL, ...LATER] = MIGRATION_NAMES;
const NOBODY = 'http://127.0.0.1:1';

describe('migrations', () => {
  let opened: TestDatabase | undefined;
  afterEach(async () => {
    await opened?.drop();
    opened = undefined;
  });
  const open = async (database: Promise<TestDatabase>): Promise<TestDatabase> => (opened = await database);

  it('lists the files of its folder, by the names in the database, ordered by time', async () => {
    expect(migrations.map(({ name }) => name)).toEqual(MIGRATION_NAMES);
    const times = MIGRATION_NAMES.map((name) => Number(/\d+$/.exec(name)));
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    const files = await readdir('src/platform/database/migrations');
    expect(times).toEqual(expect.arrayContaining(files.filter((name) => /^\d/.test(name)).map(parseFloat)));
  });

  it('reports pending migrations while one is missing, of which the template of the tests has none', async () => {
    const migrated = await open(createTestDatabase());
    expect(await hasPendingMigrations(migrated.url)).toBe(false);
    for (const name of [MIGRATION_NAMES[0], MIGRATION_NAMES[9], MIGRATION_NAMES.at(-1)]) {
      const { rows } = await migrated.pool.query<{ time: number }>(DELETE_MIGRATION, [name]);
      expect(await hasPendingMigrations(migrated.url)).toBe(true);
      await migrated.pool.query(INSERT_MIGRATION, [rows[0]!.time, name]);
    }
    expect(await hasPendingMigrations(migrated.url)).toBe(false);
  });

  it('creates the schema once in an empty database when several processes migrate at once, and changes nothing later', async () => {
    const empty = await open(createEmptyDatabase());
    expect(await hasPendingMigrations(empty.url)).toBe(true);
    const ran = await Promise.all([migrate(empty.url), migrate(empty.url), migrate(empty.url)]);
    expect(ran.flat()).toHaveLength(migrations.length);
    expect(await hasPendingMigrations(empty.url)).toBe(false);
    const before = await empty.dump();
    expect(await migrate(empty.url)).toEqual([]);
    expect(await empty.dump()).toBe(before);
  });

  it('blocks no writes while it creates an index on existing rows', async () => {
    for (const Migration of migrations) {
      const statements: string[] = [];
      const query = (statement: string) => {
        statements.push(statement);
        return Promise.resolve([]);
      };
      await new Migration().up({ query } as never);
      const text = statements.join(';');
      const made = [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, table]) => table);
      const blocking = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[\s\S]*?ON (\w+)/g)];
      expect(blocking.map(([, table]) => table).filter((table) => !made.includes(table))).toEqual([]);
    }
  });

  it('replaces an index that a crash left unfinished', async () => {
    const migrated = await open(createTestDatabase());
    const schema = await schemaOf(migrated);
    await revertTo(migrated, 'OpenAlarms');
    await migrated.pool.query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, status, data, outcome, received_at)
      SELECT 'sandbox', 1, n, 'completed', '{}', 'alarm', now() FROM generate_series(1, 2) n`,
    );
    const unfinished = migrated.pool.query(
      'CREATE UNIQUE INDEX CONCURRENTLY provider_notifications_open_alarms ON provider_notifications (shop_id)',
    );
    await expect(unfinished).rejects.toThrow('could not create unique index');
    await migrate(migrated.url);
    expect(await schemaOf(migrated)).toEqual(schema);
    const { rows: invalid } = await migrated.pool.query(
      'SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid',
    );
    expect(invalid).toEqual([]);
  });

  it('gives new scopes only to clients that could do as much before, and takes payments:settle away on the way back', async () => {
    const migrated = await open(createTestDatabase());
    await revertTo(migrated, 'WebhookSecretsScope');
    await migrated.pool.query(`INSERT INTO merchants (name) VALUES ('one')`);
    await migrated.pool.query(
      `INSERT INTO api_clients (merchant_id, client_id, name, secret_hash, scopes, revoked_at)
      VALUES (1, 'a', '', '', '{webhooks:read}', NULL), (1, 'b', '', '', '{webhooks:read,shops:read}', now()),
        (1, 'c', '', '', '{webhooks:write,shops:write}', NULL), (1, 'd', '', '', '{flows:write}', NULL),
        (1, 'e', '', '', '{flows:read}', NULL), (1, 'f', '', '', '{payments:read,payments:write}', NULL)`,
    );
    const scopes = async () => {
      const found = 'SELECT scopes FROM api_clients ORDER BY client_id';
      return (await migrated.pool.query<{ scopes: string[] }>(found)).rows.map((row) => row.scopes);
    };
    const expected = [
      ['webhooks:read', 'webhooks:secrets'],
      ['webhooks:read', 'shops:read', 'webhooks:secrets'],
      ['webhooks:write', 'shops:write'],
      ['flows:write', 'flows:activate'],
      ['flows:read'],
      ['payments:read', 'payments:write'],
    ];
    await migrate(migrated.url);
    expect(await scopes()).toEqual(expected);
    await migrated.pool.query(
      `UPDATE api_clients SET scopes = scopes || 'payments:settle'::text WHERE client_id = 'f'`,
    );
    await revertTo(migrated, 'SettleScope');
    expect((await scopes()).at(-1)).toEqual(['payments:read', 'payments:write']);
  });

  it('give old payments the amounts of their status, and so does an old process that changes a status later', async () => {
    const migrated = await open(createTestDatabase());
    await revertTo(migrated, 'PaymentAmounts');
    const insert = `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider,
        status, amount, currency, created_at, updated_at, expires_at, decision)
      SELECT 1, 1, 1, 1, n, 'sandbox', CASE n % 3 WHEN 0 THEN 'completed' WHEN 1 THEN 'refunded' ELSE 'processing' END, n, 'EUR',
        now(), now(), now(), '{}' FROM generate_series($1::int, $2::int) n`;
    await migrated.pool.query(insert, [1, 5_010]);
    await migrate(migrated.url);
    // as a process of the version before
    await migrated.pool.query(insert, [5_012, 5_012]);
    const set = (from: string, to: string) =>
      migrated.pool.query(`UPDATE payments SET status = $2 WHERE status = $1 AND amount IN (5, 8, 9, 5012)`, [
        from,
        to,
      ]);
    await set('completed', 'refunded');
    await set('processing', 'completed');
    const share = (sum: string) => `trim_scale(amount_${sum} / amount)`;
    const { rows } = await migrated.pool.query<{ amounts: string; count: number }>(
      `SELECT concat_ws(' ', status, ${share('authorized')}, ${share('captured')}, ${share('refunded')}) AS amounts,
        count(*)::int FROM payments GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { amounts: 'completed 1 1 0', count: 1_672 },
      { amounts: 'processing 0 0 0', count: 1_668 },
      { amounts: 'refunded 1 1 1', count: 1_671 },
    ]);
    const illegal = migrated.pool.query(`UPDATE payments SET amount_refunded = amount_captured + 1 WHERE id = 1`);
    await expect(illegal).rejects.toThrow('payments_amounts');
  });

  describe('of a database at commit a3d06a80', () => {
    let old: TestDatabase;
    beforeEach(async () => {
      old = await open(restoreOldDatabase(NOBODY));
    });
    const names = async () => (await old.pool.query<{ name: string }>(FIND_NAMES)).rows.map(({ name }) => name);

    it('starts from the schema of the initial migration', async () => {
      const initial = await createTestDatabase();
      try {
        await revertTo(initial, 'OpenAlarms');
        expect(await schemaOf(old)).toEqual(await schemaOf(initial));
      } finally {
        await initial.drop();
      }
    });

    it('records the initial migration, keeps the rows that older and later processes look for, and runs the later ones', async () => {
      await old.pool.query(INSERT_MIGRATION, [2_000_000_000_000, 'OfTheFuture2000000000000']);
      const before = (await names()).slice(0, -1);
      expect(before).toHaveLength(31);
      expect(await hasPendingMigrations(old.url)).toBe(true);
      expect(await migrate(old.url)).toEqual(LATER);
      const after = [...before, INITIAL, ...LATER, 'OfTheFuture2000000000000'];
      expect(await names()).toEqual(after);
      expect(await hasPendingMigrations(old.url)).toBe(false);
      expect(await migrate(old.url)).toEqual([]);
      // as a database that a later version, without the initial migration, has migrated
      await old.pool.query(DELETE_MIGRATION, [INITIAL]);
      expect(await migrate(old.url)).toEqual([]);
      expect(await names()).toEqual(after);
    });

    it('continues after deaths at the first index, at a commit, and at the record of a migration', async () => {
      const whole = await restoreOldDatabase(NOBODY);
      try {
        await migrate(whole.url);
        const places = [/^CREATE (UNIQUE )?INDEX CONCURRENTLY/, /^COMMIT/, /^INSERT INTO "migrations"/];
        const isFirst = (text: string) => {
          const index = places.findIndex((place) => place.test(text));
          return index >= 0 && places.splice(index, 1).length > 0;
        };
        expect(await dieAtStatements(old.url, isFirst)).toBe(3);
        expect(await hasPendingMigrations(old.url)).toBe(false);
        expect(await schemaOf(old)).toEqual(await schemaOf(whole));
        expect(await contentsOf(old)).toEqual(await contentsOf(whole));
      } finally {
        await whole.drop();
      }
    });

    it('refuses an older database, leaves it unchanged, and names the commit to upgrade to first', async () => {
      await old.pool.query(DELETE_MIGRATION, ['SpentPermits1764000400000']);
      const [contents, schema] = [await old.dump(), await schemaOf(old)];
      await expect(migrate(old.url)).rejects.toThrow(
        /is at migration EndedSessions1763990000000 \(30 of 31 .*run the migrations of commit a3d06a80 first/,
      );
      expect(await old.dump()).toBe(contents);
      expect(await schemaOf(old)).toEqual(schema);
      expect(await hasPendingMigrations(old.url)).toBe(true);
    });
  });

  describe('during a long transaction', () => {
    let migrated: TestDatabase;
    let long: PoolClient;

    beforeEach(async () => {
      migrated = await open(createTestDatabase());
      await revertTo(migrated, 'OpenAlarms');
      long = await migrated.pool.connect();
      await long.query(`SET application_name = 'a long report'; BEGIN; SELECT FROM provider_notifications`);
    });
    afterEach(() => long.release());

    it('blocks no reads and writes while it waits for a lock, and names the session that holds it', async () => {
      const reported: string[] = [];
      const migrating = migrate(migrated.url, (line) => reported.push(line));
      await eventually(() => reported.length > 0);
      // no statement waits behind it for longer than the migration waits
      await migrated.pool.query('UPDATE provider_notifications SET status = status');
      expect(await Promise.race([migrating, Promise.resolve('is waiting')])).toBe('is waiting');
      await long.query('COMMIT');
      expect(await migrating).toContain('OpenAlarms1764010020000');
      expect(reported[0]).toMatch(
        /^OpenAlarms\d+ tries again \(failed tries: 1\); a lock is held by pid \d+ \(a long report, idle in/,
      );
      expect(reported.filter((line) => line.startsWith('ran '))).toHaveLength(migrationsSince('OpenAlarms').length);
    });
  });

  it('reverts to an empty database and can run again', async () => {
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
});
