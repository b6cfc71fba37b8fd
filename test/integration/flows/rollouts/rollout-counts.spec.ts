import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import { COUNT_REFUSED } from '../../../../src/flows/routing/flow.queries.js';
import { countsOf, ROLLOUT_COUNTS, type VersionCells } from '../../../../src/flows/rollouts/rollout-counts.js';
import { ROLLOUT_PAYMENTS } from '../../../../src/flows/routing/rollout-counter.js';
import { RolloutsService } from '../../../../src/flows/rollouts/rollouts.service.js';
import { tidy } from '../../../../src/platform/counters/counter.js';
import { CpuScheduler } from '../../../../src/platform/cpu-scheduler/cpu-scheduler.service.js';
import { WorkOwner } from '../../../../src/platform/cpu-scheduler/work-owner.js';
import { Metrics } from '../../../../src/platform/observability/metrics.js';
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
let made = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const merchant = await aMerchant(database);
  const { rows } = await database.pool.query<{ id: number }>(
    `WITH flow AS (INSERT INTO flows (merchant_id, name, active_version) VALUES ($1, $2, ${BASE}) RETURNING id)
    INSERT INTO flow_rollouts (flow_id, merchant_id, version, base_version, percent, key, started_by)
    SELECT id, $1, ${CANDIDATE}, ${BASE}, 50, 'payment', 'test' FROM flow RETURNING id`,
    [merchant, `flow ${++made}`],
  );
  rollout = rows[0]!.id;
});

afterAll(() => database?.drop());

async function aPayment(
  version: number,
  { customer, stage = 1, authorized = 0, provider = 'sandbox' }: PaymentFacts = {},
): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id, payment_provider, amount,
       currency, created_at, updated_at, expires_at, amount_authorized, rollout_id, rollout_stage)
     VALUES (1, 1, 1, $1, $2, 'ps_test', $6, 100, 'USD', now(), now(), now(), $3, $4, $5) RETURNING id`,
    [version, customer ?? null, authorized, rollout, stage, provider],
  );
  return rows[0]!.id;
}
interface PaymentFacts {
  customer?: number;
  stage?: number;
  authorized?: number;
  provider?: string;
}
const set = (id: number, status: string, authorized = 0) =>
  database.pool.query(
    'UPDATE payments SET status = $2, amount_authorized = greatest(amount_authorized, $3) WHERE id = $1',
    [id, status, authorized],
  );
const cells = async (): Promise<VersionCells[]> =>
  (await database.pool.query<VersionCells>(ROLLOUT_COUNTS.text, [rollout])).rows;
const counts = async (): Promise<RolloutCount[]> => (await cells()).flatMap((each) => countsOf(each));
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
  const compact = () => tidy(database.database, ROLLOUT_PAYMENTS, 20, new Date());
  expect(await compact()).toBe(0);
  await database.pool.query('UPDATE flow_rollout_counts SET slot = slot - (3::bigint << 22) WHERE rollout_id = $1', [
    rollout,
  ]);
  let rows = 0;
  for (let batch = await compact(); batch > 0; batch = await compact()) rows += batch;
  expect(rows).toBeGreaterThan(20);
  expect(await counts()).toEqual(before);
  const { rows: left } = await database.pool.query<{ slot: number }>(
    'SELECT DISTINCT slot FROM flow_rollout_counts WHERE rollout_id = $1',
    [rollout],
  );
  expect(left).toEqual([{ slot: 0 }]);
});

it('counts are one row for each stage and version, for any number of customers have paid', async () => {
  for (let customer = 1; customer <= 40; customer++)
    await aPayment(1 + (customer % 2), { customer, stage: 1 + (customer % 3) });
  expect((await cells()).length).toBe(6);
  expect(await counts()).toEqual(await countedFromPayments());
});

it('a comparison waits for its computing time, and its owner pays for it', async () => {
  await database.pool.query(
    `INSERT INTO flow_rollout_counts (rollout_id, stage, candidate, cluster, slot, payments, declined)
    SELECT $1, stage, candidate, cluster, 0, 10, 10
    FROM generate_series(1, 100) stage, (VALUES (false), (true)) v (candidate), generate_series(0, 255) cluster`,
    [rollout],
  );
  const work = new CpuScheduler(new Metrics());
  const rollouts = new RolloutsService(database.database as never, null as never, null as never, null as never, work);
  const owner = new WorkOwner(1);
  const all = await rollouts.counts(rollout, owner);
  expect([all.length, sumOf(all, 'declined')]).toEqual([51_200, 512_000]);
  expect(owner.spentMs).toBeGreaterThanOrEqual(20);
});

describe('payments of the sandbox', () => {
  const outcomes = async (): Promise<number[]> => {
    const all = await counts();
    return [sumOf(all, 'payments'), sumOf(all, 'approved'), sumOf(all, 'declined'), sumOf(all, 'refused')];
  };
  /** Both versions use a shop of each provider. */
  const useShopsOf = (...providers: string[]) =>
    database.pool.query(
      `WITH used AS (
        INSERT INTO shops (merchant_id, name, provider, enabled, provider_credentials, webhook_secret)
        SELECT r.merchant_id, p.provider, p.provider, true, '', '' FROM flow_rollouts r, unnest($2::text[]) p (provider)
        WHERE r.id = $1 RETURNING id)
      INSERT INTO flow_versions (flow_id, version, definition)
      SELECT r.flow_id, v.version, json_build_object('strategy', 'priority', 'shops',
        (SELECT json_agg(json_build_object('shop_id', id)) FROM used))
      FROM flow_rollouts r, (VALUES (${BASE}), (${CANDIDATE})) v (version) WHERE r.id = $1`,
      [rollout, providers],
    );
  const pay = async (): Promise<void> => {
    await set(await aPayment(CANDIDATE, { provider: 'stripe' }), 'completed');
    for (let payment = 0; payment < 3; payment++) await set(await aPayment(CANDIDATE), 'failed');
    await database.pool.query(COUNT_REFUSED.text, [rollout, 1, true, 7]);
  };

  it.each([
    [
      ['sandbox', 'stripe'],
      [1, 1, 0, 1],
    ],
    [['stripe'], [1, 1, 0, 1]],
    [['sandbox'], [4, 1, 3, 1]],
  ])('in a rollout over shops of %j, counts are %j', async (providers, expected) => {
    await useShopsOf(...providers);
    await pay();
    expect(await outcomes()).toEqual(expected);
  });

  it('a payment that a later attempt moves to a real shop counts there only, and the other way round', async () => {
    await useShopsOf('sandbox', 'stripe');
    const move = (id: number, provider: string) =>
      database.pool.query('UPDATE payments SET payment_provider = $2 WHERE id = $1', [id, provider]);
    const moved = await aPayment(BASE);
    expect(await outcomes()).toEqual([0, 0, 0, 0]);
    await move(moved, 'stripe');
    await set(moved, 'completed');
    expect(await outcomes()).toEqual([1, 1, 0, 0]);
    await move(moved, 'sandbox');
    expect(await outcomes()).toEqual([0, 0, 0, 0]);
  });
});
