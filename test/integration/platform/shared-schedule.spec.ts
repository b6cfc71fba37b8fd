import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database, Queryable } from '../../../src/platform/database/database.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { SystemRandom } from '../../../src/shared/random.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase } from '../../support/servers/database.js';

const TASK = 'test task';
/** Shorter than what lies between two heartbeats: every heartbeat finds the task due. */
const EVERY_HEARTBEAT_MS = 1;

interface Worker {
  schedule: SharedSchedule;
  /** When it began to run the task, ms of this process. */
  ran: number[];
  /** Statements that it sent. */
  statements: number;
  /** When it sent the last of them that was let through, ms of this process. */
  heardAt: number;
  isCutOff: boolean;
}

type Run = (stopping: AbortSignal) => Promise<void>;

/** The workers of one test, on a database of its own: the tests wait side by side. */
interface World {
  query: (text: string) => Promise<unknown>;
  workers: Worker[];
  aWorker: (everyMs: number, run?: Run) => Worker;
  joinAll: () => Promise<unknown>;
  runsOfAll: () => number;
}

const among = (test: (world: World) => Promise<void>) => async (): Promise<void> => {
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
      worker.heardAt = performance.now();
      return database.query(...call);
    },
  };
  const schedule = new SharedSchedule(link as unknown as Database, new SystemRandom(), new Metrics());
  const worker: Worker = { schedule, ran: [], statements: 0, heardAt: 0, isCutOff: false };
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
    'lets one worker of many run a task, and none again before its time',
    among(async ({ workers, aWorker, joinAll, runsOfAll }) => {
      for (let index = 0; index < 8; index++) aWorker(3_600_000);
      await joinAll();
      await eventually(() => expect(workers.every(({ statements }) => statements >= 3)).toBe(true));
      expect(runsOfAll()).toBe(1);
    }),
  );

  it.concurrent(
    'lets every worker run a task that is due often',
    among(async ({ workers, aWorker, joinAll }) => {
      for (let index = 0; index < 4; index++) aWorker(EVERY_HEARTBEAT_MS);
      await joinAll();
      await eventually(() => expect(workers.every(({ ran }) => ran.length > 0)).toBe(true));
    }),
  );

  it.concurrent(
    'sends a heartbeat less often the more workers there are',
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
    'counts the workers that are alive, and keeps one that fell silent in the count for a while',
    among(async ({ aWorker, joinAll }) => {
      const [one, other] = [aWorker(3_600_000), aWorker(3_600_000)];
      await joinAll();
      await eventually(() => expect(one.schedule.live).toBe(2));
      other.isCutOff = true;
      await eventually(() => expect(one.schedule.live).toBe(1));
      expect(performance.now() - other.heardAt).toBeGreaterThan(6_990);
      other.isCutOff = false;
      await eventually(() => expect(one.schedule.live).toBe(2));
    }),
  );

  it.concurrent(
    'runs a task whose worker died in it again at its time, on another worker',
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
    'lets others help with a backlog while one works on it',
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
    'runs a task whose time lies further ahead than any worker sets one',
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
    'works on through an outage of the database',
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
    'aborts what is under way when it stops, waits for it, and runs no task afterwards',
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
