/** Random numbers that depend only on the keys: the same keys give the same sequence. */
export class SeededRandom {
  private state: number;

  constructor(...keys: (number | string)[]) {
    this.state = hashOf(keys);
  }

  /** 0 ≤ n < 1; mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** Both ends included. */
  integer(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.integer(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }
}

/** FNV-1a of the keys' text. */
function hashOf(keys: (number | string)[]): number {
  let hash = 0x811c9dc5;
  for (const character of keys.join('/')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash;
}
