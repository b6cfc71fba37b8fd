import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { loadSteps, STEP_NAMES } from '../../../src/schema/upgrade/list.js';
import { hasPendingMigrations, migrate } from '../../../src/schema/upgrade/migrate.js';
import { eventually } from '../../support/eventually.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { contentsOf, dieAtStatements } from '../../support/upgrade/interruptions.js';
import { restoreOldDatabase } from '../../support/upgrade/old-database.js';
import { schemaOf } from '../../support/upgrade/schema.js';

const DELETE_MIGRATION = 'DELETE FROM migrations WHERE name = $1 RETURNING "timestamp" AS time';
const INSERT_MIGRATION = 'INSERT INTO migrations ("timestamp", name) VALUES ($1, $2)';
const FIND_NAMES = 'SELECT name FROM migrations ORDER BY "timestamp", id';
const SCHEMA = 'Schema1764010900000';
const NOBODY = 'http://127.0.0.1:1';

describe('migrations', () => {
  let opened: TestDatabase | undefined;
  afterEach(async () => {
    await opened?.drop();
    opened = undefined;
  });
  const open = async (database: Promise<TestDatabase>): Promise<TestDatabase> => (opened = await database);
  const namesIn = async ({ pool }: TestDatabase) =>
    (await pool.query<{ name: string }>(FIND_NAMES)).rows.map(({ name }) => name);
  const record = ({ pool }: TestDatabase, name: string) =>
    pool.query(INSERT_MIGRATION, [Number(name.slice(-13)), name]);

  it('lists the steps of its folder, by the names in the database, ordered by time', async () => {
    expect((await loadSteps()).map((Step) => new Step().name)).toEqual(STEP_NAMES);
    const times = STEP_NAMES.map((name) => Number(/\d+$/.exec(name)));
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    const files = await readdir('src/schema/upgrade');
    expect(times).toEqual(files.filter((name) => /^\d/.test(name)).map(parseFloat));
  });

  it('reports pending migrations while one is missing, of which the template of the tests has none', async () => {
    const migrated = await open(createTestDatabase());
    expect(await hasPendingMigrations(migrated.url)).toBe(false);
    for (const name of [STEP_NAMES[0], STEP_NAMES.at(-1)]) {
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
    expect(ran.flat()).toEqual([SCHEMA]);
    expect(await namesIn(empty)).toEqual([SCHEMA, ...STEP_NAMES]);
    expect(await hasPendingMigrations(empty.url)).toBe(false);
    const before = await empty.dump();
    expect(await migrate(empty.url)).toEqual([]);
    expect(await empty.dump()).toBe(before);
  });

  it('runs in a new database the steps that a later version adds', async () => {
    const migrated = await open(createTestDatabase());
    const schema = await schemaOf(migrated);
    const step = 'ArchivedCharges1764010900070';
    await migrated.pool.query('DROP TABLE archived_charges');
    await migrated.pool.query(DELETE_MIGRATION, [step]);
    expect(await migrate(migrated.url)).toEqual([step]);
    expect(await schemaOf(migrated)).toEqual(schema);
  });

  it('blocks no writes while it creates an index on existing rows', async () => {
    for (const Step of await loadSteps()) {
      const statements: string[] = [];
      const query = (statement: string) => {
        statements.push(statement);
        return Promise.resolve([]);
      };
      await new Step().up({ query } as never);
      expect(statements).not.toEqual([]);
      expect(statements.filter((text) => /CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)/.test(text))).toEqual([]);
    }
  });

  describe('of a database at commit 03ffeb28', () => {
    let old: TestDatabase;
    beforeEach(async () => {
      old = await open(restoreOldDatabase(NOBODY));
    });

    it('keep the rows that older and later processes look for, and run the steps', async () => {
      await record(old, 'OfTheFuture2000000000000');
      const before = (await namesIn(old)).slice(0, -1);
      expect(await hasPendingMigrations(old.url)).toBe(true);
      expect(await migrate(old.url)).toEqual(STEP_NAMES);
      expect(await namesIn(old)).toEqual([...before, ...STEP_NAMES, 'OfTheFuture2000000000000']);
      expect(await hasPendingMigrations(old.url)).toBe(false);
      expect(await migrate(old.url)).toEqual([]);
    });

    it('find what is there already when a step runs again', async () => {
      await migrate(old.url);
      const [schema, contents] = [await schemaOf(old), await contentsOf(old)];
      await old.pool.query('DELETE FROM migrations WHERE name = ANY ($1)', [STEP_NAMES]);
      expect(await migrate(old.url)).toEqual(STEP_NAMES);
      expect(await schemaOf(old)).toEqual(schema);
      expect(await contentsOf(old)).toEqual(contents);
    });

    it('replace an index that a crash left unfinished', async () => {
      const unfinished = old.pool.query('CREATE UNIQUE INDEX CONCURRENTLY payments_flow_id_id ON payments (flow_id)');
      await expect(unfinished).rejects.toThrow('could not create unique index');
      await migrate(old.url);
      const { rows } = await old.pool.query<{ definition: string }>(
        `SELECT indexdef AS definition FROM pg_indexes WHERE indexname = 'payments_flow_id_id'`,
      );
      expect(rows).toEqual([{ definition: expect.stringMatching(/^CREATE INDEX .* \(flow_id, id\)$/) }]);
      expect((await contentsOf(old)).invalid).toBe(0);
    });

    it('continue after deaths at the first index, at a rename, and at the record of a step', async () => {
      const whole = await restoreOldDatabase(NOBODY);
      try {
        await migrate(whole.url);
        const places = [/^CREATE (UNIQUE )?INDEX CONCURRENTLY/, /^DROP INDEX IF EXISTS/, /^INSERT INTO "migrations"/];
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

    it.each([
      [
        'an older database',
        `DELETE FROM migrations WHERE name = 'LaterAttempts1764010455000'`,
        /is at migration RefusedRolloutPayments1764010450000, .*run the migrations of commit 03ffeb28 first/,
      ],
      [
        'one of a build that was never released',
        `INSERT INTO migrations ("timestamp", name) VALUES (1764010700000, 'LeanAttempts1764010700000')`,
        /is at migration LeanAttempts1764010700000 of a build that was never released/,
      ],
    ])('refuse %s, leave it unchanged, and say what to do', async (_, change, message) => {
      await old.pool.query(change);
      const [contents, schema] = [await old.dump(), await schemaOf(old)];
      await expect(migrate(old.url)).rejects.toThrow(message);
      expect(await old.dump()).toBe(contents);
      expect(await schemaOf(old)).toEqual(schema);
      expect(await hasPendingMigrations(old.url)).toBe(true);
    });

    it('accept one of the last build that was never released', async () => {
      await record(old, 'LeanAttempts1764010700000');
      await record(old, 'FannedOutEvents1764010830000');
      expect(await migrate(old.url)).toEqual(STEP_NAMES);
    });

    describe('during a long transaction', () => {
      let long: PoolClient;
      beforeEach(async () => {
        long = await old.pool.connect();
        await long.query(`SET application_name = 'a long report'; BEGIN; SELECT FROM provider_operations`);
      });
      afterEach(() => long.release());

      it('block no reads and writes while they wait for a lock, and name the session that holds it', async () => {
        const reported: string[] = [];
        const migrating = migrate(old.url, (line) => reported.push(line));
        await eventually(() => reported.length > 0);
        // no statement waits behind it for longer than the migration waits
        await old.pool.query('UPDATE provider_operations SET state = state');
        expect(await Promise.race([migrating, Promise.resolve('is waiting')])).toBe('is waiting');
        await long.query('COMMIT');
        expect(await migrating).toEqual(STEP_NAMES);
        expect(reported[0]).toMatch(
          /^Columns\d+ tries again \(failed tries: 1\); a lock is held by pid \d+ \(a long report, idle in/,
        );
        expect(reported.filter((line) => line.startsWith('ran '))).toHaveLength(STEP_NAMES.length);
      });
    });
  });
});
