import { describe, expect, it } from '@jest/globals';
import { storableText } from './outbound-result.js';

describe('storableText', () => {
  it.each([
    ['plain text', Buffer.from('ok ü 😀'), 'ok ü 😀'],
    ['empty text', Buffer.alloc(0), ''],
    ['NUL as U+FFFD', Buffer.from('a\u0000b'), 'a\ufffdb'],
    ['bytes that are not UTF-8 as U+FFFD', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['a cut character as U+FFFD', Buffer.from([0x61, 0xc3]), 'a\ufffd'],
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
