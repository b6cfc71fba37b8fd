import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { COUNT_REFUSED } from '../../../../src/flows/routing/flow.queries.js';
import {
  COMPACT_ROLLOUT_COUNTS,
  ROLLOUT_COUNTS,
  type RolloutCount,
} from '../../../../src/flows/rollouts/rollout-counts.js';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database.js';
import { aMerchant } from '../flows-harness.js';

const BASE = 1;
const CANDIDATE = 2;
const PER_PAYMENT = `SELECT rollout_stage AS stage, flow_version = ${CANDIDATE} AS candidate,
    hashint8(coalesce(customer_id, id)) & 255 AS cluster, count(*)::bigint AS payments,
    count(*) FILTER (WHERE status IN ('completed', 'refunded') OR (status <> 'failed' AND amount_authorized > 0))::bigint AS approved,
    count(*) FILTER (WHERE status = 'failed')::bigint AS declined, 0::bigint AS refused
  FROM payments WHERE rollout_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

let database: TestDatabase;
let rollout: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const merchant = await aMerchant(database);
  const { rows } = await database.pool.query<{ id: number }>(
    `WITH flow AS (INSERT INTO flows (merchant_id, name, active_version) VALUES ($1, 'checkout', ${BASE}) RETURNING id)
    INSERT INTO flow_rollouts (flow_id, merchant_id, version, base_version, percent, key, started_by)
    SELECT id, $1, ${CANDIDATE}, ${BASE}, 50, 'payment', 'test' FROM flow RETURNING id`,
    [merchant],
  );
  rollout = rows[0]!.id;
});

afterAll(() => database?.drop());

async function aPayment(version: number, { customer, stage = 1, authorized = 0 }: PaymentFacts = {}): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id, payment_provider, amount,
       currency, created_at, updated_at, expires_at, amount_authorized, rollout_id, rollout_stage)
     VALUES (1, 1, 1, $1, $2, 'ps_test', 'sandbox', 100, 'USD', now(), now(), now(), $3, $4, $5) RETURNING id`,
    [version, customer ?? null, authorized, rollout, stage],
  );
  return rows[0]!.id;
}
interface PaymentFacts {
  customer?: number;
  stage?: number;
  authorized?: number;
}
const set = (id: number, status: string, authorized = 0) =>
  database.pool.query(
    'UPDATE payments SET status = $2, amount_authorized = greatest(amount_authorized, $3) WHERE id = $1',
    [id, status, authorized],
  );
const counts = async (): Promise<RolloutCount[]> =>
  (await database.pool.query<RolloutCount>(ROLLOUT_COUNTS.text, [rollout])).rows;
const countedFromPayments = async (): Promise<RolloutCount[]> =>
  (await database.pool.query<RolloutCount>(PER_PAYMENT, [rollout])).rows;
const sumOf = (rows: RolloutCount[], field: 'payments' | 'approved' | 'declined' | 'refused') =>
  rows.reduce((sum, row) => sum + row[field], 0);

it('a payment of a rollout counts by its outcome, as often as its outcome changes', async () => {
  const completed = await aPayment(CANDIDATE, { customer: 7 });
  const corrected = await aPayment(CANDIDATE, { customer: 7 });
  const voided = await aPayment(BASE, { customer: 8, stage: 2 });
  const declinedAfterwards = await aPayment(BASE);
  const cancelled = await aPayment(BASE);
  await aPayment(CANDIDATE);
  const steps: [number, string, number?][] = [
    [completed, 'processing'],
    [completed, 'completed', 100],
    [completed, 'refunded'],
    [corrected, 'failed'],
    [corrected, 'completed', 100],
    [voided, 'processing'],
    [voided, 'processing', 100],
    [voided, 'cancelled'],
    [declinedAfterwards, 'processing', 100],
    [declinedAfterwards, 'failed'],
    [cancelled, 'cancelled'],
  ];
  for (const [id, status, authorized] of steps) {
    await set(id, status, authorized);
    expect(await counts()).toEqual(await countedFromPayments());
  }
  const all = await counts();
  expect([sumOf(all, 'payments'), sumOf(all, 'approved'), sumOf(all, 'declined')]).toEqual([6, 3, 1]);
});

it('a payment that is rolled back leaves no count, and one of no rollout adds none', async () => {
  const before = await counts();
  const session = await database.pool.connect();
  try {
    await session.query('BEGIN');
    await session.query(
      `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
        created_at, updated_at, expires_at, rollout_id, rollout_stage)
      SELECT 1, 1, 1, 1, 'ps_test', 'sandbox', 100, 'USD', now(), now(), now(), $1, 1 FROM generate_series(1, 100)`,
      [rollout],
    );
    await session.query('ROLLBACK');
  } finally {
    session.release();
  }
  await database.pool.query(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
      created_at, updated_at, expires_at) VALUES (1, 1, 1, 1, 'ps_test', 'sandbox', 100, 'USD', now(), now(), now())`,
  );
  expect(await counts()).toEqual(before);
});

it('payments of many connections are counted without waits, and rows of past hours are summed up, also after the end', async () => {
  const payments = Array.from({ length: 60 }, (_, index) => aPayment(1 + (index % 2), { customer: index % 5 }));
  for (const id of await Promise.all(payments)) await set(id, id % 3 === 0 ? 'failed' : 'completed');
  expect(await counts()).toEqual(await countedFromPayments());
  const refused = Array.from({ length: 40 }, (_, index) => [rollout, 1, index % 2 === 0, index % 5]);
  await Promise.all(refused.map((values) => database.pool.query(COUNT_REFUSED.text, values)));
  const before = await counts();
  expect(sumOf(before, 'refused')).toBe(40);
  await database.pool.query(
    `UPDATE flow_rollouts SET status = 'aborted', end_cause = 'requested', ended_at = now() WHERE id = $1`,
    [rollout],
  );
  const compact = async () =>
    (await database.pool.query<{ rows: number }>(COMPACT_ROLLOUT_COUNTS.text, [20])).rows[0]!.rows;
  expect(await compact()).toBe(0);
  await database.pool.query('UPDATE flow_rollout_counts SET slot = slot - (3::bigint << 22)');
  let rows = 0;
  for (let batch = await compact(); batch > 0; batch = await compact()) rows += batch;
  expect(rows).toBeGreaterThan(20);
  expect(await counts()).toEqual(before);
  const { rows: left } = await database.pool.query<{ slot: number }>('SELECT DISTINCT slot FROM flow_rollout_counts');
  expect(left).toEqual([{ slot: 0 }]);
});
