import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** The source of randomness, injected so that tests and backtests can fix it. */
export abstract class Random {
  abstract bytes(size: number): Buffer;
  /** A UUIDv4: 122 random bits. For secrets, for keys that providers know, and for ids without an index. */
  abstract uuid(): string;
  /**
   * A UUIDv7, for the keys of rows: new ones lie side by side in an index. Random ones each change a page of their own,
   * which PostgreSQL then writes to the WAL as a whole, 8 KB.
   */
  abstract orderedUuid(): string;
  /** Returns an integer n, 0 ≤ n < `bound`. */
  abstract integer(bound: number): number;
}

export class SystemRandom extends Random {
  bytes(size: number): Buffer {
    return randomBytes(size);
  }

  uuid(): string {
    return randomUUID();
  }

  orderedUuid(): string {
    return orderedUuid(Date.now(), randomUUID());
  }

  integer(bound: number): number {
    return randomInt(bound);
  }
}

/**
 * The UUIDv7 (RFC 9562, 5.7) of the time `ms` since 1970, with the 74 random bits that `random`, a UUIDv4, has in the same
 * places.
 */
export function orderedUuid(ms: number, random: string): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
