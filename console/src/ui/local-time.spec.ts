import { describe, expect, it } from '@jest/globals';
import { fromLocal, toLocal } from './local-time';

describe('toLocal and fromLocal', () => {
  it.each(['2026-11-21T01:02:00.000Z', '2026-03-29T12:00:00.000Z'])('convert %s to a field value and back', (time) => {
    expect(toLocal(time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    expect(fromLocal(toLocal(time))).toBe(time);
  });

  it('return an empty value for a missing or invalid time', () => {
    expect([toLocal(undefined), toLocal('yesterday')]).toEqual(['', '']);
    expect([fromLocal(''), fromLocal('soon')]).toEqual([undefined, undefined]);
  });
});
