/** Factor by which tests of generated cases run longer than in `npm test`: GENERATED_FACTOR. */
export const FACTOR = Number(process.env['GENERATED_FACTOR'] ?? 1);

/** The number of cases, multiplied by FACTOR. */
export const runs = (cases: number): number => Math.ceil(cases * FACTOR);
