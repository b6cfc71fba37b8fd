/** Factor by which tests of generated cases run longer than in `npm test`: GENERATED_FACTOR. */
export const FACTOR = Number(process.env['GENERATED_FACTOR'] ?? 1);

/** The number of cases, multiplied by FACTOR; in `npm test` only this part of them. */
export const runs = (cases: number, part = 1): number => Math.ceil(cases * (FACTOR === 1 ? part : FACTOR));
