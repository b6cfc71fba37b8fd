import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { earlyIn, HOUR_MS } from '../../support/early-in.js';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { countingJobs } from './counting-harness.js';

const DAY_MS = 24 * HOUR_MS;
const DAYS = 33;

interface Answer {
  from: string;
  to: string;
  before_from: string;
  cells: { attempts: number; before: { attempts: number } | null }[];
}

let api: TestApi;
let client: ApiClient;
let shopId: number;
/** The beginning of today, in UTC. */
let today: number;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

beforeEach(async () => {
  await earlyIn(HOUR_MS);
  today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  await query(`TRUNCATE approval_cells, attempt_changes`);
  await query(`UPDATE approval_counting SET since = 'epoch'`);
  client = await api.loginAsAnotherMerchant();
  shopId = (await new Merchant(client).createShop('Berlin')).id;
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query<Row>(text, values)).rows;

const at = (days: number, hours = 0): string => new Date(today - days * DAY_MS + hours * HOUR_MS).toISOString();
const read = async (from: string, to: string, by = ''): Promise<Answer> =>
  dataOf(await client.get(`/insights/approvals?from=${from}&to=${to}${by && `&by=${by}`}`));

const addCell = (time: string, attempts: number, facts: { bin?: string; outcome?: string; code?: string } = {}) =>
  query(
    `INSERT INTO approval_cells SELECT s.merchant_id, g.by_bin, s.id, $2, 'EUR', 'DE', 'visa', '', '',
      CASE WHEN g.by_bin THEN $4 ELSE '' END, $5, $6, $3::bigint, $3::bigint, 7 * $3::bigint
    FROM shops s CROSS JOIN (VALUES (false), (true)) AS g (by_bin) WHERE s.id = $1 ON CONFLICT DO NOTHING`,
    [shopId, time, attempts, facts.bin ?? '411111', facts.outcome ?? 'approved', facts.code ?? ''],
  );

async function addRandomCells(random: SeededRandom, cells: number): Promise<void> {
  for (let index = 0; index < cells; index++) {
    const outcome = random.pick(['approved', 'declined', 'unavailable']);
    await addCell(at(random.integer(0, DAYS), random.integer(0, 23)), random.integer(1, 9), {
      outcome,
      bin: random.pick(['411111', '550000']),
      code: outcome === 'declined' ? random.pick(['do_not_honor', '51']) : '',
    });
  }
}

/** Answers for random periods of whole days. */
async function answers(seed: number): Promise<Answer[]> {
  const random = new SeededRandom('periods', seed);
  const readAny = async () => {
    const first = random.integer(3, DAYS);
    return read(at(first), at(random.integer(0, first - 1)), random.pick(['', 'card.bin', 'currency']));
  };
  const found: Answer[] = [];
  for (let index = 0; index < 20; index++) found.push(await readAny());
  return found;
}

/** Cells of hours that are over for more than 49 hours and the rest of their day, and are no day. */
const leftHours = () =>
  query(
    `SELECT FROM approval_cells WHERE hour < date_trunc('day', now() - interval '49 hours', 'UTC')
      AND hour <> date_trunc('day', hour, 'UTC')`,
  );

/** An attempt of five days ago and one hour more gets its outcome now. */
async function addLateChange(id: number): Promise<void> {
  await query(
    `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
      country, created_at, updated_at, expires_at)
    SELECT $1, merchant_id, id, 1, 1, 's', 'sandbox', 1, 'EUR', 'DE', now(), now(), now() FROM shops WHERE id = $2`,
    [id, shopId],
  );
  await query(
    `INSERT INTO attempt_changes (payment_id, shop_id, started_at, sign, answered_ms, outcome, card)
    VALUES ($1, $2, $3, 1, 7, 'approved', '{"scheme": "visa", "bin": "411111"}')`,
    [id, shopId, at(5, 1)],
  );
}

describe('hours of more than two days ago', () => {
  it.each([1, 2])('become days, with the same sums for any whole days, seed %d', async (seed) => {
    const random = new SeededRandom('rolled', seed);
    await addRandomCells(random, 300);
    const before = await answers(seed);
    expect(before.some(({ cells }) => cells.some((cell) => cell.before && cell.before.attempts > 0))).toBe(true);
    expect((await leftHours()).length).toBeGreaterThan(100);

    const dying = countingJobs(api.database, () => Promise.reject(new Error('killed')));
    await expect(dying.rollUp()).rejects.toThrow('killed');
    expect((await leftHours()).length).toBeGreaterThan(100);

    const workers = [countingJobs(api.database), countingJobs(api.database)];
    await Promise.all(workers.map(({ rollUp }) => rollUp()));
    await workers[0]!.rollUp();
    expect(await leftHours()).toEqual([]);
    expect(await answers(seed)).toEqual(before);
  });

  it('take more than one batch', async () => {
    await query(
      `INSERT INTO approval_cells SELECT merchant_id, true, id, $2::timestamptz + n / 150 * interval '1 hour', 'EUR', '', '', '', '',
        (400000 + n % 150)::text, 'approved', '', 1, 1, 1 FROM shops, generate_series(0, 3449) n WHERE id = $1`,
      [shopId, at(6)],
    );
    await countingJobs(api.database).rollUp();
    const rows = await query('SELECT attempts::integer, count(*)::integer AS bins FROM approval_cells GROUP BY 1');
    expect(rows).toEqual([{ attempts: 23, bins: 150 }]);
  });

  it('take late changes, which become part of their day', async () => {
    await addCell(at(5, 1), 1);
    await addCell(at(5, 7), 2);
    const { count, rollUp } = countingJobs(api.database);
    await rollUp();
    await addLateChange(1_000_001);
    await Promise.all([count(), rollUp()]);
    await addLateChange(1_000_002);
    expect((await read(at(5), at(4))).cells).toMatchObject([{ attempts: 5 }]);
    await count();
    await rollUp();
    expect((await read(at(5), at(4))).cells).toMatchObject([{ attempts: 5 }]);
    const rows = await query(
      'SELECT hour, attempts::integer, answered_ms::integer AS ms FROM approval_cells WHERE by_bin',
    );
    expect(rows).toEqual([{ hour: new Date(at(5)), attempts: 5, ms: 35 }]);
  });

  it('count as whole days for any of their times, and the answer says which', async () => {
    await addCell(at(11, 23), 1);
    await addCell(at(10, 1), 2);
    await addCell(at(8, 22), 4);
    await addCell(at(7, 1), 8);
    for (const rollUp of [() => Promise.resolve(), countingJobs(api.database).rollUp]) {
      await rollUp();
      const answer = await read(at(10, 5), at(8, 1));
      expect(answer).toMatchObject({ from: at(10), to: at(7), before_from: at(13) });
      expect(answer.cells).toMatchObject([{ attempts: 6, before: { attempts: 1 } }]);
    }
  });

  it('stay hours for two days', async () => {
    const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 47 * HOUR_MS);
    await addCell(hour.toISOString(), 3);
    await countingJobs(api.database).rollUp();
    const answer = await read(hour.toISOString(), new Date(hour.getTime() + HOUR_MS).toISOString());
    expect(answer.from).toBe(hour.toISOString());
    expect(answer.cells).toMatchObject([{ attempts: 3 }]);
  });
});
