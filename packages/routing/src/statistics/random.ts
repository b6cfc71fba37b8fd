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
