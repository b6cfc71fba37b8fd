import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { APPROVAL_CELL_COUNTS } from '../../../src/insights/approvals/approval-cells.queries.js';
import { tidy } from '../../../src/platform/counters/counter.js';
import {
  IS_FIRST_OUTCOME,
  LOGGED_COLUMNS,
  logFirstOutcomesFrom,
} from '../../../src/insights/approvals/attempt-changes-sql.js';
import { wrongCells } from '../../support/ledger/approval-cells.js';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { countingJobs, type During } from './counting-harness.js';

const PAYMENTS = 120;
const STEPS = 600;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  // a test kills connections
  database.pool.on('connect', (client) => client.on('error', () => undefined));
});
afterAll(() => database.drop());
beforeEach(() => query('TRUNCATE payments, payment_attempts, attempt_changes, approval_cells'));

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

const jobsOf = (during?: During) => countingJobs(database, during);
const count = () => jobsOf().count();
const prune = () => tidy(database.database, APPROVAL_CELL_COUNTS, 1_000, new Date());

const BEGIN = `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at, reference)
  SELECT $1, coalesce(max(number), 0) + 1, $2, 'sandbox', now() - $3 * interval '1 minute', gen_random_uuid()
  FROM payment_attempts WHERE payment_id = $1`;

/** Sets the outcome of a payment's latest attempt. */
const END = `UPDATE payment_attempts a SET outcome = $2, decline_code = $3, card = coalesce($4, card),
    ended_at = started_at + $5 * interval '1 ms'
  WHERE payment_id = $1 AND number = (SELECT max(number) FROM payment_attempts WHERE payment_id = $1)`;

/** The same as the statement that writes a payment's status does it: it logs first outcomes itself. */
const END_WITH_LOG = `WITH ended AS (
      ${END.replace('card = coalesce($4, card),', `card = coalesce($4, card), ${IS_FIRST_OUTCOME},`)} RETURNING ${LOGGED_COLUMNS}
    ), ${logFirstOutcomesFrom('ended')} SELECT`;

const CARD = `UPDATE payment_attempts SET card = $2 WHERE payment_id = $1`;
const ERASE = `UPDATE payment_attempts SET card = card - 'last4' - 'expiry_month' WHERE payment_id = $1`;

const OUTCOMES = ['approved', 'processing', 'declined', 'soft_declined', 'unavailable', 'unknown'];

const aCard = (random: SeededRandom) => ({
  ...(random.chance(0.8) && { scheme: random.pick(['visa', 'mastercard']) }),
  ...(random.chance(0.5) && { funding: random.pick(['credit', 'debit']) }),
  ...(random.chance(0.5) && { issuer_country: random.pick(['DE', 'FR']) }),
  ...(random.chance(0.7) && { bin: random.pick(['411111', '41111122', '550000']) }),
  last4: String(random.integer(1000, 9999)),
});

const INSERT_PAYMENT = `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider,
    amount, currency, country, payment_method, created_at, updated_at, expires_at)
  VALUES ($1, $2, 1, 1, 1, 's', 'sandbox', 1, $3, $4, $5, now(), now(), now())`;

async function insertPayments(random: SeededRandom): Promise<void> {
  for (let id = 1; id <= PAYMENTS; id++) {
    const method = random.chance(0.5) ? { type: 'card', card: aCard(random) } : null;
    const country = random.pick(['DE', 'AT', null]);
    await query(INSERT_PAYMENT, [id, random.integer(1, 2), random.pick(['EUR', 'USD']), country, method]);
  }
}

/** Steps of random payments, in any order: a later answer may be less definite, as a row may be written by hand. */
async function write(random: SeededRandom, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const id = random.integer(1, PAYMENTS);
    const code = random.chance(0.3) ? random.pick(['insufficient_funds', 'do_not_honor']) : null;
    const card = random.chance(0.5) ? aCard(random) : null;
    const [text, values] = random.pick([
      [BEGIN, [id, random.integer(1, 2), random.integer(0, 180)]],
      [END, [id, random.pick(OUTCOMES), code, card, random.integer(10, 3_000)]],
      [END_WITH_LOG, [id, random.pick(OUTCOMES), code, card, random.integer(10, 3_000)]],
      [CARD, [id, random.chance(0.2) ? null : aCard(random)]],
      [ERASE, [id]],
    ]);
    // two writers may begin the same attempt
    await query(text, values as unknown[]).catch((error: { code?: string }) => {
      if (error.code !== '23505') throw error;
    });
  }
}

const started = (id: number, minutes = 0) => query(BEGIN, [id, 1, minutes]);
const ended = (id: number, outcome: string, code: string | null = null, card: object | null = null, ms = 100) =>
  query(END, [id, outcome, code, card, ms]);
const logged = async (): Promise<number> => (await query('SELECT FROM attempt_changes')).length;

describe('approval cells', () => {
  it.each([1, 2])('equal a count of the attempts after random concurrent changes, seed %d', async (seed) => {
    const random = new SeededRandom('cells', seed);
    await insertPayments(random);
    let deaths = 0;
    const dying = jobsOf(async (transaction) => {
      if (!random.chance(0.5)) return;
      deaths += 1;
      await transaction.query({ name: 'test.die', text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
    });
    let isOver = false;
    const counting = [dying, jobsOf()].map(async (worker) => {
      while (!isOver) await worker.count().catch(() => undefined);
    });
    await Promise.all([1, 2, 3].map((writer) => write(new SeededRandom(seed, writer), STEPS / 3)));
    isOver = true;
    await Promise.all(counting);
    await count();
    expect(await logged()).toBe(0);
    expect(await wrongCells(query)).toEqual([]);
    expect(deaths).toBeGreaterThan(0);
  });

  it('keep the changes of a worker that dies before its commit, for the next one', async () => {
    await query(INSERT_PAYMENT, [1, 1, 'EUR', null, null]);
    await started(1);
    await ended(1, 'approved');
    const dying = jobsOf(() => Promise.reject(new Error('killed')));
    await expect(dying.count()).rejects.toThrow('killed');
    expect([await logged(), await query('SELECT FROM approval_cells')]).toEqual([1, []]);
    await count();
    expect(await wrongCells(query)).toEqual([]);
  });

  it('count a backlog of more than one batch', async () => {
    await query(INSERT_PAYMENT, [1, 1, 'EUR', null, null]);
    await query(
      `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at, reference)
      SELECT 1, n, 1, 'sandbox', now(), 'ref' || n FROM generate_series(1, 2500) n`,
    );
    await query(`UPDATE payment_attempts SET outcome = 'approved', ended_at = now()`);
    await count();
    const cells = await query<{ attempts: number }>('SELECT attempts::integer FROM approval_cells WHERE NOT by_bin');
    expect([await logged(), cells.reduce((sum, { attempts }) => sum + attempts, 0)]).toEqual([0, 2500]);
  });

  it('get no change from an attempt whose facts stay', async () => {
    await query(INSERT_PAYMENT, [1, 1, 'EUR', 'DE', { card: { scheme: 'visa', last4: '4242' } }]);
    await started(1);
    await ended(1, 'approved', null, { scheme: 'visa', last4: '4242', expiry_month: 4 });
    await count();
    await query(ERASE, [1]);
    await query('UPDATE payment_attempts SET asked_at = now(), looked_up_at = now()');
    await ended(1, 'approved', null, { scheme: 'visa' });
    expect(await logged()).toBe(0);
  });

  it('hold no digits of a card except its BIN', async () => {
    await query(INSERT_PAYMENT, [1, 1, 'EUR', 'DE', { card: { bin: '41111122', last4: '4242', expiry_year: 2031 } }]);
    await started(1);
    await ended(1, 'declined', 'do_not_honor', { last4: '4242', expiry_month: 4, expiry_year: 2031 });
    const log = await query<{ card: object }>('SELECT card FROM attempt_changes');
    await count();
    const cells = await query<{ bin: string }>('SELECT * FROM approval_cells ORDER BY by_bin');
    expect(log).toEqual([{ card: {} }]);
    expect(cells.map(({ bin }) => bin)).toEqual(['', '411111']);
    expect(JSON.stringify(cells)).not.toMatch(/4242|2031/);
  });

  it('count the answer time of the first outcome only, and of no missing or late answer', async () => {
    for (const id of [1, 2, 3]) await query(INSERT_PAYMENT, [id, 1, 'EUR', 'DE', null]);
    for (const id of [1, 2, 3]) await started(id);
    await ended(1, 'processing', null, null, 200);
    await ended(1, 'approved', null, null, 90_000);
    await ended(2, 'unknown', null, null, 10_000);
    await ended(2, 'approved', null, null, 20_000);
    await ended(3, 'approved', null, null, 3_600_000);
    await count();
    const [sums] = await query(
      'SELECT sum(attempts)::integer AS attempts, sum(answers)::integer AS answers, sum(answered_ms)::integer AS ms FROM approval_cells WHERE NOT by_bin',
    );
    expect(sums).toEqual({ attempts: 3, answers: 1, ms: 200 });
  });

  it('stay for 35 days, and ignore changes of older attempts', async () => {
    const day = 24 * 60;
    for (const id of [1, 2, 3]) await query(INSERT_PAYMENT, [id, 1, 'EUR', 'DE', null]);
    await started(1, 36 * day);
    await started(2, 34 * day);
    await started(3, 34 * day);
    for (const id of [1, 2]) await ended(id, 'approved');
    await count();
    const hours = () => query('SELECT hour FROM approval_cells WHERE NOT by_bin');
    expect(await hours()).toHaveLength(1);
    await query(`UPDATE approval_cells SET hour = hour - interval '2 days'`);
    await ended(3, 'approved');
    await count();
    await prune();
    expect(await hours()).toHaveLength(1);
  });

  it('leave out attempts from before the counting began', async () => {
    for (const id of [1, 2]) await query(INSERT_PAYMENT, [id, 1, 'EUR', 'DE', null]);
    await started(1, 90);
    await started(2);
    await query(`UPDATE approval_counting SET since = date_trunc('hour', now())`);
    for (const id of [1, 2]) await ended(id, 'processing');
    for (const id of [1, 2]) await ended(id, 'approved');
    await count();
    await query(`UPDATE approval_counting SET since = 'epoch'`);
    const cells = await query(
      'SELECT outcome, attempts::integer FROM approval_cells WHERE NOT by_bin AND attempts <> 0',
    );
    expect(cells).toEqual([{ outcome: 'approved', attempts: 1 }]);
  });
});
