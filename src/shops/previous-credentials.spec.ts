import { describe, expect, it } from '@jest/globals';
import { fromStored, keptAfter, type PreviousCredentials, toStored } from './previous-credentials.js';

const NOW = new Date('2026-11-22T00:00:00.000Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const of = (secret: string, key = 'key') => ({ secret, key });
const kept = (secret: string, seconds: number): PreviousCredentials => ({
  credentials: of(secret),
  until: at(seconds),
});

/** A change that replaces the secret `one`. */
const after = (sets: PreviousCredentials[], given: Record<string, string>, overlapSeconds = 60) => {
  const before = of('one');
  const change = { before, after: { ...before, ...given }, given, verifying: ['secret'], overlapSeconds };
  return keptAfter(sets, change, NOW);
};

describe('previous credentials', () => {
  it.each([
    ['the replaced ones, first if they expire last', [kept('zero', 30)], [kept('one', 60), kept('zero', 30)]],
    ['the replaced ones, last if they expire first', [kept('zero', 90)], [kept('zero', 90), kept('one', 60)]],
    ['the replaced ones once, with the new expiry', [kept('one', 90)], [kept('one', 60)]],
    ['none that equal the current ones', [kept('two', 90)], [kept('one', 60)]],
    [
      'the replaced ones instead of the set that expires first',
      [95, 94, 93, 92, 91].map((end) => kept(`until-${end}`, end)),
      [...[95, 94, 93, 92].map((end) => kept(`until-${end}`, end)), kept('one', 60)],
    ],
  ])('include, after a change of a secret, %s', (_, sets, expected) => {
    expect(after(sets, { secret: 'two' })).toEqual(expected);
  });

  it.each([0, 60])('stay the same after a change of another credential with an overlap of %i s', (overlap) => {
    expect(after([kept('zero', 30)], { key: 'another' }, overlap)).toEqual([kept('zero', 30)]);
  });

  it.each(['one', 'two'])('end after a change without overlap that gives the secret %s', (secret) => {
    expect(after([kept('zero', 30)], { secret }, 0)).toEqual([]);
  });

  it('come back from storage without expired sets', () => {
    const stored = toStored([kept('three', 90), kept('two', 60), kept('one', 30)]);
    const read = JSON.parse(JSON.stringify(stored)) as typeof stored;
    expect(fromStored(read, at(90), at(30))).toEqual([kept('three', 90), kept('two', 60)]);
    expect(fromStored(of('one'), at(30), NOW)).toEqual([kept('one', 30)]);
    expect(fromStored(read, at(90), at(90))).toEqual([]);
  });

  it('come back in an older release as the set that expires last', () => {
    expect(toStored([kept('two', 60), kept('one', 30)])).toMatchObject(of('two'));
    expect(toStored([kept('two', 60)])).toEqual(of('two'));
  });
});
