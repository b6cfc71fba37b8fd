import { describe, expect, it } from '@jest/globals';
import { fromStored, keptAfter, type PreviousCredentials, toStored } from './previous-credentials.js';

const NOW = new Date('2026-11-22T00:00:00.000Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const of = (secret: string, key = 'key') => ({ secret, key });
const kept = (secret: string, seconds: number): PreviousCredentials => ({
  credentials: of(secret),
  until: at(seconds),
});

/** A change from the secret `one`. */
const after = (sets: PreviousCredentials[], given: Record<string, string>, overlapSeconds = 60) => {
  const before = of('one');
  const change = { before, after: { ...before, ...given }, given, verifying: ['secret'], overlapSeconds };
  return keptAfter(sets, change, NOW);
};

describe('credentials that notifications are verified with besides the present ones', () => {
  it.each([
    ['the ones before, first when they last longer', [kept('zero', 30)], [kept('one', 60), kept('zero', 30)]],
    ['the ones before, last when they end sooner', [kept('zero', 90)], [kept('zero', 90), kept('one', 60)]],
    ['the ones before once, with the new end', [kept('one', 90)], [kept('one', 60)]],
    ['not what they are now', [kept('two', 90)], [kept('one', 60)]],
    [
      'the ones before in place of the set that ends first',
      [95, 94, 93, 92, 91].map((end) => kept(`until-${end}`, end)),
      [...[95, 94, 93, 92].map((end) => kept(`until-${end}`, end)), kept('one', 60)],
    ],
  ])('are, after a change of a secret, %s', (_, sets, expected) => {
    expect(after(sets, { secret: 'two' })).toEqual(expected);
  });

  it.each([0, 60])('are the same after a change of another credential with an overlap of %i s', (overlap) => {
    expect(after([kept('zero', 30)], { key: 'another' }, overlap)).toEqual([kept('zero', 30)]);
  });

  it.each(['one', 'two'])('are none after no overlap was asked for with the secret %s', (secret) => {
    expect(after([kept('zero', 30)], { secret }, 0)).toEqual([]);
  });

  it('are read as they were stored, without those that have ended', () => {
    const stored = toStored([kept('three', 90), kept('two', 60), kept('one', 30)]);
    const read = JSON.parse(JSON.stringify(stored)) as typeof stored;
    expect(fromStored(read, at(90), at(30))).toEqual([kept('three', 90), kept('two', 60)]);
    expect(fromStored(of('one'), at(30), NOW)).toEqual([kept('one', 30)]);
    expect(fromStored(read, at(90), at(90))).toEqual([]);
  });

  it('are found by an older process where it looks for one set: those that last longest', () => {
    expect(toStored([kept('two', 60), kept('one', 30)])).toMatchObject(of('two'));
    expect(toStored([kept('two', 60)])).toEqual(of('two'));
  });
});
