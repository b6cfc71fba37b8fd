import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../../../src/platform/database/database.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import type { AttemptRecord, ClaimedRow } from '../../../src/webhooks/delivery/delivery-store.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/delivery/postgres-delivery-store.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { revertTo } from '../../support/upgrade/schema.js';
import { OLD_APPEND, OLD_CLAIM, OLD_RECORD, OLD_RETRY } from './old-statements.js';

const LANES = [1, 2, 3, 4, 5];
/** Longer than any step of a test. */
const LEASE_MS = 600_000;
const BEFORE = 4_000;

interface OldRow {
  id: number;
  payment_id: number;
  lease: string;
  attempts: number;
}

/** What was posted, in order. */
interface Post {
  id: number;
  paymentId: number;
  attempt: number;
}

/** As processes of the version before write it. */
const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

describe('a running system that is moved over', () => {
  let database: TestDatabase;
  let posts: Post[];
  let nextPayment: number;
  let inserted: number;

  beforeEach(async () => {
    [posts, nextPayment, inserted] = [[], 0, 0];
    database = await createTestDatabase();
    await revertTo(database, 'DeliveryQueue');
  });
  afterEach(() => database.drop());

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.pool.query<Row>(text, values)).rows;

  /** Payments with two changes each, as an old API process writes them. */
  async function pay(count: number): Promise<void> {
    const payments = Array.from({ length: count }, () => ++nextPayment).flatMap((payment) => [payment, payment]);
    const column = <T>(value: (payment: number) => T) => payments.map(value);
    await query(OLD_APPEND, [
      column(() => 1),
      column(() => 1),
      column((payment) => LANES[payment % LANES.length]),
      payments,
      column(() => 'payment.status_changed'),
      column(() => 'completed'),
      column(() => 'https://shop.example/'),
      column((payment) => `body of ${payment}`),
    ]);
    inserted += payments.length;
  }

  const results = (rows: (OldRow | ClaimedRow)[], status: (row: OldRow | ClaimedRow) => AttemptRecord['status']) =>
    rows.map((row): AttemptRecord => ({
      id: row.id,
      attempts: row.attempts,
      lease: row.lease,
      status: status(row),
      waitMs: 20,
      statusCode: 200,
      error: null,
      startedAt: Date.now() / 1_000,
      durationMs: 1,
      responseBody: 'ok',
    }));
  /** One first attempt in seven fails, for a retry. */
  const outcome = ({ id, attempts }: OldRow | ClaimedRow) => (id % 7 === 0 && attempts === 0 ? 'pending' : 'delivered');
  const post = (rows: (OldRow | ClaimedRow)[]) =>
    posts.push(...rows.map(({ id, payment_id: paymentId, attempts }) => ({ id, paymentId, attempt: attempts + 1 })));

  /** An old worker: claims, posts and records until it is told to stop; answers what it recorded. */
  async function oldWorker(until: { over: boolean }): Promise<number> {
    let recorded = 0;
    while (!until.over) {
      const rows = await query<OldRow>(OLD_CLAIM, [LANES, LANES.map(() => 3), LEASE_MS]);
      post(rows);
      await delay(2);
      const ends = results(rows, outcome);
      const column = <Key extends keyof AttemptRecord>(key: Key) => ends.map((end) => end[key]);
      const done = await query(OLD_RECORD, [
        column('id'),
        column('attempts'),
        column('status'),
        column('waitMs'),
        column('statusCode'),
        column('error'),
        column('startedAt').map(isoTime),
        column('durationMs'),
        column('responseBody'),
        column('lease'),
      ]);
      recorded += done.length;
    }
    return recorded;
  }

  async function newWorker(): Promise<void> {
    const store = new PostgresDeliveryStore(database.database as unknown as Database);
    while ((await query('SELECT 1 FROM pending_deliveries LIMIT 1')).length > 0) {
      const claims = LANES.map((laneId) => ({ laneId, quota: 50, maxBytes: Infinity, withChanges: false }));
      const rows = await store.claim(claims, LEASE_MS);
      post(rows.sort((one, two) => one.id - two.id));
      await store.record(results(rows, outcome));
      if (rows.length === 0) await delay(20);
    }
  }

  it('loses nothing and delivers nothing twice, in order, with old processes running meanwhile', async () => {
    await pay(BEFORE / 2);
    const load = { over: false };
    const workers = [oldWorker(load), oldWorker(load)];
    const api = (async () => {
      while (!load.over) {
        await pay(5);
        await delay(5);
      }
    })();
    await eventually(() => posts.length > 0);
    await migrate(database.url);
    const insertedBefore = inserted;
    await eventually(() => inserted > insertedBefore);
    expect(await query(`SELECT 1 FROM webhook_deliveries WHERE status = 'pending'`)).toEqual([]);
    const recordedByOld = (async () => (await Promise.all(workers)).reduce((sum, count) => sum + count, 0))();
    load.over = true;
    await api;
    expect(await recordedByOld).toBeGreaterThan(0);
    expect((await query('SELECT 1 FROM pending_deliveries')).length).toBeGreaterThan(0);
    await newWorker();
    const rows = await query<{
      id: number;
      payment_id: number;
      status: string;
      attempts: number;
      request_body: string;
    }>('SELECT id, payment_id, status, attempts, request_body FROM all_deliveries');
    expect(rows).toHaveLength(inserted);
    expect(rows.filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect(rows.filter((row) => row.request_body !== `body of ${row.payment_id}`)).toEqual([]);
    expect(new Set(posts.map(({ id, attempt }) => `${id} ${attempt}`)).size).toBe(posts.length);
    expect(posts).toHaveLength(rows.reduce((sum, { attempts }) => sum + attempts, 0));
    expect(inversions()).toEqual([]);
  });

  /** First attempts of a payment that came after that of a later change. */
  function inversions(): Post[] {
    const latest = new Map<number, number>();
    return posts.filter(({ id, paymentId, attempt }) => {
      if (attempt > 1) return false;
      const before = latest.get(paymentId) ?? 0;
      latest.set(paymentId, Math.max(id, before));
      return id < before;
    });
  }

  /** How often a pass of the migration was seen at its end, where it rests: each has its own time. */
  function passesSeen(): () => Promise<number> {
    const ends = new Set<string>();
    return async () => {
      const resting = await query<{ since: string }>(
        `SELECT state_change::text AS since FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle' AND query = 'COMMIT'`,
      );
      for (const { since } of resting) ends.add(since);
      return ends.size;
    };
  }
  const waiting = () => query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'webhook_deliveries'::regclass`);

  it('keeps a lease for its holder, and moves the delivery when it is due again', async () => {
    await pay(1);
    const [held] = await query<OldRow>(OLD_CLAIM, [[2], [1], LEASE_MS]);
    const migrated = migrate(database.url);
    const passes = passesSeen();
    // one of them may be the migration before this one
    await eventually(async () => expect(await passes()).toBeGreaterThan(2));
    expect(await query('SELECT 1 FROM pending_deliveries')).toEqual([]);
    const end = results([held!], () => 'pending')[0]!;
    const values = [end.id, end.attempts, end.status, 3_600_000, 500, null, isoTime(end.startedAt), 1, 'no', end.lease];
    expect(
      await query(
        OLD_RECORD,
        values.map((value) => [value]),
      ),
    ).toHaveLength(1);
    await migrated;
    expect(await query('SELECT id, attempts FROM pending_deliveries ORDER BY id')).toEqual([
      { id: held!.id, attempts: 1 },
      { id: held!.id + 1, attempts: 0 },
    ]);
  });

  it('takes what an old API process retries, and shows deliveries of before with their body', async () => {
    await pay(2);
    await query(`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, attempts = 4`);
    await migrate(database.url);
    const [first] = await query<{ id: number }>('SELECT id FROM webhook_deliveries ORDER BY id');
    expect(await query(OLD_RETRY, [first!.id])).toEqual([{ id: first!.id }]);
    expect(await query('SELECT status, attempts, request_body FROM all_deliveries ORDER BY id LIMIT 2')).toEqual([
      { status: 'pending', attempts: 4, request_body: 'body of 1' },
      { status: 'failed', attempts: 4, request_body: 'body of 1' },
    ]);
    expect(await query('SELECT 1 FROM webhook_deliveries')).toHaveLength(3);
  });

  it('waits briefly for a lock that somebody holds for long, and then goes on', async () => {
    await pay(1);
    const long = new pg.Client({ connectionString: database.url });
    await long.connect();
    await long.query('BEGIN');
    await long.query('SELECT count(*) FROM webhook_deliveries');
    const migrated = migrate(database.url);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    await eventually(async () => expect(await waiting()).toEqual([]));
    await pay(1);
    await long.query('COMMIT');
    await long.end();
    await migrated;
    expect(await query('SELECT 1 FROM pending_deliveries')).toHaveLength(4);
  });
});
