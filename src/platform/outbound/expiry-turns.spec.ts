import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EXPIRIES_PER_TURN, ExpiryTurns } from './expiry-turns.js';

describe('ExpiryTurns', () => {
  it('ends a few in each turn of the event loop, in their order, and none before the next one', async () => {
    const turns = new ExpiryTurns();
    const ended: number[] = [];
    const count = 2 * EXPIRIES_PER_TURN + 1;
    for (let index = 0; index < count; index++) turns.add(() => ended.push(index));
    const progress = [ended.length];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      progress.push(ended.length);
    }
    expect(progress).toEqual([0, EXPIRIES_PER_TURN, 2 * EXPIRIES_PER_TURN, count, count]);
    expect(ended).toEqual([...ended].sort((one, other) => one - other));
  });

  it('ends a hundredth of many in each turn', async () => {
    const turns = new ExpiryTurns();
    let ended = 0;
    for (let index = 0; index < 1_000; index++) turns.add(() => (ended += 1));
    await nextTurn();
    const first = ended;
    for (let turn = 0; turn < 300; turn++) await nextTurn();
    expect([first, ended]).toEqual([10, 1_000]);
  });

  it('ends what is added while others are ended', async () => {
    const turns = new ExpiryTurns();
    const ended: string[] = [];
    turns.add(() => {
      ended.push('first');
      turns.add(() => ended.push('second'));
    });
    await nextTurn();
    await nextTurn();
    expect(ended).toEqual(['first', 'second']);
  });
});
