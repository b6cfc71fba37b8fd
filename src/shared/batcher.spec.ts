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
      maxConcurrent: 1,
    });
    expect(await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])).toEqual([10, 20, 30]);
  });

  it('gathers what comes while its runs are under way', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxConcurrent: 1 });
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

  it('runs at most maxSize inputs at once, and maxConcurrent runs at once', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 2, maxConcurrent: 2 });
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

  it('waits for the interval after each run, until enough inputs wait', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxConcurrent: 2, minIntervalMs: 30_000, flushAt: 3 });
    const all = [batcher.add(1)];
    await turn();
    all.push(batcher.add(2), batcher.add(3));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
    all.push(batcher.add(4));
    await turn();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4]]);
    for (const { end } of runs) end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40]);
  });

  it('runs what it has once the interval is over', async () => {
    const batcher = new Batcher((inputs: number[]) => Promise.resolve(inputs.map(() => inputs.length)), {
      maxSize: 10,
      maxConcurrent: 1,
      minIntervalMs: 20,
    });
    expect(await batcher.add(1)).toBe(1);
    expect(await Promise.all([batcher.add(0), batcher.add(0)])).toEqual([2, 2]);
  });

  it('gives an error to the callers of that run only', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 1, maxConcurrent: 1 });
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
    const batcher = new Batcher(run, { maxSize: 10, maxConcurrent: 1, isolates });
    const outcomes = await Promise.allSettled([1, 2, 3].map((input) => batcher.add(input)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
  });
});
