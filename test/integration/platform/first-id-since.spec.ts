import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { Database } from '../../../src/platform/database/database.js';
import { firstIdSince, searchByTime } from '../../../src/platform/database/first-id-since.js';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const MIDNIGHT = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number): Date => new Date(MIDNIGHT + seconds * 1_000);
const MADE = searchByTime('test.made_in_time', 'made');
const IN_TWO_TABLES = searchByTime('test.two_in_time', 'one_half', 'other_half');

describe('firstIdSince', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database({ driver: { master: test.pool } } as unknown as DataSource);
    for (const table of ['made', 'one_half', 'other_half'])
      await test.pool.query(`CREATE TABLE ${table} (id bigint PRIMARY KEY, created_at timestamptz NOT NULL)`);
  });
  afterAll(() => test.drop());

  it('returns 1 without rows', async () => {
    expect(await firstIdSince(database, MADE, at(0))).toBe(1);
  });

  it('returns an id that separates older rows from newer ones, with any gaps between ids', async () => {
    const random = new SeededRandom('ids with gaps');
    const rows: { id: number; second: number }[] = [];
    for (let [id, second] = [random.integer(1, 50), 0]; rows.length < 500; second += random.integer(0, 3)) {
      rows.push({ id, second });
      id += random.pick([1, 1, 1, 2, 1_000_000]);
    }
    const ids = rows.map(({ id }) => id);
    const times = rows.map(({ second }) => at(second));
    await test.pool.query('INSERT INTO made SELECT * FROM unnest($1::bigint[], $2::timestamptz[])', [ids, times]);
    await test.pool.query(`INSERT INTO one_half SELECT * FROM made WHERE id % 2 = 0`);
    await test.pool.query(`INSERT INTO other_half SELECT * FROM made WHERE id % 2 = 1`);
    const last = rows.at(-1)!.second;
    for (const second of [
      -1,
      0,
      1,
      100.5,
      last,
      last + 1,
      ...Array.from({ length: 20 }, () => random.integer(0, last)),
    ]) {
      const earlier = rows.filter((row) => row.second < second);
      for (const search of [MADE, IN_TWO_TABLES]) {
        const first = await firstIdSince(database, search, at(second));
        expect(rows.filter(({ id }) => id < first)).toEqual(earlier);
      }
    }
  });
});
