/** How many times longer tests of generated cases run than they do in `npm test`: GENERATED_FACTOR. */
export const FACTOR = Number(process.env['GENERATED_FACTOR'] ?? 1);

/** So many cases, or more where a longer run is asked for. */
export const runs = (cases: number): number => Math.ceil(cases * FACTOR);
