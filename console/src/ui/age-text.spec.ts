import { describe, expect, it } from '@jest/globals';
import { ageText } from './age-text';

const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('ageText', () => {
  it.each([
    ['2026-11-22T12:00:00Z', '0 s'],
    ['2026-11-22T11:59:01Z', '59 s'],
    ['2026-11-22T11:59:00Z', '1 min'],
    ['2026-11-22T10:01:00Z', '1 h'],
    ['2026-11-19T12:00:00Z', '3 d'],
    ['2026-11-22T12:00:05Z', '0 s'],
  ])('of %s is %s', (at, text) => {
    expect(ageText(at, NOW)).toBe(text);
  });
});
