import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database, Queryable } from '../../../src/platform/database/database.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { WorkerTurns } from '../../../src/platform/workers/worker-turns.js';
import { SystemRandom } from '../../../src/shared/random.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase } from '../../support/servers/database.js';

const TURN = 'payment_expiry_turn';
/** Shorter than what lies between two beats: every beat finds a turn that is due. */
const EVERY_BEAT_MS = 1;

interface Worker {
  turns: WorkerTurns;
  /** When it had a turn, ms of this process. */
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
  turnsOfAll: () => number;
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
      joinAll: () => Promise.all(workers.map(({ turns }) => turns.join())),
      turnsOfAll: () => workers.reduce((sum, { ran }) => sum + ran.length, 0),
    });
  } finally {
    await Promise.all(workers.map(({ turns }) => turns.onModuleDestroy()));
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
  const turns = new WorkerTurns(link as unknown as Database, new SystemRandom(), new Metrics());
  const worker: Worker = { turns, ran: [], statements: 0, heardAt: 0, isCutOff: false };
  turns.add({
    turn: TURN,
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

describe('WorkerTurns', () => {
  it.concurrent(
    'gives one worker of many a turn, and none another before its time',
    among(async ({ workers, aWorker, joinAll, turnsOfAll }) => {
      // alone: of those that join within the same moment several may get it
      await aWorker(3_600_000).turns.join();
      for (let index = 1; index < 8; index++) aWorker(3_600_000);
      await joinAll();
      await eventually(() => expect(workers.every(({ statements }) => statements >= 3)).toBe(true));
      expect(turnsOfAll()).toBe(1);
    }),
  );

  it.concurrent(
    'lets every worker have turns when there are enough of them',
    among(async ({ workers, aWorker, joinAll }) => {
      for (let index = 0; index < 4; index++) aWorker(EVERY_BEAT_MS);
      await joinAll();
      await eventually(() => expect(workers.every(({ ran }) => ran.length > 0)).toBe(true));
    }),
  );

  it.concurrent(
    'beats less often the more workers there are',
    among(async ({ workers, aWorker, joinAll }) => {
      for (let index = 0; index < 6; index++) aWorker(3_600_000);
      await joinAll();
      await eventually(() => expect(workers.every(({ turns }) => turns.share(600) === 100)).toBe(true));
      const counted = workers.map(({ statements }) => statements);
      const since = performance.now();
      await eventually(() => expect(workers[0]!.statements - counted[0]!).toBeGreaterThanOrEqual(3));
      const elapsed = performance.now() - since;
      const beats = workers.reduce((sum, { statements }, index) => sum + statements - counted[index]!, 0);
      // one alone beats 3.3 times a second; six together may not beat six times as often
      expect(beats / (elapsed / 1_000)).toBeLessThan(8);
    }),
  );

  it.concurrent(
    'shares what all have together by how many live, and keeps a worker that fell silent in the count for a while',
    among(async ({ aWorker, joinAll }) => {
      const [one, other] = [aWorker(3_600_000), aWorker(3_600_000)];
      await joinAll();
      await eventually(() => expect(one.turns.share(32)).toBe(16));
      other.isCutOff = true;
      await eventually(() => expect(one.turns.share(32)).toBe(32));
      expect(performance.now() - other.heardAt).toBeGreaterThan(6_990);
      other.isCutOff = false;
      await eventually(() => expect(one.turns.share(32)).toBe(16));
      expect(one.turns.share(1)).toBe(1);
    }),
  );

  it.concurrent(
    'passes the turns of a worker that died with one on, at the next beat of another',
    among(async ({ aWorker }) => {
      const dead = aWorker(1_000, () => new Promise(() => undefined));
      await dead.turns.join();
      await eventually(() => expect(dead.ran).toHaveLength(1));
      dead.isCutOff = true;
      const other = aWorker(1_000);
      await other.turns.join();
      await eventually(() => expect(other.ran.length).toBeGreaterThanOrEqual(2));
    }),
  );

  it.concurrent(
    'lets others help with a backlog while one works on it',
    among(async ({ workers, aWorker, joinAll }) => {
      let end = (): void => undefined;
      const backlog = new Promise<void>((resolve) => (end = resolve));
      for (let index = 0; index < 3; index++) aWorker(EVERY_BEAT_MS, () => backlog);
      await joinAll();
      await eventually(() => expect(workers.every(({ ran }) => ran.length === 1)).toBe(true));
      end();
    }),
  );

  it.concurrent(
    'takes a turn that lies further ahead than any worker sets one',
    among(async ({ aWorker, query }) => {
      await query(
        `SELECT setval('${TURN}', (extract(epoch FROM clock_timestamp() + interval '1 day') * 1000)::bigint)`,
      );
      const worker = aWorker(1_000);
      await worker.turns.join();
      await eventually(() => expect(worker.ran.length).toBeGreaterThanOrEqual(1));
    }),
  );

  it.concurrent(
    'puts the next turn off after one that took long, for all workers',
    among(async ({ aWorker }) => {
      const slow = aWorker(1);
      const { turns } = slow;
      const putOffAt = performance.now();
      await turns.putOff(TURN, 2_000);
      await turns.join();
      await eventually(() => expect(slow.ran.length).toBeGreaterThanOrEqual(1));
      expect(slow.ran[0]! - putOffAt).toBeGreaterThan(1_990);
    }),
  );

  it.concurrent(
    'works on through an outage of the database',
    among(async ({ aWorker }) => {
      const worker = aWorker(EVERY_BEAT_MS);
      worker.isCutOff = true;
      await worker.turns.join();
      expect(worker.ran).toEqual([]);
      worker.isCutOff = false;
      await eventually(() => expect(worker.ran.length).toBeGreaterThan(0));
    }),
  );

  it.concurrent(
    'aborts what is under way when it stops, waits for it, and takes no turn afterwards',
    among(async ({ aWorker }) => {
      let ended = false;
      const worker = aWorker(
        EVERY_BEAT_MS,
        (stopping) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve(void (ended = true)))),
      );
      await worker.turns.join();
      await eventually(() => expect(worker.ran).toHaveLength(1));
      await worker.turns.onModuleDestroy();
      expect(ended).toBe(true);
      const { statements } = worker;
      await worker.turns.onModuleDestroy();
      expect(worker.statements).toBe(statements);
    }),
  );
});
