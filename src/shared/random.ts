import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Where randomness comes from; injected so that tests and replays can fix it. */
export abstract class Random {
  abstract bytes(size: number): Buffer;
  abstract uuid(): string;
  /** An integer, 0 ≤ n < `bound`. */
  abstract integer(bound: number): number;
}

export class SystemRandom extends Random {
  bytes(size: number): Buffer {
    return randomBytes(size);
  }

  uuid(): string {
    return randomUUID();
  }

  integer(bound: number): number {
    return randomInt(bound);
  }
}
