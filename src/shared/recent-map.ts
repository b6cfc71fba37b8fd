/**
 * Keeps the `most` entries that were used last, and at most twice as many. No order is kept in between: to find what was
 * used lately is one look into a map, where an LRU cache has some ten lines of memory to touch.
 */
export class RecentMap<Key, Value extends NonNullable<unknown>> {
  private recent = new Map<Key, Value>();
  /** Used before all of `recent`. */
  private before = new Map<Key, Value>();

  constructor(
    private readonly most: number,
    private readonly onForgotten: (value: Value) => void,
  ) {}

  get(key: Key): Value | undefined {
    return this.recent.get(key) ?? this.getBefore(key);
  }

  set(key: Key, value: Value): void {
    if (this.recent.size === this.most) this.turn();
    this.recent.set(key, value);
  }

  private getBefore(key: Key): Value | undefined {
    const value = this.before.get(key);
    if (value === undefined) return undefined;
    this.before.delete(key);
    this.set(key, value);
    return value;
  }

  private turn(): void {
    const forgotten = this.before;
    this.before = this.recent;
    this.recent = new Map();
    for (const value of forgotten.values()) this.onForgotten(value);
  }
}
