import { LRUCache } from 'lru-cache';

/** A cache that forgets the least recently used entries. With `max` it would allocate memory for all entries at once. */
export const boundedCache = <Key extends string | number, Value extends object | string | number | true>(
  maxEntries: number,
): LRUCache<Key, Value> => new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
