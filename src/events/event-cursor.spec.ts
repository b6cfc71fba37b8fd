import { describe, expect, it } from '@jest/globals';
import { decodeEventCursor, encodeEventCursor, FIRST, isWithin } from './event-cursor.js';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('event cursor', () => {
  it.each([FIRST, { position: '17592186045185', id: 12 }, { position: '9223372036854775807', id: 2 ** 53 - 1 }])(
    'decodes to the encoded value: %j',
    (cursor) => expect(decodeEventCursor(encodeEventCursor(cursor))).toEqual(cursor),
  );

  it.each([
    '',
    'x',
    'v1:17',
    encoded('v1:17'),
    encoded('e1:-1:2'),
    encoded('e1:1:9007199254740992'),
    encoded('e1:9223372036854775808:1'),
    encoded('e1:1:1:1'),
  ])('decoding refuses %j', (text) =>
    expect(() => decodeEventCursor(text)).toThrow(expect.objectContaining({ code: 'malformed_request' })),
  );

  it('compares positions beyond the range of a double', () => {
    const position = '9007199254740993';
    expect([position, '9007199254740992'].map((horizon) => isWithin({ position, id: 1 }, horizon))).toEqual([
      true,
      false,
    ]);
  });
});
