import { describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Batcher } from './batcher.js';

/** Waits until the work that is scheduled for the end of this event-loop iteration has run. */
const scheduledWork = async () => {
  for (let iterations = 0; iterations < 4; iterations++) await nextIteration();
};

/** A `run` whose runs end when the test calls `end` or `fail`. */
function controlled() {
  const runs: { inputs: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = (inputs: number[]) =>
    new Promise<number[]>((resolve, reject) =>
      runs.push({ inputs, end: () => resolve(inputs.map((input) => input * 10)), fail: reject }),
    );
  return { run, runs };
}

describe('Batcher', () => {
  it('combines the calls of one event-loop iteration and returns to each its own output', async () => {
    const batcher = new Batcher((inputs: number[]) => Promise.resolve(inputs.map((input) => input * 10)), {
      maxSize: 10,
      maxConcurrent: 1,
    });
    expect(await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])).toEqual([10, 20, 30]);
  });

  it('combines the inputs that are added during its runs', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxConcurrent: 1 });
    const first = batcher.add(1);
    await scheduledWork();
    const later = [batcher.add(2), batcher.add(3)];
    await scheduledWork();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
    runs[0]!.end();
    expect(await first).toBe(10);
    await scheduledWork();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]]);
    runs[1]!.end();
    expect(await Promise.all(later)).toEqual([20, 30]);
  });

  it('starts runs of at most maxSize inputs, and at most maxConcurrent runs', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 2, maxConcurrent: 2 });
    const all = [1, 2, 3, 4, 5].map((input) => batcher.add(input));
    await scheduledWork();
    expect(runs.map(({ inputs }) => inputs)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    runs[1]!.end();
    await scheduledWork();
    expect(runs[2]!.inputs).toEqual([5]);
    runs[0]!.end();
    runs[2]!.end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50]);
  });

  it('waits for the interval after each run, unless flushAt inputs wait', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, maxConcurrent: 2, minIntervalMs: 30_000, flushAt: 3 });
    const all = [batcher.add(1)];
    await scheduledWork();
    all.push(batcher.add(2), batcher.add(3));
    await scheduledWork();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
    all.push(batcher.add(4));
    await scheduledWork();
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4]]);
    for (const { end } of runs) end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40]);
  });

  it('runs the waiting inputs when the interval is over', async () => {
    const batcher = new Batcher((inputs: number[]) => Promise.resolve(inputs.map(() => inputs.length)), {
      maxSize: 10,
      maxConcurrent: 1,
      minIntervalMs: 20,
    });
    expect(await batcher.add(1)).toBe(1);
    expect(await Promise.all([batcher.add(0), batcher.add(0)])).toEqual([2, 2]);
  });

  it('starts no run for an input that may wait, until another one comes or the interval is over', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { run, runs } = controlled();
      const batcher = new Batcher(run, { maxSize: 10, maxConcurrent: 2, minIntervalMs: 10 });
      void batcher.add(1, true);
      await scheduledWork();
      expect(runs).toEqual([]);
      void batcher.add(2);
      await scheduledWork();
      expect(runs.map(({ inputs }) => inputs)).toEqual([[1, 2]]);
      jest.advanceTimersByTime(20);
      void batcher.add(3, true);
      jest.advanceTimersByTime(9);
      await scheduledWork();
      expect(runs).toHaveLength(1);
      jest.advanceTimersByTime(1);
      await scheduledWork();
      expect(runs.map(({ inputs }) => inputs)).toEqual([[1, 2], [3]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects only the callers of a failed run', async () => {
    const { run, runs } = controlled();
    const batcher = new Batcher(run, { maxSize: 1, maxConcurrent: 1 });
    const [bad, good] = [batcher.add(1), batcher.add(2)];
    await scheduledWork();
    runs[0]!.fail(new Error('no'));
    await expect(bad).rejects.toThrow('no');
    await scheduledWork();
    runs[1]!.end();
    expect(await good).toBe(20);
  });

  it('runs each input separately after an error that isolates accepts', async () => {
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
