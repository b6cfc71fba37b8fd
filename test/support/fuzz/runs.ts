/** Factor by which tests of generated cases run longer than in `npm test`: GENERATED_FACTOR. */
export const FACTOR = Number(process.env['GENERATED_FACTOR'] ?? 1);

/** The number of cases, multiplied by FACTOR; in `npm test` only this share of them. */
export const runs = (cases: number, shareInTest = 1): number => Math.ceil(cases * (FACTOR === 1 ? shareInTest : FACTOR));
