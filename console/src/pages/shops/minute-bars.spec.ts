import { expect, it } from '@jest/globals';
import { minuteBars } from './minute-bars';

const at = '2026-11-22T00:00:00.000Z';

it('minuteBars stacks failures, declines and approvals, scaled to the largest minute', () => {
  const { bars, max } = minuteBars([
    { at, approved: 6, declined: 1, failed: 1 },
    { at, approved: 0, declined: 0, failed: 2 },
  ]);
  expect(max).toBe(8);
  expect(bars.map(({ parts }) => parts)).toEqual([
    [
      { kind: 'failed', from: 0, height: 0.125 },
      { kind: 'declined', from: 0.125, height: 0.125 },
      { kind: 'approved', from: 0.25, height: 0.75 },
    ],
    [{ kind: 'failed', from: 0, height: 0.25 }],
  ]);
});

it('minuteBars returns empty bars without outcomes', () => {
  expect(minuteBars([{ at, approved: 0, declined: 0, failed: 0 }])).toMatchObject({ max: 0, bars: [{ parts: [] }] });
});
