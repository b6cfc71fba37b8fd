import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { SENDS_PER_TURN, SendTurns, TURN_MS } from './send-turns.js';

/** Whatever is begun takes no time. */
const turnsAt = (ms: number): SendTurns => new SendTurns(() => ms);

/** Has the turns to send of `paths` noted in `sent`, by merchant. */
function take(turns: SendTurns, paths: number[][], sent: number[]): void {
  for (const path of paths) turns.take(path, () => sent.push(path[0]!));
}

/** Of a merchant with one shop and one lane. */
const pathsOf = (merchant: number, count: number): number[][] =>
  Array.from({ length: count }, () => [merchant, merchant, merchant]);

describe('SendTurns', () => {
  it('begins what is little at once', () => {
    const sent: number[] = [];
    take(turnsAt(0), pathsOf(1, SENDS_PER_TURN), sent);
    expect(sent).toHaveLength(SENDS_PER_TURN);
  });

  it('begins so many in each turn of the event loop, and leaves out none', async () => {
    const turns = turnsAt(0);
    const sent: number[] = [];
    take(turns, pathsOf(1, 3 * SENDS_PER_TURN + 1), sent);
    const progress = [sent.length];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      progress.push(sent.length);
    }
    expect(progress).toEqual([1, 2, 3, 3, 3].map((full, index) => full * SENDS_PER_TURN + Number(index >= 3)));
  });

  it('begins those of one lane in the order in which they came', async () => {
    const turns = turnsAt(0);
    const order = Array.from({ length: 2 * SENDS_PER_TURN }, (_, index) => index);
    const sent: number[] = [];
    take(turns, pathsOf(1, SENDS_PER_TURN), []);
    for (const index of order) turns.take([1, 1, 1], () => sent.push(index));
    await nextTurn();
    await nextTurn();
    expect(sent).toEqual(order);
  });

  it('gives lanes of a shop, and shops of a merchant, turns one after the other', async () => {
    const turns = turnsAt(0);
    take(turns, pathsOf(9, SENDS_PER_TURN), []);
    const sent: number[] = [];
    for (const path of [
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 2],
      [1, 1, 2],
      [1, 2, 3],
    ])
      turns.take(path, () => sent.push(path[2]!));
    await nextTurn();
    expect(sent).toEqual([1, 3, 2, 1, 2, 1]);
  });

  it('sends the delivery of another merchant ahead of the rest of a large claim', async () => {
    const turns = turnsAt(0);
    const sent: number[] = [];
    take(turns, [...pathsOf(1, 10 * SENDS_PER_TURN), ...pathsOf(2, 1)], sent);
    await nextTurn();
    expect(sent).toHaveLength(2 * SENDS_PER_TURN);
    expect(sent).toContain(2);
  });

  it('begins fewer in a turn when each takes long, and at least one', async () => {
    let ms = 0;
    const turns = new SendTurns(() => ms);
    const sent: number[] = [];
    for (const tookMs of [TURN_MS / 2, TURN_MS / 2, 5 * TURN_MS, TURN_MS / 4, TURN_MS / 4])
      turns.take([1, 1, 1], () => {
        ms += tookMs;
        sent.push(tookMs);
      });
    const progress = [sent.length];
    for (let turn = 0; turn < 2; turn++) {
      await nextTurn();
      progress.push(sent.length);
    }
    expect(progress).toEqual([2, 3, 5]);
  });

  it('tells what waits of one lane that it has no turn, and goes on with the others', async () => {
    const turns = turnsAt(0);
    const told: [number, boolean][] = [];
    const lanes = [
      [1, 1, 1],
      [1, 1, 2],
      [2, 3, 4],
    ];
    take(turns, pathsOf(9, SENDS_PER_TURN), []);
    for (const path of [...lanes, ...lanes]) turns.take(path, (isDropped) => told.push([path[2]!, isDropped]));
    turns.drop([1, 1, 1]);
    turns.drop([1, 1, 7]);
    expect(told).toEqual([
      [1, true],
      [1, true],
    ]);
    await nextTurn();
    expect(told.slice(2)).toEqual([
      [2, false],
      [4, false],
      [2, false],
      [4, false],
    ]);
  });

  it('takes a lane again that was dropped', async () => {
    const turns = turnsAt(0);
    const told: boolean[] = [];
    take(turns, pathsOf(9, SENDS_PER_TURN), []);
    turns.take([1, 1, 1], (isDropped) => told.push(isDropped));
    turns.drop([1, 1, 1]);
    turns.take([1, 1, 1], (isDropped) => told.push(isDropped));
    await nextTurn();
    expect(told).toEqual([true, false]);
  });
});
