import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COUNTERS } from '../../../src/bootstrap/counters.js';
import { addTo, type Counter, sumsOf, tidy } from '../../../src/platform/counters/counter.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const HOUR_MS = 3_600_000;

const TOTALS: Counter = {
  counts: 'visits of pages',
  table: 'page_visits',
  by: ['page'],
  measures: ['visits', 'clicks'],
  isSharded: true,
};
const BY_HOUR: Counter = {
  counts: 'visits by hour, with the latest reader',
  table: 'hourly_visits',
  by: ['page', 'hour'],
  measures: ['visits'],
  merged: { reader: 'excluded.reader' },
  period: { column: 'hour', keptMs: 2 * HOUR_MS },
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`CREATE TABLE page_visits (page text, slot bigint, visits bigint NOT NULL DEFAULT 0,
      clicks bigint NOT NULL DEFAULT 0, PRIMARY KEY (page, slot));
    CREATE TABLE hourly_visits (page text, hour timestamptz, visits bigint NOT NULL, reader text, PRIMARY KEY (page, hour))`);
});
afterAll(() => database.drop());

const rowsOf = async (text: string, values: unknown[] = []): Promise<object[]> =>
  (await database.pool.query<object>(text, values)).rows;
const visit = (page: string, measures: Record<string, string>) =>
  rowsOf(addTo(TOTALS, { columns: { page: '$1', ...measures } }), [page]);
const totals = () => rowsOf(`SELECT page, ${sumsOf(TOTALS)} FROM page_visits GROUP BY page ORDER BY page`);
const compact = (limit = 100) => tidy(database.database, TOTALS, limit, new Date());

describe('Counters', () => {
  it.each(COUNTERS.map((counter) => [counter.table, counter] as const))('%s fits its table', async (table, counter) => {
    const [found] = await rowsOf(
      `SELECT ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = t.indrelid AND attnum = ANY (t.indkey) ORDER BY 1) AS key,
        ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = t.indrelid AND attnum > 0
          AND attnum <> ALL (t.indkey) AND NOT attisdropped ORDER BY 1) AS others
      FROM pg_index t WHERE t.indrelid = $1::regclass AND t.indisprimary`,
      [table],
    );
    const { by, measures, merged = {}, isSharded = false, period } = counter;
    expect(found).toEqual({
      key: [...by, ...(isSharded ? ['slot'] : [])].sort(),
      others: [...measures, ...Object.keys(merged)].sort(),
    });
    expect(period === undefined || by.includes(period.column)).toBe(true);
  });

  it('addTo counts in rows of past hours and now, and tidy leaves their sums', async () => {
    for (const page of ['home', 'home', 'help']) await visit(page, { visits: '1' });
    await visit('help', { clicks: '2' });
    const before = await totals();
    expect(before).toEqual([
      { page: 'help', visits: 1, clicks: 2 },
      { page: 'home', visits: 2, clicks: 0 },
    ]);
    expect(await compact()).toBe(0);
    await rowsOf('UPDATE page_visits SET slot = slot - (3::bigint << 22)');
    await visit('home', { visits: '5' });
    const past = (await rowsOf('SELECT FROM page_visits')).length - 1;
    const compacted = await Promise.all([compact(1), compact(1)]);
    expect(compacted[0] + compacted[1] + (await compact())).toBe(past);
    expect(await compact()).toBe(0);
    expect(await totals()).toEqual([before[0], { page: 'home', visits: 7, clicks: 0 }]);
    expect(await rowsOf('SELECT page FROM page_visits WHERE slot = 0 ORDER BY page')).toEqual([
      { page: 'help' },
      { page: 'home' },
    ]);
  });

  it('tidy deletes periods that began too long ago, oldest first, up to its limit', async () => {
    const now = new Date('2026-11-30T12:30:00Z');
    const add = (hour: number, reader: string) =>
      rowsOf(addTo(BY_HOUR, { columns: { page: `'home'`, hour: '$1', visits: '1', reader: '$2' } }), [
        new Date(Date.UTC(2026, 10, 30, hour)),
        reader,
      ]);
    for (const hour of [8, 9, 10, 11, 12]) await add(hour, 'Ada');
    await add(12, 'Max');
    expect(await tidy(database.database, BY_HOUR, 1, now)).toBe(1);
    expect(await tidy(database.database, BY_HOUR, 100, now)).toBe(2);
    expect(await rowsOf('SELECT hour, visits, reader FROM hourly_visits ORDER BY hour')).toEqual([
      { hour: new Date('2026-11-30T11:00:00Z'), visits: 1, reader: 'Ada' },
      { hour: new Date('2026-11-30T12:00:00Z'), visits: 2, reader: 'Max' },
    ]);
  });
});
