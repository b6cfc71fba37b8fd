import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** The source of randomness, injected so that tests and backtests can fix it. */
export abstract class Random {
  abstract bytes(size: number): Buffer;
  abstract uuid(): string;
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

  integer(bound: number): number {
    return randomInt(bound);
  }
}

/** Returns uniformly distributed numbers x, 0 < x < 1. */
export type Uniform = () => number;

/** The generator Mulberry32, small and fast. The same seed always gives the same numbers. */
export function generator(seed: number): Uniform {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}
