import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Pacer } from './pacer.js';

const PER_TURN = 2;

describe('Pacer', () => {
  it('runs a few in each turn of the event loop, in their order, and none before the next one', async () => {
    const pacer = new Pacer(PER_TURN);
    const ended: number[] = [];
    const count = 2 * PER_TURN + 1;
    for (let index = 0; index < count; index++) pacer.run(() => ended.push(index));
    const progress = [ended.length];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      progress.push(ended.length);
    }
    expect(progress).toEqual([0, PER_TURN, 2 * PER_TURN, count, count]);
    expect(ended).toEqual([...ended].sort((one, other) => one - other));
  });

  it('runs a hundredth of many in each turn', async () => {
    const pacer = new Pacer(PER_TURN);
    let ended = 0;
    for (let index = 0; index < 1_000; index++) pacer.run(() => (ended += 1));
    await nextTurn();
    const first = ended;
    for (let turn = 0; turn < 300; turn++) await nextTurn();
    expect([first, ended]).toEqual([10, 1_000]);
  });

  it('runs what is added while others run', async () => {
    const pacer = new Pacer(PER_TURN);
    const ended: string[] = [];
    pacer.run(() => {
      ended.push('first');
      pacer.run(() => ended.push('second'));
    });
    await nextTurn();
    await nextTurn();
    expect(ended).toEqual(['first', 'second']);
  });
});
