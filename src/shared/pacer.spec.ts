import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Pacer } from './pacer.js';

const PER_ITERATION = 2;

describe('Pacer', () => {
  it('runs a few callbacks per event-loop iteration, in their order, and none in the current one', async () => {
    const pacer = new Pacer(PER_ITERATION);
    const ended: number[] = [];
    const count = 2 * PER_ITERATION + 1;
    for (let index = 0; index < count; index++) pacer.run(() => ended.push(index));
    const progress = [ended.length];
    for (let iteration = 0; iteration < 4; iteration++) {
      await nextIteration();
      progress.push(ended.length);
    }
    expect(progress).toEqual([0, PER_ITERATION, 2 * PER_ITERATION, count, count]);
    expect(ended).toEqual([...ended].sort((one, other) => one - other));
  });

  it('runs a hundredth of the waiting callbacks per iteration when there are many', async () => {
    const pacer = new Pacer(PER_ITERATION);
    let ended = 0;
    for (let index = 0; index < 1_000; index++) pacer.run(() => (ended += 1));
    await nextIteration();
    const first = ended;
    for (let iteration = 0; iteration < 300; iteration++) await nextIteration();
    expect([first, ended]).toEqual([10, 1_000]);
  });

  it('runs a callback that another callback adds', async () => {
    const pacer = new Pacer(PER_ITERATION);
    const ended: string[] = [];
    pacer.run(() => {
      ended.push('first');
      pacer.run(() => ended.push('second'));
    });
    await nextIteration();
    await nextIteration();
    expect(ended).toEqual(['first', 'second']);
  });
});
