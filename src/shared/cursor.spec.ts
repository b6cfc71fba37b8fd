import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor, toPage } from './cursor.js';

describe('cursor', () => {
  it('decodes to the id that was encoded', () => {
    for (const id of [0, 1, Number.MAX_SAFE_INTEGER]) expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it.each(['', 'x', '17', encodeCursor(1.5), Buffer.from('v1:-1').toString('base64url'), encodeCursor(2 ** 53)])(
    'decoding rejects %j',
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'malformed_request' }));
    },
  );
});

describe('toPage', () => {
  const rows = [{ id: 3 }, { id: 2 }, { id: 1 }];

  it('returns a cursor after the last item when there are more rows', () => {
    const page = toPage(rows, 2);
    expect(page.items).toEqual([{ id: 3 }, { id: 2 }]);
    expect(decodeCursor(page.nextCursor!)).toBe(2);
  });

  it('returns no cursor on the last page', () => {
    expect(toPage(rows, 3).nextCursor).toBeNull();
    expect(toPage([], 3)).toEqual({ items: [], nextCursor: null });
  });
});
