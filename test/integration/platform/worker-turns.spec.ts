import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database } from '../../../src/platform/database/database.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { WorkerTurns } from '../../../src/platform/workers/worker-turns.js';
import { SystemRandom } from '../../../src/shared/random.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

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

let database: TestDatabase;
let workers: Worker[];

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await createTestDatabase();
});
beforeEach(async () => {
  workers = [];
  await database.pool.query(`SELECT setval('${TURN}', 1)`);
  await database.pool.query('TRUNCATE worker_beats');
});
afterEach(() => Promise.all(workers.map(({ turns }) => turns.onModuleDestroy())));
afterAll(() => database.drop());

function aWorker(everyMs: number, run: (stopping: AbortSignal) => Promise<void> = () => Promise.resolve()): Worker {
  const link = {
    query: (...call: Parameters<Database['query']>) => {
      worker.statements += 1;
      if (worker.isCutOff) return Promise.reject(new Error('cut off'));
      worker.heardAt = performance.now();
      return database.database.query(...call);
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
  workers.push(worker);
  return worker;
}

const turnsOfAll = (): number => workers.reduce((sum, { ran }) => sum + ran.length, 0);
const joinAll = () => Promise.all(workers.map(({ turns }) => turns.join()));

describe('WorkerTurns', () => {
  it('gives one worker of many a turn, and none another before its time', async () => {
    // alone: of those that join within the same moment several may get it
    await aWorker(3_600_000).turns.join();
    for (let index = 1; index < 8; index++) aWorker(3_600_000);
    await joinAll();
    await eventually(() => expect(workers.every(({ statements }) => statements >= 3)).toBe(true));
    expect(turnsOfAll()).toBe(1);
  });

  it('lets every worker have turns when there are enough of them', async () => {
    for (let index = 0; index < 4; index++) aWorker(EVERY_BEAT_MS);
    await joinAll();
    await eventually(() => expect(workers.every(({ ran }) => ran.length > 0)).toBe(true));
  });

  it('beats less often the more workers there are', async () => {
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
  });

  it('shares what all have together by how many live, and keeps a worker that fell silent in the count for a while', async () => {
    const [one, other] = [aWorker(3_600_000), aWorker(3_600_000)];
    await joinAll();
    await eventually(() => expect(one.turns.share(32)).toBe(16));
    other.isCutOff = true;
    await eventually(() => expect(one.turns.share(32)).toBe(32));
    expect(performance.now() - other.heardAt).toBeGreaterThan(6_990);
    other.isCutOff = false;
    await eventually(() => expect(one.turns.share(32)).toBe(16));
    expect(one.turns.share(1)).toBe(1);
  });

  it('passes the turns of a worker that died with one on, at the next beat of another', async () => {
    const dead = aWorker(1_000, () => new Promise(() => undefined));
    await dead.turns.join();
    await eventually(() => expect(dead.ran).toHaveLength(1));
    dead.isCutOff = true;
    const other = aWorker(1_000);
    await other.turns.join();
    await eventually(() => expect(other.ran.length).toBeGreaterThanOrEqual(2));
  });

  it('lets others help with a backlog while one works on it', async () => {
    let end = (): void => undefined;
    const backlog = new Promise<void>((resolve) => (end = resolve));
    for (let index = 0; index < 3; index++) aWorker(EVERY_BEAT_MS, () => backlog);
    await joinAll();
    await eventually(() => expect(workers.every(({ ran }) => ran.length === 1)).toBe(true));
    end();
  });

  it('takes a turn that lies further ahead than any worker sets one', async () => {
    await database.pool.query(
      `SELECT setval('${TURN}', (extract(epoch FROM clock_timestamp() + interval '1 day') * 1000)::bigint)`,
    );
    const worker = aWorker(1_000);
    await worker.turns.join();
    await eventually(() => expect(worker.ran.length).toBeGreaterThanOrEqual(1));
  });

  it('puts the next turn off after one that took long, for all workers', async () => {
    const slow = aWorker(1);
    const { turns } = slow;
    const putOffAt = performance.now();
    await turns.putOff(TURN, 2_000);
    await turns.join();
    await eventually(() => expect(slow.ran.length).toBeGreaterThanOrEqual(1));
    expect(slow.ran[0]! - putOffAt).toBeGreaterThan(1_990);
  });

  it('works on through an outage of the database', async () => {
    const worker = aWorker(EVERY_BEAT_MS);
    worker.isCutOff = true;
    await worker.turns.join();
    expect(worker.ran).toEqual([]);
    worker.isCutOff = false;
    await eventually(() => expect(worker.ran.length).toBeGreaterThan(0));
  });

  it('aborts what is under way when it stops, waits for it, and takes no turn afterwards', async () => {
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
  });
});
