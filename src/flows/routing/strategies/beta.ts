/** Uniform numbers, 0 < x < 1. */
export type Uniform = () => number;

/** Mulberry32: small and fast; a seed gives the same numbers for ever. */
export function generator(seed: number): Uniform {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** One sample of Beta(a, b), a and b at least 1. */
export function sampleBeta(a: number, b: number, uniform: Uniform): number {
  const x = sampleGamma(a, uniform);
  return x / (x + sampleGamma(b, uniform));
}

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for shapes of at least 1. */
function sampleGamma(shape: number, uniform: Uniform): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleNormal(uniform);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box and Muller (1958), one of its two. */
const sampleNormal = (uniform: Uniform): number =>
  Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
