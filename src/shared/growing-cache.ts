import { LRUCache } from 'lru-cache';

/**
 * A cache of the `most` entries used last that takes memory as it fills. `max` would take it all at once: 100,000 places cost
 * 6 ms and 2 MB wherever one is made, and are seldom filled.
 */
export const growingCache = <Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>(
  most: number,
  options: Pick<LRUCache.OptionsBase<Key, Value, unknown>, 'memoMethod'> = {},
): LRUCache<Key, Value> => new LRUCache<Key, Value>({ ...options, maxSize: most, sizeCalculation: () => 1 });
