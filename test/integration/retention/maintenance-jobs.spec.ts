import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database, Transaction } from '../../../src/platform/database/database.js';
import { type Batch, type BatchJob, MaintenanceJobs } from '../../../src/platform/maintenance/maintenance-jobs.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { SoleWorker } from '../../support/app/sole-worker.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';

describe('MaintenanceJobs', () => {
  let database: TestDatabase;
  const started: SoleWorker[] = [];
  /** When each batch was begun, whether it got the lock or not. */
  let tries: number[];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
  });
  beforeEach(() => {
    tries = [];
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.stop()));
  });
  afterAll(() => database.drop());

  function start(batch: BatchJob['batch'], everyMs = 50, isLogged?: boolean, isShared = false): SoleWorker {
    const watched = {
      transaction: <T>(work: (transaction: Transaction) => Promise<T>) => {
        tries.push(performance.now());
        return (database.database as unknown as Database).transaction(work);
      },
    };
    const worker = new SoleWorker();
    started.push(worker);
    const schedule = worker as unknown as SharedSchedule;
    const job = { name: 'test', everyMs, batch, isShared, ...(isLogged !== undefined && { isLogged }) };
    new MaintenanceJobs(watched as unknown as Database, schedule, new Metrics()).add(job);
    return worker;
  }
  const nothing: Batch = { rows: 0, more: false };

  it('runs batches while there is more, then waits for its interval', async () => {
    let batches = 0;
    start(() => Promise.resolve({ rows: 1, more: ++batches < 3 }), 3_600_000);
    await eventually(() => expect(batches).toBe(3));
  });

  it('tells a job when its batch is committed, and not of one that failed', async () => {
    await database.pool.query('CREATE TABLE jobs (batch integer)');
    let batches = 0;
    const seen: number[] = [];
    start(async (transaction) => {
      batches += 1;
      await transaction.query({ name: 'test.insert', text: 'INSERT INTO jobs VALUES ($1)' }, [batches]);
      if (batches === 1) throw new Error('the first batch fails');
      const committed = (): void =>
        void database.pool.query('SELECT 1 FROM jobs').then(({ rowCount }) => seen.push(rowCount!));
      return { rows: 1, more: false, committed };
    });
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    expect(seen[0]).toBeGreaterThanOrEqual(1);
  });

  it('logs a line for each run that changed rows, unless the job asks for none', async () => {
    const log = jest.spyOn(Logger.prototype, 'log');
    for (const isLogged of [undefined, false]) {
      log.mockClear();
      let batches = 0;
      const worker = start(() => Promise.resolve({ rows: ++batches, more: false }), 1, isLogged);
      await eventually(() => expect(batches).toBeGreaterThan(2));
      await worker.stop();
      expect(log.mock.calls.length > 0).toBe(isLogged === undefined);
    }
    log.mockRestore();
  });

  it('lets one worker at a time do a job', async () => {
    let atOnce = 0;
    let most = 0;
    let batches = 0;
    const batch: BatchJob['batch'] = async (transaction) => {
      most = Math.max(most, ++atOnce);
      await transaction.query({ name: 'test.sleep', text: 'SELECT pg_sleep(0.02)' });
      atOnce -= 1;
      batches += 1;
      return nothing;
    };
    for (let worker = 0; worker < 4; worker++) start(batch, 1);
    await eventually(() => expect(batches).toBeGreaterThan(10));
    expect(most).toBe(1);
  });

  it('lets several workers do a shared job, but none while an older version does it', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(730511, hashtext('test'))`);
    let atOnce = 0;
    let most = 0;
    let release = (): void => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    const batch: BatchJob['batch'] = async () => {
      most = Math.max(most, ++atOnce);
      if (atOnce === 2) release();
      await both;
      atOnce -= 1;
      return nothing;
    };
    for (let worker = 0; worker < 2; worker++) start(batch, 50, undefined, true);
    await eventually(() => expect(tries.length).toBeGreaterThan(4));
    expect(most).toBe(0);
    await client.query('ROLLBACK');
    client.release();
    await eventually(() => expect(most).toBe(2));
  });

  it('leaves a shared job due for other workers while it is behind, and only then', async () => {
    let batches = 0;
    const worker = start(
      () => Promise.resolve({ rows: 1, more: ++batches < 20, isBehind: true }),
      3_600_000,
      false,
      true,
    );
    await eventually(() => expect(batches).toBe(20));
    expect(worker.postponed).toEqual([]);
    batches = 0;
    const idle = start(() => Promise.resolve({ rows: 0, more: ++batches < 3 }), 3_600_000, false, true);
    await eventually(() => expect(batches).toBe(3));
    expect(idle.postponed).toEqual(['test', 'test']);
  });

  it('continues after a worker died with the lock', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(730511, hashtext('test'))`);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    client.on('error', () => undefined);
    let batches = 0;
    start(() => Promise.resolve((batches++, nothing)));
    await eventually(() => expect(tries.length).toBeGreaterThan(2));
    expect(batches).toBe(0);
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    await eventually(() => expect(batches).toBeGreaterThan(0));
    client.release(true);
  });

  it('waits for the batch under way when it stops, and begins no other', async () => {
    let begun = 0;
    let ended = 0;
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const worker = start(async () => {
      begun += 1;
      await held;
      ended += 1;
      return { rows: 1, more: true };
    });
    await eventually(() => expect(begun).toBe(1));
    const stopped = worker.stop();
    end();
    await stopped;
    expect([begun, ended]).toEqual([1, 1]);
    // a timer of that batch would be due before this one: a pause takes nine times as long as the batch, or 100 ms
    await delay(100 + 9 * (performance.now() - tries[0]!));
    expect(tries).toHaveLength(1);
  });

  it('tries again after a failure, which leaves nothing behind', async () => {
    let batches = 0;
    start(async (transaction) => {
      batches += 1;
      await transaction.query({ name: 'test.insert_half', text: `INSERT INTO merchants (name) VALUES ('half')` });
      if (batches < 3) throw new Error('the database is away');
      return nothing;
    });
    const count = async () => (await database.pool.query(`SELECT FROM merchants WHERE name = 'half'`)).rowCount;
    await eventually(async () => expect(await count()).toBeGreaterThan(0));
    expect(batches).toBeGreaterThanOrEqual(3);
    expect(await count()).toBeLessThanOrEqual(batches - 2);
  });
});
