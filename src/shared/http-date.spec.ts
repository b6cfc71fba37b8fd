import { describe, expect, it } from '@jest/globals';
import { parseHttpDate } from './http-date.js';

const NOW = new Date('2026-11-21T00:00:00.000Z');

describe('parseHttpDate', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Sat Nov 21 00:05:00 2026', '2026-11-21T00:05:00.000Z'],
    ['Thu, 29 Feb 2024 23:59:60 GMT', '2024-03-01T00:00:00.000Z'], // a leap second
    ['Saturday, 21-Nov-26 00:05:00 GMT', '2026-11-21T00:05:00.000Z'],
    ['Saturday, 21-Nov-76 00:00:00 GMT', '2076-11-21T00:00:00.000Z'], // 50 years ahead
    ['Sunday, 21-Nov-76 00:00:01 GMT', '1976-11-21T00:00:01.000Z'], // more
    ['Monday, 01-Jan-77 00:00:00 GMT', '1977-01-01T00:00:00.000Z'],
    ['Friday, 31-Dec-99 23:59:59 GMT', '1999-12-31T23:59:59.000Z'],
  ])('parses %s as %s', (text, expected) => {
    expect(parseHttpDate(text, NOW)?.toISOString()).toBe(expected);
  });

  it.each([
    'Wait 2030',
    'Sat',
    '2026-11-21T00:05:00Z',
    '21 Nov 2026 00:05:00 GMT',
    'Sat, 21 Nov 2026 00:05:00',
    'Sat, 21 Nov 2026 00:05:00 UTC',
    'Sat, 21 Nov 2026 00:05:00 +0000',
    'Sat, 21 Nov 2026 00:05:00 EST',
    'Sat, 21 Nov 26 00:05:00 GMT',
    'Sat, 21-Nov-2026 00:05:00 GMT',
    'Sat, 1 Nov 2026 00:05:00 GMT',
    'Sat, 31 Nov 2026 00:05:00 GMT',
    'Sun, 29 Feb 2026 00:05:00 GMT',
    'Sat, 00 Nov 2026 00:05:00 GMT',
    'Sat, 21 Nov 2026 24:00:00 GMT',
    'Sat, 21 Nov 2026 00:60:00 GMT',
    'sat, 21 nov 2026 00:05:00 gmt',
    'Sat Nov 21 00:05:00 2026 GMT',
    'Sat Nov 6 00:05:00 2026',
    'Sat, 21 Nov 2026 00:05:00 GMT, Sat, 21 Nov 2026 00:05:00 GMT',
  ])('rejects %j', (text) => {
    expect(parseHttpDate(text, NOW)).toBeUndefined();
  });
});
