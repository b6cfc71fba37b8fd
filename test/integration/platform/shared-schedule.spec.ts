import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database, Queryable } from '../../../src/platform/database/database.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { SystemRandom } from '../../../src/shared/random.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase } from '../../support/servers/database.js';

const TASK = 'test task';
/** Shorter than the time between two heartbeats: every heartbeat finds the task due. */
const EVERY_HEARTBEAT_MS = 1;

interface Worker {
  schedule: SharedSchedule;
  /** Times at which it started the task, in ms of this process. */
  ran: number[];
  /** Number of statements that it sent. */
  statements: number;
  /** Time of the last statement that reached the server, in ms of this process. */
  lastStatementAt: number;
  isCutOff: boolean;
}

type Run = (stopping: AbortSignal) => Promise<void>;

/** The workers of one test, on its own database: the tests run concurrently. */
interface Fixture {
  query: (text: string) => Promise<unknown>;
  workers: Worker[];
  aWorker: (everyMs: number, run?: Run) => Worker;
  joinAll: () => Promise<unknown>;
  runsOfAll: () => number;
}

const among = (test: (fixture: Fixture) => Promise<void>) => async (): Promise<void> => {
  const database = await createTestDatabase();
  const workers: Worker[] = [];
  try {
    await test({
      query: (text) => database.pool.query(text),
      workers,
      aWorker: (everyMs, run) => {
        const worker = aWorker(database.database, everyMs, run);
        workers.push(worker);
        return worker;
      },
      joinAll: () => Promise.all(workers.map(({ schedule }) => schedule.join())),
      runsOfAll: () => workers.reduce((sum, { ran }) => sum + ran.length, 0),
    });
  } finally {
    await Promise.all(workers.map(({ schedule }) => schedule.onModuleDestroy()));
    await database.drop();
  }
};

function aWorker(database: Queryable, everyMs: number, run: Run = () => Promise.resolve()): Worker {
  const link = {
    query: (...call: Parameters<Queryable['query']>) => {
      worker.statements += 1;
      if (worker.isCutOff) return Promise.reject(new Error('cut off'));
      worker.lastStatementAt = performance.now();
      return database.query(...call);
    },
  };
  const schedule = new SharedSchedule(link as unknown as Database, new SystemRandom(), new Metrics());
  const worker: Worker = { schedule, ran: [], statements: 0, lastStatementAt: 0, isCutOff: false };
  schedule.add({
    name: TASK,
    everyMs,
    run: (stopping) => {
      worker.ran.push(performance.now());
      return run(stopping);
    },
  });
  return worker;
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

describe('SharedSchedule', () => {
  it.concurrent(
    'runs a task on one of many workers, and not again before its next time',
    among(async ({ workers, aWorker, joinAll, runsOfAll }) => {
      for (let index = 0; index < 8; index++) aWorker(3_600_000);
      await joinAll();
      await eventually(() => expect(workers.every(({ statements }) => statements >= 3)).toBe(true));
      expect(runsOfAll()).toBe(1);
    }),
  );

  it.concurrent(
    'runs a frequent task on every worker',
    among(async ({ workers, aWorker, joinAll }) => {
      for (let index = 0; index < 4; index++) aWorker(EVERY_HEARTBEAT_MS);
      await joinAll();
      await eventually(() => expect(workers.every(({ ran }) => ran.length > 0)).toBe(true));
    }),
  );

  it.concurrent(
    'sends fewer heartbeats per worker with more workers',
    among(async ({ workers, aWorker, joinAll }) => {
      for (let index = 0; index < 6; index++) aWorker(3_600_000);
      await joinAll();
      await eventually(() => expect(workers.every(({ schedule }) => schedule.live === 6)).toBe(true));
      const counted = workers.map(({ statements }) => statements);
      const since = performance.now();
      await eventually(() => expect(workers[0]!.statements - counted[0]!).toBeGreaterThanOrEqual(3));
      const elapsed = performance.now() - since;
      const heartbeats = workers.reduce((sum, { statements }, index) => sum + statements - counted[index]!, 0);
      // one worker sends 3.3 a second; six together do not send six times as many
      expect(heartbeats / (elapsed / 1_000)).toBeLessThan(8);
    }),
  );

  it.concurrent(
    'counts live workers, including one that stopped sending heartbeats recently',
    among(async ({ aWorker, joinAll, query }) => {
      const [one, other] = [aWorker(3_600_000), aWorker(3_600_000)];
      await joinAll();
      await eventually(() => expect(one.schedule.live).toBe(2));
      other.isCutOff = true;
      // a heartbeat counts for 7 s, of which 2 are left
      await query(`UPDATE worker_beats SET until = until - interval '5 s'`);
      await eventually(() => expect(one.schedule.live).toBe(1));
      expect(performance.now() - other.lastStatementAt).toBeGreaterThan(1_990);
      other.isCutOff = false;
      await eventually(() => expect(one.schedule.live).toBe(2));
    }),
  );

  it.concurrent(
    'runs a task again at its next time on another worker when its worker died',
    among(async ({ aWorker }) => {
      const dead = aWorker(1_000, () => new Promise(() => undefined));
      await dead.schedule.join();
      await eventually(() => expect(dead.ran).toHaveLength(1));
      dead.isCutOff = true;
      const other = aWorker(1_000);
      await other.schedule.join();
      await eventually(() => expect(other.ran.length).toBeGreaterThanOrEqual(2));
    }),
  );

  it.concurrent(
    'runs a task on other workers concurrently while one works on a backlog',
    among(async ({ workers, aWorker, joinAll }) => {
      let end = (): void => undefined;
      const backlog = new Promise<void>((resolve) => (end = resolve));
      for (let index = 0; index < 3; index++) aWorker(EVERY_HEARTBEAT_MS, () => backlog);
      await joinAll();
      await eventually(() => expect(workers.every(({ ran }) => ran.length === 1)).toBe(true));
      end();
    }),
  );

  it.concurrent(
    'runs a task whose next time is further ahead than any worker sets it',
    among(async ({ aWorker, query }) => {
      await query(
        `INSERT INTO scheduled_tasks (name, next_run_at) VALUES ('${TASK}', clock_timestamp() + interval '1 day')`,
      );
      const worker = aWorker(1_000);
      await worker.schedule.join();
      await eventually(() => expect(worker.ran.length).toBeGreaterThanOrEqual(1));
    }),
  );

  it.concurrent(
    'postpones the next run for all workers',
    among(async ({ aWorker }) => {
      const slow = aWorker(1);
      const { schedule } = slow;
      const postponedAt = performance.now();
      await schedule.postpone(TASK, 2_000);
      await schedule.join();
      await eventually(() => expect(slow.ran.length).toBeGreaterThanOrEqual(1));
      expect(slow.ran[0]! - postponedAt).toBeGreaterThan(1_990);
    }),
  );

  it.concurrent(
    'continues after an outage of the database',
    among(async ({ aWorker }) => {
      const worker = aWorker(EVERY_HEARTBEAT_MS);
      worker.isCutOff = true;
      await worker.schedule.join();
      expect(worker.ran).toEqual([]);
      worker.isCutOff = false;
      await eventually(() => expect(worker.ran.length).toBeGreaterThan(0));
    }),
  );

  it.concurrent(
    'aborts the running task when it stops, waits for it, and runs no task afterwards',
    among(async ({ aWorker }) => {
      let ended = false;
      const worker = aWorker(
        EVERY_HEARTBEAT_MS,
        (stopping) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve(void (ended = true)))),
      );
      await worker.schedule.join();
      await eventually(() => expect(worker.ran).toHaveLength(1));
      await worker.schedule.onModuleDestroy();
      expect(ended).toBe(true);
      const { statements } = worker;
      await worker.schedule.onModuleDestroy();
      expect(worker.statements).toBe(statements);
    }),
  );
});
