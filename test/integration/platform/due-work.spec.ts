import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database, Statement } from '../../../src/platform/database/database.js';
import { DueWork, type WorkKind } from '../../../src/platform/due-work/due-work.js';
import type { ScheduledJob, SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
/** Statements that fail from now on, as when the process has died. */
let dead: boolean;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dead = false;
  await database.pool.query('DELETE FROM due_work');
});

const link = {
  query: async ({ text }: Statement, values: unknown[]) => {
    if (dead) throw new Error('the process has died');
    return (await database.pool.query(text, values)).rows as object[];
  },
} as unknown as Database;

/** A round of the job of a worker. */
const worker = (run: WorkKind['run'], fields: Partial<WorkKind> = {}) => {
  let added: ScheduledJob | undefined;
  const schedule = { add: (job: ScheduledJob) => (added = job) } as unknown as SharedSchedule;
  const kind = { kind: 'a', name: 'a job', everyMs: 1_000, leaseMs: HOUR_MS, batch: 2, run, ...fields };
  new DueWork(link, schedule).register(kind);
  return (stopping = new AbortController().signal): Promise<void> => added!.run(stopping);
};

const add = (subjects: number[], dueAt = 'now()', kind = 'a') =>
  database.pool.query(
    `INSERT INTO due_work (kind, subject_id, due_at) SELECT $2, id, ${dueAt} FROM unnest($1::bigint[]) AS id`,
    [subjects, kind],
  );

/** Each row with the time until it is due, in hours. */
const rows = async (): Promise<string[]> =>
  (
    await database.pool.query<{ line: string }>(
      `SELECT kind || subject_id || ' ' || CASE WHEN isfinite(due_at)
         THEN round(extract(epoch FROM due_at - now()) / 3600)::text ELSE 'stopped' END AS line FROM due_work ORDER BY 1`,
    )
  ).rows.map(({ line }) => line);

describe('DueWork', () => {
  it('DueWork does all that is due of its kind, the longest due first, and nothing else', async () => {
    await add([3, 4], `now() - interval '1 hour'`);
    await add([1, 2, 5]);
    await add([6], `now() + interval '1 hour'`);
    await add([7], `'infinity'`);
    await add([8], 'now()', 'b');
    const done: number[] = [];
    await worker(({ subjectId }) => {
      done.push(subjectId);
      return Promise.resolve(undefined);
    })();
    expect(done.slice(0, 2).toSorted()).toEqual([3, 4]);
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(await rows()).toEqual(['a6 1', 'a7 stopped', 'b8 0']);
  });

  it('DueWork does work again after the delay that it returns, or after the lease if it fails', async () => {
    await add([1, 2]);
    const answers = [2 * HOUR_MS, new Error('no')];
    await worker(({ subjectId }) => {
      const answer = answers[subjectId - 1]!;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    })();
    expect(await rows()).toEqual(['a1 2', 'a2 1']);
  });

  it('DueWork leaves work due that a feature moves while it is done', async () => {
    await add([1, 2]);
    await worker(async ({ subjectId }) => {
      await database.pool.query(`UPDATE due_work SET due_at = now() + interval '3 hours' WHERE subject_id = $1`, [
        subjectId,
      ]);
      return subjectId === 1 ? undefined : HOUR_MS;
    })();
    expect(await rows()).toEqual(['a1 3', 'a2 3']);
  });

  it('DueWork keeps a claim longer than its lease, and ends the work afterwards', async () => {
    await add([1, 2]);
    const seen: string[] = [];
    await worker(
      async ({ subjectId, keep }) => {
        await database.pool.query(`UPDATE due_work SET due_at = due_at - interval '1 ms' WHERE subject_id = 2`);
        if (await keep()) seen.push(`kept ${subjectId}`);
        if (await keep()) seen.push(...(await rows()));
        return undefined;
      },
      { batch: 1, leaseMs: 2 * HOUR_MS },
    )();
    expect(seen).toEqual(['kept 1', 'a1 2', 'a2 0']);
    expect(await rows()).toEqual(['a2 2']);
  });

  it('DueWork keeps no claim for a worker that stops, and leaves the rest of the work to the next one', async () => {
    await add([1]);
    const stop = new AbortController();
    const kept: boolean[] = [];
    await worker(async ({ keep }) => {
      kept.push(await keep());
      stop.abort();
      kept.push(await keep());
      return 0;
    })(stop.signal);
    expect(kept).toEqual([true, false]);
    expect(await rows()).toEqual(['a1 0']);
  });

  it('DueWork gives work to one worker, and to another one when the first has died', async () => {
    await add([1]);
    const done: string[] = [];
    const by = (name: string) =>
      worker(() => {
        done.push(name);
        dead = name === 'dying';
        return Promise.resolve(undefined);
      });
    await by('dying')();
    dead = false;
    expect(await rows()).toEqual(['a1 1']);
    await by('early')();
    await database.pool.query('UPDATE due_work SET due_at = now()');
    await Promise.all([by('one')(), by('other')()]);
    expect(done).toEqual(['dying', expect.stringMatching(/^(one|other)$/)]);
    expect(await rows()).toEqual([]);
  });
});
