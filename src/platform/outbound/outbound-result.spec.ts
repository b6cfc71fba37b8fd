import { describe, expect, it } from '@jest/globals';
import { storableText } from './outbound-result.js';

describe('storableText', () => {
  it.each([
    ['text as it is', Buffer.from('ok ü 😀'), 'ok ü 😀'],
    ['nothing', Buffer.alloc(0), ''],
    ['NUL', Buffer.from('a\u0000b'), 'a\ufffdb'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['a character that the sender cut', Buffer.from([0x61, 0xc3]), 'a\ufffd'],
  ])('keeps %s', (_, body, text) => {
    expect(storableText(body)).toBe(text);
  });

  it('keeps the first 4 KiB', () => {
    expect(storableText(Buffer.alloc(65_536, 'x'))).toBe('x'.repeat(4_096));
  });

  it('leaves out a character that the limit cuts', () => {
    expect(storableText(Buffer.from(`${'x'.repeat(4_095)}ü and more`))).toBe('x'.repeat(4_095));
  });
});
