import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COUNT_CHANGES } from '../../../src/insights/approvals/approval-cells.queries.js';
import { ApprovalPayments, type PaymentsFilter } from '../../../src/insights/approvals/approval-payments.service.js';
import type { ReplicaReads } from '../../../src/platform/database/replica-reads.js';
import { decodeCursor } from '../../../src/shared/cursor.js';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const NOW = Date.parse('2026-11-22T12:30:00Z');
const HOUR_MS = 3_600_000;
const FIRST_MS = NOW - 9 * 24 * HOUR_MS;
/** Hours since the day before yesterday began, from which on periods are of hours, and since a day before all payments. */
const FIRST_HOUR = 60;
const OLDEST_DAY = FIRST_HOUR + 8 * 24;
const PAYMENTS = 1_500;
/** Every second payment and every second shop is of merchant 1. */
const SHOPS = [1, 2, 3, 4];
const merchantOf = (id: number): number => 2 - (id % 2);

let database: TestDatabase;

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

/** Payments of nine days, most of the last hours. Half of them fail over, some days after their creation. */
async function plant(random: SeededRandom): Promise<void> {
  const payments: object[] = [];
  const attempts: object[] = [];
  for (let id = 1; id <= PAYMENTS; id++) {
    // ids are not exactly in the order of times
    const at = FIRST_MS + (NOW - FIRST_MS) * (id / PAYMENTS) ** 0.3 - random.integer(0, 30_000);
    payments.push({ id, merchant_id: merchantOf(id), country: random.pick(['DE', null]), created_at: new Date(at) });
    let startedAt = at;
    for (let number = 1; number <= 4 && startedAt <= NOW; number++) {
      const shop = random.pick(SHOPS.filter((each) => merchantOf(each) === merchantOf(id)));
      const outcome = random.pick(['approved', 'declined', 'soft_declined', 'unavailable', 'processing', 'unknown']);
      attempts.push({ payment_id: id, number, shop_id: shop, started_at: new Date(startedAt), outcome });
      if (random.chance(0.5)) break;
      startedAt += random.pick([2_000, HOUR_MS / 2, 1.2 * HOUR_MS, 30 * HOUR_MS, 8 * 24 * HOUR_MS]);
    }
  }
  await query(
    `INSERT INTO merchants (id, name) OVERRIDING SYSTEM VALUE SELECT n, 'm ' || n FROM generate_series(1, 2) n`,
  );
  await query(
    `INSERT INTO shops (id, merchant_id, name, provider, provider_credentials, webhook_secret) OVERRIDING SYSTEM VALUE
      SELECT n, 2 - n % 2, 'shop ' || n, 'sandbox', '', '' FROM unnest($1::bigint[]) n`,
    [SHOPS],
  );
  await query(
    `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
      country, status, created_at, updated_at, expires_at)
    SELECT id, merchant_id, 1, 1, 1, 's', 'sandbox', 1, 'EUR', country, (ARRAY['completed', 'failed', 'pending'])[1 + id % 3],
      created_at, created_at, created_at
    FROM json_to_recordset($1) AS p (id bigint, merchant_id bigint, country text, created_at timestamptz)`,
    [JSON.stringify(payments)],
  );
  await query(
    `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at)
    SELECT payment_id, number, shop_id, 'sandbox', started_at FROM json_to_recordset($1)
      AS a (payment_id bigint, number smallint, shop_id bigint, started_at timestamptz)`,
    [JSON.stringify(attempts)],
  );
  await query(
    `UPDATE payment_attempts a SET outcome = e.outcome, ended_at = started_at + interval '1 s'
    FROM json_to_recordset($1) AS e (payment_id bigint, number smallint, outcome text)
    WHERE a.payment_id = e.payment_id AND a.number = e.number`,
    [JSON.stringify(attempts)],
  );
  await database.database.query(COUNT_CHANGES, [new Date(0), attempts.length]);
}

beforeAll(async () => {
  database = await createTestDatabase();
  await plant(new SeededRandom('payments behind cells'));
});
afterAll(() => database.drop());

const service = () => {
  const reads: Pick<ReplicaReads, 'readOnly'> = { readOnly: (work) => database.database.transaction(work) };
  return new ApprovalPayments(reads as ReplicaReads, { now: () => new Date(NOW) });
};

/** The outcomes of attempts on all pages, by payment and number. */
async function listed(filter: PaymentsFilter, limit: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let beforeId = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const { items, nextCursor } = await service().list(1, filter, { limit, beforeId });
    for (const { id, attempts } of items) {
      expect(id).toBeLessThan(beforeId);
      beforeId = id!;
      for (const { number, outcome } of attempts) found.set(`${id}/${number}`, outcome);
    }
    if (nextCursor === null) return found;
    beforeId = decodeCursor(nextCursor);
  }
}

const CELLS = `SELECT coalesce(sum(attempts), 0)::integer AS attempts FROM approval_cells
  WHERE merchant_id = 1 AND NOT by_bin AND hour >= $1 AND hour < $2 AND ($3::bigint IS NULL OR shop_id = $3)
    AND ($4::text IS NULL OR country = $4) AND ($5::text IS NULL OR outcome = $5)`;

async function expectAsCounted(
  [fromHoursAgo, toHoursAgo]: [number, number],
  { shopId, country, outcome }: { shopId?: number; country?: string; outcome?: 'approved' } = {},
  limit = 100,
): Promise<number> {
  const at = (hours: number) => new Date(Math.floor(NOW / HOUR_MS) * HOUR_MS - hours * HOUR_MS).toISOString();
  const [from, to] = [at(fromHoursAgo), at(toHoursAgo)];
  const values = country === undefined ? {} : { country };
  const attempts = await listed({ from, to, shopId, outcome, values }, limit);
  const [cell] = await query<{ attempts: number }>(CELLS, [from, to, shopId, country, outcome]);
  expect([from, to, attempts.size]).toEqual([from, to, cell!.attempts]);
  return attempts.size;
}

describe('payments behind cells', () => {
  it('list as many attempts as the cells count, for every older day and every hour since', async () => {
    let sum = 0;
    for (let hours = OLDEST_DAY; hours > FIRST_HOUR; hours -= 24) sum += await expectAsCounted([hours, hours - 24]);
    for (let hours = FIRST_HOUR; hours >= 0; hours--) sum += await expectAsCounted([hours, hours - 1]);
    expect(sum).toBeGreaterThan(PAYMENTS / 2);
    expect(await expectAsCounted([OLDEST_DAY, -1])).toBe(sum);
  });

  it('list as many attempts as the cells count, with filters and on small pages', async () => {
    for (const hours of [1, 2, 40]) {
      for (const filter of [{}, { shopId: 3 }, { country: '' }, { outcome: 'approved' as const }])
        expect(await expectAsCounted([hours, -1], filter, 7)).toBeGreaterThan(0);
      expect(await expectAsCounted([hours, -1], { shopId: 2 })).toBe(0);
    }
  });

  it('leave out attempts from before the counting began', async () => {
    const since = new Date(Math.floor(NOW / HOUR_MS) * HOUR_MS - 2 * HOUR_MS);
    await query('UPDATE approval_counting SET since = $1', [since]);
    const filter = (hours: number): PaymentsFilter => ({
      from: new Date(NOW - hours * HOUR_MS).toISOString(),
      values: {},
    });
    expect([...(await listed(filter(48), 100))]).toEqual([...(await listed(filter(2), 100))]);
    await query('UPDATE approval_counting SET since = $1', ['epoch']);
  });
});
