import { describe, expect, it } from '@jest/globals';
import { decodeCursor, decodeDeadline, encodeCursor, encodeDeadline, toPage } from './cursor.js';

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

describe('a cursor of a list by deadline', () => {
  it('decodes to the place that was encoded, and is no cursor of another list', () => {
    const place = { at: new Date('2026-11-21T01:02:03.456Z'), id: 17 };
    expect(decodeDeadline(encodeDeadline(place))).toEqual(place);
    expect(() => decodeCursor(encodeDeadline(place))).toThrow();
  });

  it.each([encodeCursor(1), '', 'at:1:1', Buffer.from(`at:1:${2 ** 54}`).toString('base64url')])(
    'decoding finds nothing in %j',
    (cursor) => expect(decodeDeadline(cursor)).toBeUndefined(),
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
