import { describe, expect, it } from '@jest/globals';
import { labelledPoints, partsOf, ticksOf } from './curve-scale';

describe('the scale of a curve', () => {
  it.each([
    [0, 0, 1, [0, 1]],
    [0, 3, 1, [0, 1, 2, 3]],
    [0, 47, 1, [0, 10, 20, 30, 40, 50]],
    [0, 100, 1, [0, 20, 40, 60, 80, 100]],
    [0, 0.05, 0.01, [0, 0.01, 0.02, 0.03, 0.04, 0.05]],
    [0.81, 0.93, 0.01, [0.8, 0.85, 0.9, 0.95]],
    [0.9, 0.9, 0.01, [0.9, 0.91]],
    [0, 1_234_567, 0.01, [0, 500_000, 1_000_000, 1_500_000]],
    [-30, 55, 1, [-40, -20, 0, 20, 40, 60]],
  ])('labels %d to %d, with steps of at least %d', (low, high, minStep, labels) => {
    expect(ticksOf(low, high, minStep)).toEqual(labels);
  });

  it.each([
    [0, []],
    [1, [0]],
    [2, [0, 1]],
    [31, [0, 8, 15, 23, 30]],
  ])('labels some of %d points', (count, indexes) => {
    expect(labelledPoints(count, 5)).toEqual(indexes);
  });

  it('divides a line where a value is missing', () => {
    expect(partsOf([null, 1, 2, null, 3, null])).toEqual([[1, 2], [4]]);
    expect(partsOf([null])).toEqual([]);
  });
});
