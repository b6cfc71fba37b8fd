import { describe, expect, it } from '@jest/globals';
import { type Fall, fallsOf, type WatchedCell } from './falls.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const of = (successes: number, trials: number) => ({ successes, trials });
const cell = (now: [number, number], before: [number, number], scheme = 'visa'): WatchedCell => ({
  ...{ shopId: 3, scheme, now: of(...now), before: of(...before) },
});
const known = (fields: Partial<Fall> = {}): Fall => ({
  ...{ shopId: 3, scheme: 'visa', fellAt: new Date(NOW.getTime() - HOUR), rate: 0.7, rateBefore: 0.9 },
  ...fields,
});
const schemes = (found: { scheme: string }[]) => found.map(({ scheme }) => scheme);

describe('fallsOf', () => {
  it.each<[string, [number, number], [number, number], boolean]>([
    ['a large fall of many payments', [140, 200], [180, 200], true],
    ['the same rate', [180, 200], [180, 200], false],
    ['a rise', [180, 200], [140, 200], false],
    ['a fall of a few payments', [0, 3], [3, 3], false],
    // 5 % in one look would be a false fall every day or two
    ['a fall that chance makes once in a hundred looks', [165, 200], [182, 200], false],
    ['no payments now', [0, 0], [180, 200], false],
    ['no payments before', [0, 200], [0, 0], false],
  ])('judges %s', (_, now, before, hasFallen) => {
    expect(fallsOf([cell(now, before)], [], NOW).fell).toHaveLength(hasFallen ? 1 : 0);
  });

  it('finds a fall once until the rate has come back half of the way', () => {
    const low = cell([140, 200], [180, 200]);
    expect(fallsOf([low], [known()], NOW)).toEqual({ fell: [], ended: [] });
    expect(fallsOf([cell([158, 200], [180, 200])], [known()], NOW).ended).toEqual([]);
    expect(fallsOf([cell([160, 200], [180, 200])], [known()], NOW).ended).toEqual([known()]);
  });

  it('tells falls of different cells apart', () => {
    const cells = [cell([140, 200], [180, 200], 'visa'), cell([140, 200], [180, 200], '')];
    expect(schemes(fallsOf(cells, [known()], NOW).fell)).toEqual(['']);
    expect(schemes(fallsOf(cells, [known({ shopId: 4 })], NOW).fell)).toEqual(['visa', '']);
  });

  it.each<[string, WatchedCell[], Partial<Fall>]>([
    ['without payments', [], {}],
    ['without ended payments', [cell([0, 0], [180, 200])], {}],
    ['after a week', [cell([100, 200], [100, 200])], { fellAt: new Date(NOW.getTime() - 7 * 24 * HOUR) }],
  ])('ends a fall %s', (_, cells, fields) => {
    expect(fallsOf(cells, [known(fields)], NOW).ended).toHaveLength(1);
  });
});
