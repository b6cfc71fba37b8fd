import { beforeEach, describe, expect, it } from '@jest/globals';
import { RecentMap } from './recent-map.js';

describe('RecentMap', () => {
  const MOST = 3;
  let map: RecentMap<string, string>;
  let forgotten: string[];
  beforeEach(() => {
    forgotten = [];
    map = new RecentMap(MOST, (value) => forgotten.push(value));
  });
  const fill = (...keys: string[]): void => {
    for (const key of keys) map.set(key, key.toUpperCase());
  };

  it('keeps the entries used last, and tells of those that it forgets', () => {
    fill('a', 'b', 'c', 'd', 'e', 'f', 'g');
    expect(forgotten).toEqual(['A', 'B', 'C']);
    expect(map.get('a')).toBeUndefined();
    expect(['d', 'e', 'f', 'g'].map((key) => map.get(key))).toEqual(['D', 'E', 'F', 'G']);
  });

  it('keeps what is used, however many others come', () => {
    fill('a');
    for (let index = 0; index < 100; index++) {
      fill(`other ${index}`);
      expect(map.get('a')).toBe('A');
    }
    expect(forgotten).not.toContain('A');
  });

  it.each([1, 2, 3])('finds the last %d, whenever they were used', (count) => {
    for (let index = 0; index < 20; index++) {
      fill(`${index}`);
      for (let back = Math.max(0, index - count + 1); back <= index; back++) expect(map.get(`${back}`)).toBe(`${back}`);
    }
    expect(new Set(forgotten).size).toBe(forgotten.length);
    expect(20 - forgotten.length).toBeLessThanOrEqual(2 * MOST);
  });
});
