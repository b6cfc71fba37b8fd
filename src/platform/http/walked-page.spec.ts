import { describe, expect, it } from '@jest/globals';
import { decodeCursor } from '../../shared/cursor.js';
import { type Look, WALK_STEPS, walkedPage, type WalkedRow } from './walked-page.js';

const BOUND = WALK_STEPS.reduce((sum, step) => sum + step, 0);

/** Looks at ids from `newest` down to 1. `looks` has the numbers of rows that were looked at. */
const lookAt =
  (newest: number, matches: (id: number) => boolean, looks: number[] = []): Look<WalkedRow> =>
  (beforeId = newest + 1, count, limit) => {
    const walked = Math.min(count, beforeId - 1);
    looks.push(walked);
    const ids = Array.from({ length: walked }, (_, index) => beforeId - 1 - index);
    const found = ids.filter(matches).slice(0, limit);
    const seen = { walked, walked_to: ids.at(-1) ?? null };
    return Promise.resolve((found.length > 0 ? found : [null]).map((id) => ({ id, ...seen })));
  };

const everyNth = (n: number) => (id: number) => id % n === 0;

describe('walkedPage', () => {
  it.each<[string, number, (id: number) => boolean, number[], (number | null)?]>([
    ['nothing', 0, () => true, []],
    ['a full last page', 2, () => true, [2, 1]],
    ['a page with a next one', 9, () => true, [9, 8], 8],
    ['matches of several steps', 2_000, (id) => id === 1_900 || id === 10, [1_900, 10]],
    ['a short page that reached the bound', BOUND + 50, (id) => id === 60, [60], 51],
    ['an empty page that reached the bound', BOUND + 50, () => false, [], 51],
  ])('returns %s', async (_, newest, matches, ids, next = null) => {
    const looks: number[] = [];
    const page = await walkedPage({ limit: 2 }, lookAt(newest, matches, looks));
    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page.nextCursor && decodeCursor(page.nextCursor)).toBe(next);
    expect(looks.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(BOUND);
  });

  it('returns each match once over all pages', async () => {
    const found: number[] = [];
    for (let beforeId: number | undefined, isLast = false; !isLast;) {
      const page = await walkedPage({ limit: 3, beforeId }, lookAt(3 * BOUND, everyNth(7_001)));
      found.push(...page.items.map(({ id }) => id));
      isLast = page.nextCursor === null;
      if (page.nextCursor !== null) beforeId = decodeCursor(page.nextCursor);
    }
    expect(found).toEqual(Array.from({ length: 8 }, (_, index) => (8 - index) * 7_001));
  });
});
