import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../../../src/platform/database/database.js';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import type { ClaimedRow } from '../../../src/webhooks/engine/delivery-store.js';
import { claimOn } from '../../../src/webhooks/engine/claim.queries.js';
import { DUE_LANES } from '../../../src/webhooks/engine/due-lanes.queries.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { eventually } from '../../support/eventually.js';
import { attemptRecord } from './delivery-store-conformance.js';
import { explained } from './explained.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';

const LEASE_MS = 60_000;

interface Seed {
  lane?: number;
  payment?: number;
  body?: string;
  /** Seconds from now. */
  dueIn?: number;
  count?: number;
}

describe('PostgresDeliveryStore', () => {
  let database: TestDatabase;
  let store: PostgresDeliveryStore;
  let other: PostgresDeliveryStore;

  beforeEach(async () => {
    await earlyIn(DAY_MS);
    database = await createTestDatabase();
    [store, other] = [1, 2].map(() => new PostgresDeliveryStore(database.database as unknown as Database)) as [
      PostgresDeliveryStore,
      PostgresDeliveryStore,
    ];
  });
  afterEach(() => database.drop());

  async function seed({ lane = 1, payment, body = 'body', dueIn = -10, count = 1 }: Seed = {}): Promise<number[]> {
    const { rows } = await database.pool.query<{ id: number }>(
      `WITH made AS MATERIALIZED (
        SELECT nextval('webhook_deliveries_id_seq') AS id, (now() AT TIME ZONE 'UTC')::date AS day
        FROM generate_series(1, $1)
      ), bodies AS (INSERT INTO webhook_bodies SELECT day, id, $2 FROM made)
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day,
        body_bytes, event, payment_status, webhook_endpoint)
      SELECT id, now() + $3 * interval '1 s', $4, coalesce($5::bigint, id + 1000000), 1, 1, now(), day,
        octet_length($2), 'e', 'completed', 'https://shop.example/' FROM made ORDER BY id RETURNING id`,
      [count, body, dueIn, lane, payment ?? null],
    );
    return rows.map(({ id }) => id);
  }
  const claim = (by = store, quota = 100) =>
    by.claim([{ laneId: 1, quota, maxBytes: Infinity, withSuccessors: false }], LEASE_MS);
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((one, two) => one - two);
  const expireLeases = () =>
    database.pool.query(`UPDATE pending_deliveries SET claimed_until = now() - interval '1 ms'`);

  it('returns the exact body, even from another day', async () => {
    const [id] = await seed({ body: 'é€ "exact"' });
    await database.pool.query(`UPDATE webhook_bodies SET day = day - 40`);
    await database.pool.query(`UPDATE pending_deliveries SET body_day = body_day - 40`);
    expect(await claim()).toEqual([expect.objectContaining({ id, request_body: 'é€ "exact"' })]);
  });

  it('returns the trace of a body if tracing is on or the body is from another day', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const [id] = await seed();
    await database.pool.query('UPDATE webhook_bodies SET traceparent = $1', [traceparent]);
    const values = [[1], [100], [Infinity], [-Infinity], 0, [false]];
    const claimed = async (isTraced: boolean) =>
      (await database.pool.query<ClaimedRow>(claimOn(new Date().toISOString().slice(0, 10), isTraced).text, values))
        .rows;
    expect(await claimed(true)).toMatchObject([{ id, traceparent }]);
    expect((await claimed(false))[0]).not.toHaveProperty('traceparent');
    await database.pool.query(`UPDATE webhook_bodies SET day = day - 40`);
    await database.pool.query(`UPDATE pending_deliveries SET body_day = body_day - 40`);
    expect(await claim()).toMatchObject([{ id, traceparent }]);
  });

  it('moves a finished delivery out of the queue once', async () => {
    await seed();
    const [row] = (await claim()) as [ClaimedRow];
    const answers = await Promise.all([store.record([attemptRecord(row)]), other.record([attemptRecord(row)])]);
    expect(answers.flat()).toMatchObject([{ id: row.id }]);
    const { rows } = await database.pool.query('SELECT status, attempts, request_body FROM all_deliveries');
    expect(rows).toEqual([{ status: 'delivered', attempts: 1, request_body: 'body' }]);
  });

  it.each([
    { what: 'results', retriedOf: 3 },
    { what: 'successful results', retriedOf: Infinity },
  ])('records concurrent $what of many workers in any order without a deadlock', async ({ retriedOf }) => {
    await seed({ count: 200 });
    const rows = await claim(store, 200);
    const results = rows.map((row, index) =>
      attemptRecord(row, (index + 1) % retriedOf === 0 ? { status: 'pending', waitMs: 60_000 } : {}),
    );
    const answers = await Promise.all(
      [results, results.toReversed(), results.slice(50), results.toReversed().slice(50)].map((some) =>
        store.record(some),
      ),
    );
    const recorded = answers.flat().map(({ id }) => id);
    expect(recorded.sort((one, two) => one - two)).toEqual(idsOf(rows));
  });

  it('claims deliveries of a dead worker below the scan cursor after their lease', async () => {
    const lost = await seed({ dueIn: -3_600, count: 3 });
    expect(idsOf(await claim(other, 3))).toEqual(lost);
    const young = await seed({ dueIn: -1 });
    expect(idsOf(await claim())).toEqual(young);
    expect(await claim()).toEqual([]);
    await expireLeases();
    await eventually(async () => expect(idsOf(await claim())).toEqual(expect.arrayContaining(lost)));
  });

  it('claims deliveries below the scan cursor after a scan has found their lane', async () => {
    const lost = await seed({ dueIn: -3_600 });
    await claim(other, 3);
    await seed({ dueIn: -1 });
    await claim();
    await database.pool.query(`UPDATE pending_deliveries SET claimed_until = '-infinity' WHERE id = $1`, lost);
    await store.dueLanes();
    expect(idsOf(await claim())).toEqual(lost);
  });

  it('claims deliveries below the scan cursor after a release or the record of a predecessor', async () => {
    const [first] = await seed({ payment: 5, dueIn: -3_600 });
    const [second] = await seed({ payment: 5, dueIn: -3_599 });
    const [row] = (await claim()) as [ClaimedRow];
    expect(row.id).toBe(first);
    await seed({ dueIn: -1 });
    await claim();
    await store.release([row]);
    const [again] = (await claim()) as [ClaimedRow];
    expect(again.id).toBe(first);
    await seed({ dueIn: -1 });
    await claim();
    await store.record([attemptRecord(again, { status: 'pending', waitMs: 60_000 })]);
    expect(idsOf(await claim())).toEqual([second]);
  });

  it('claims a delivery of a late commit below the scan cursor', async () => {
    const writer = await database.pool.connect();
    await writer.query('BEGIN');
    await writer.query(
      `INSERT INTO pending_deliveries (due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
        event, payment_status, webhook_endpoint) VALUES (now() - interval '20 s', 1, 1, 1, 1, now(), now()::date, 1, 'e',
        'completed', 'https://shop.example/')`,
    );
    await writer.query(
      `INSERT INTO webhook_bodies SELECT body_day, id, 'b' FROM pending_deliveries WHERE payment_id = 1`,
    );
    await seed({ dueIn: -1 });
    await claim();
    await writer.query('COMMIT');
    writer.release();
    await eventually(async () => expect(await claim()).toHaveLength(1));
  });

  it('finds a due lane despite the backlog of another lane', async () => {
    await seed({ lane: 1, count: 12_000, dueIn: -3_600 });
    await store.dueLanes();
    await seed({ lane: 2, dueIn: -1_800 });
    await eventually(async () => expect((await store.dueLanes()).map((lane) => lane.lane_id)).toContain(2));
  });

  it('returns due lanes longest overdue first, with is_unanswered and is_held', async () => {
    await seed({ lane: 1, dueIn: -10, count: 2 });
    await seed({ lane: 2, dueIn: -20 });
    await seed({ lane: 3, dueIn: 60 });
    await database.pool.query(`UPDATE pending_deliveries SET attempts = 1, last_error = 'timeout' WHERE lane_id = 2`);
    await claim(other, 1);
    expect(await store.dueLanes()).toMatchObject([
      { lane_id: 2, is_held: false, is_unanswered: true },
      { lane_id: 1, is_held: true, is_unanswered: false },
    ]);
  });

  it('scans for due lanes without reading retries that are due later', async () => {
    await database.pool.query(
      `INSERT INTO pending_deliveries (due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
        attempts, event, payment_status, webhook_endpoint)
      SELECT now() + interval '1 h', n, n, 1, 1, now(), now()::date, 1, 1, 'e', 'completed', 'https://shop.example/'
      FROM generate_series(1, 20000) n`,
    );
    await seed({ lane: 5, dueIn: -10 });
    const values = [1_000, '-infinity', 0, 2_000];
    const { reads, rows } = await withClient((client) => explained(client, DUE_LANES, values, 'generic'));
    expect(reads).toContain('pending_deliveries by pending_deliveries_due_at_id');
    expect(rows).toBeLessThan(10);
    expect(await store.dueLanes()).toMatchObject([{ lane_id: 5 }]);
  });

  it('claims above the scan cursor without reading dead tuples that an old snapshot keeps', async () => {
    const old = await database.pool.connect();
    await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await old.query('SELECT count(*) FROM pending_deliveries');
    await seed({ count: 30_000, dueIn: -60 });
    await endDeliveries(database.pool, 'true', [], { status: 'delivered' });
    const buffers = (scanFrom: number) =>
      withClient(async (client) => {
        const values = `'{1}', '{100}', '{Infinity}', '{${scanFrom}}', 5000, '{true}'`;
        const today = new Date().toISOString().slice(0, 10);
        await client.query(`PREPARE claim AS ${claimOn(today).text}`);
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number } }[] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE claim (${values})`,
        );
        return rows[0]!['QUERY PLAN'][0]!.Plan['Shared Hit Blocks'];
      });
    expect(await buffers(Date.now() / 1_000 - 1)).toBeLessThan(20);
    expect(await buffers(-Infinity)).toBeGreaterThan(1_000);
    await old.query('ROLLBACK');
    old.release();
  });

  it('uses at most 1.6 bytes of disk per byte of body at 1.2 KB', async () => {
    const count = 8_000;
    for (let done = 0; done < count; done += 2_000) {
      await seed({ count: 2_000, body: 'x'.repeat(1_200) });
      const rows = await claim(store, 2_000);
      await store.record(rows.map((row) => attemptRecord(row)));
    }
    const { rows } = await database.pool.query<{ bytes: number }>(
      `SELECT (pg_total_relation_size('webhook_deliveries') + pg_total_relation_size('webhook_attempts')
        + (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('webhook_bodies')))::float8 AS bytes`,
    );
    expect(rows[0]!.bytes / count / 1_200).toBeLessThanOrEqual(1.6);
  });

  async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await configureSession(client);
      await client.query('BEGIN');
      return await work(client);
    } finally {
      await client.end();
    }
  }
});
