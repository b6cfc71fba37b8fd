import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor, toPage } from './cursor.js';

describe('cursor', () => {
  it('reads back the id that it was made from', () => {
    for (const id of [0, 1, Number.MAX_SAFE_INTEGER]) expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it.each(['', 'x', '17', encodeCursor(1.5), Buffer.from('v1:-1').toString('base64url'), encodeCursor(2 ** 53)])(
    'refuses %j',
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'malformed_request' }));
    },
  );
});

describe('toPage', () => {
  const rows = [{ id: 3 }, { id: 2 }, { id: 1 }];

  it('points behind its last item when there is more', () => {
    const page = toPage(rows, 2);
    expect(page.items).toEqual([{ id: 3 }, { id: 2 }]);
    expect(decodeCursor(page.nextCursor!)).toBe(2);
  });

  it('has no cursor on the last page', () => {
    expect(toPage(rows, 3).nextCursor).toBeNull();
    expect(toPage([], 3)).toEqual({ items: [], nextCursor: null });
  });
});
