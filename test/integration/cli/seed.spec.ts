import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { seedDatabase } from '../../../src/cli/seed/seed-database.js';
import { SEEDING_SETTINGS } from '../../../src/cli/seed/seeding-settings.js';
import { testConfig } from '../../support/app/application.js';
import { DAY_MS } from '../../../src/shared/clock.js';
import { SETTINGS } from '../../support/app/settings.js';
import { compareLedgers, readLedgers } from '../../support/ledger/ledger.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const PAYMENTS = 30;

/** Columns that have the real time, or one of the far future. */
const NOT_OF_THE_STORY = ['event_epochs.postmaster_started_at'];

const runIn = async (database: TestDatabase, ...args: string[]) => {
  let err = '';
  const environment = () => ({ ...SETTINGS, DATABASE_URL: database.url });
  const code = await runCommandLine(args, { environment, out: () => undefined, err: (text) => (err += text) });
  return { code, err };
};

/** The columns with a time at or after `limit`, as `table.column`. */
async function columnsSince({ pool }: TestDatabase, limit: Date): Promise<string[]> {
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of rows) {
    const sql = `SELECT FROM ${table} WHERE ${column} >= $1 AND ${column} < 'infinity' LIMIT 1`;
    if ((await pool.query(sql, [limit])).rowCount !== 0) found.push(`${table}.${column}`);
  }
  return found;
}

describe('seed', () => {
  it('writes past times into every column, and money that both sides agree about', async () => {
    const database = await createTestDatabase();
    const until = new Date(Date.now() - 60 * DAY_MS);
    const config = testConfig({ ...SEEDING_SETTINGS, DATABASE_URL: database.url });
    const request = { merchantName: 'Demo', seed: 7, payments: PAYMENTS, until };
    const { signIns } = await seedDatabase(config, request, () => undefined);
    expect(signIns.length).toBeGreaterThan(3);
    // nothing of the story is due more than a month after it
    expect(await columnsSince(database, new Date(until.getTime() + 31 * DAY_MS))).toEqual(NOT_OF_THE_STORY);
    const ledgers = await readLedgers(
      async (text, values) => (await database.pool.query(text, values as [])).rows as never,
    );
    expect(ledgers.payments.length).toBeGreaterThan(PAYMENTS);
    const { disagreements } = compareLedgers(ledgers);
    // authorisations wait for their capture, and two operations for a person
    const isMeant = (kind: string): boolean => /open after drain|not final/.test(kind);
    expect(disagreements.filter(({ kind }) => !isMeant(kind))).toEqual([]);
    const { rows } = await database.pool.query(`SELECT FROM pg_namespace WHERE nspname = 'past_clock'`);
    expect(rows).toEqual([]);
    await database.drop();
  });

  it('refuses while a worker runs, and names what is wrong with its options', async () => {
    const database = await createTestDatabase();
    const refused = async (...args: string[]) => (await runIn(database, 'seed', ...args)).err;
    expect(await refused('--merchant=x')).toContain("--merchant: got 'x'");
    expect(await refused('--merchant=1', '--payments=0')).toContain("--payments: got '0', takes 1 to");
    await database.pool.query(`INSERT INTO worker_beats VALUES (now() + interval '5 s', gen_random_uuid())`);
    expect(await refused('--merchant=1')).toContain('a worker of this database runs');
    await database.drop();
  });
});
