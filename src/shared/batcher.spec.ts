import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batcher } from './batcher.js';

/** Long enough for what is scheduled for the end of this turn to have run. */
const turn = async () => {
  for (let turns = 0; turns < 4; turns++) await nextTurn();
};

/** A `run` whose runs end when told to. */
function controlled() {
  const runs: { inputs: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = (inputs: number[]) =>
    new Promise<number[]>((resolve, reject) =>
      runs.push({ inputs, end: () => resolve(inputs.map((input) => input * 10)), fail: reject }),
    );
  return { run, runs };
}

describe('Batcher', () => {
  it('gathers the calls of one turn and answers each with its own output', async () => {
    const batcher = new Batcher((inputs: number[]) => Promise.resolve(inputs.map((input) => input * 10)), {
      maxSize: 10,
      maxRuns: 1,
    });
    expect(await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])).toEqual([10, 20, 30]);
  });

  it('gathers what comes while its runs are under way', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxRuns: 1 });
    const first = batcher.add(1);
    await turn();
    const later = [batcher.add(2), batcher.add(3)];
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
    runs[0]!.end();
    expect(await first).toBe(10);
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]]);
    runs[1]!.end();
    expect(await Promise.all(later)).toEqual([20, 30]);
  });

  it('runs at most maxSize inputs at once and maxRuns runs beside each other', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 2, maxRuns: 2 });
    const all = [1, 2, 3, 4, 5].map((input) => batcher.add(input));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    runs[1]!.end();
    await turn();
    expect(runs[2]!.inputs).toEqual([5]);
    runs[0]!.end();
    runs[2]!.end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50]);
  });

  it('runs what it has at once while no run was full', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxRuns: 2, spacingMs: 30_000, enough: 3 });
    const all = [batcher.add(1)];
    await turn();
    all.push(batcher.add(2), batcher.add(3));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]]);
    for (const { end } of runs) end();
    expect(await Promise.all(all)).toEqual([10, 20, 30]);
  });

  it('waits for more after a full run, until enough are there', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxRuns: 2, spacingMs: 30_000, enough: 3 });
    const all = [1, 2, 3].map((input) => batcher.add(input));
    await turn();
    all.push(batcher.add(4), batcher.add(5));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1, 2, 3]]);
    all.push(batcher.add(6));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    for (const { end } of runs) end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it('runs at once what weighs enough, however few they are', async () => {
    const { run, runs } = controlled();
    const weightOf = (input: number): number => input;
    const batcher = new Batcher(run, { maxSize: 10, maxRuns: 3, spacingMs: 30_000, enough: 5, weightOf });
    const all = [batcher.add(5)];
    await turn();
    all.push(batcher.add(2), batcher.add(2));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[5]]);
    all.push(batcher.add(1));
    await turn();
    all.push(batcher.add(4)); // what has run weighs nothing any more
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[5], [2, 2, 1]]);
    all.push(batcher.add(7));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[5], [2, 2, 1], [4, 7]]);
    for (const { end } of runs) end();
    expect(await Promise.all(all)).toEqual([50, 20, 20, 10, 40, 70]);
  });

  it('runs what it has once the time is over', async () => {
    const batcher = new Batcher((inputs: number[]) => Promise.resolve(inputs.map(() => inputs.length)), {
      maxSize: 10,
      maxRuns: 1,
      spacingMs: 20,
      enough: 1,
      weightOf: (input) => input,
    });
    expect(await batcher.add(1)).toBe(1);
    expect(await Promise.all([batcher.add(0), batcher.add(0)])).toEqual([2, 2]);
  });

  describe('where nobody waits for the answers', () => {
    const patient = (run: ReturnType<typeof controlled>['run']) =>
      new Batcher(run, { maxSize: 10, maxRuns: 3, spacingMs: 30_000, quietSpacingMs: 30_000, full: 2, enough: 5 });

    it('waits for more after any run, until enough are there', async () => {
      const { run, runs } = controlled();
      const batcher = patient(run);
      const all = [batcher.add(1)];
      await turn();
      all.push(batcher.add(2), batcher.add(3), batcher.add(4), batcher.add(5));
      await turn();
      expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
      all.push(batcher.add(6));
      await turn();
      expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4, 5, 6]]);
      for (const { end } of runs) end();
      expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50, 60]);
    });

    it('runs what it has as soon as somebody hurries, and the next waits again', async () => {
      const { run, runs } = controlled();
      const batcher = patient(run);
      const all = [batcher.add(1)];
      await turn();
      all.push(batcher.add(2));
      await turn();
      batcher.hurry();
      await turn();
      expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2]]);
      all.push(batcher.add(3));
      await turn();
      expect(runs).toHaveLength(2);
      batcher.hurry();
      await turn();
      for (const { end } of runs) end();
      expect(await Promise.all(all)).toEqual([10, 20, 30]);
    });

    it('keeps the wait after a full run, whoever hurries', async () => {
      const { run, runs } = controlled();
      const batcher = patient(run);
      const all = [batcher.add(1), batcher.add(2)];
      await turn();
      all.push(batcher.add(3));
      batcher.hurry();
      await turn();
      expect(runs.map(({ inputs }) => inputs)).toEqual([[1, 2]]);
      all.push(...[4, 5, 6, 7].map((input) => batcher.add(input)));
      await turn();
      for (const { end } of runs) end();
      expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    });
  });

  it('gives an error to the callers of that run alone', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 1, maxRuns: 1 });
    const [bad, good] = [batcher.add(1), batcher.add(2)];
    await turn();
    runs[0]!.fail(new Error('no'));
    await expect(bad).rejects.toThrow('no');
    await turn();
    runs[1]!.end();
    expect(await good).toBe(20);
  });

  it('runs each input by itself after an error that isolates, and only then', async () => {
    const runs: number[][] = [];
    const run = (inputs: number[]) => {
      runs.push(inputs);
      return inputs.includes(2) ? Promise.reject(new Error('bad row')) : Promise.resolve(inputs);
    };
    const isolates = (error: unknown) => (error as Error).message === 'bad row';
    const batcher = new Batcher(run, { maxSize: 10, maxRuns: 1, isolates });
    const outcomes = await Promise.allSettled([1, 2, 3].map((input) => batcher.add(input)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
  });
});
