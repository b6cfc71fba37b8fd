/** The median; NaN without samples. */
export function median(samples: readonly number[]): number {
  const sorted = Float64Array.from(samples).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest sample that is not below `share` (0…1) of all. NaN without samples. */
export function percentile(samples: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export const spread = (samples: readonly number[]): Spread => ({
  median: median(samples),
  min: Math.min(...samples),
  max: Math.max(...samples),
});

/** Ratios by round, so that a drift of the machine between rounds cancels out. */
export const pairwiseRatios = (samples: readonly number[], baseline: readonly number[]): number[] =>
  samples.slice(0, baseline.length).map((sample, round) => sample / baseline[round]!);

/**
 * Runs `variants` round by round, so that each is affected by the same drift of the machine. Each round has another
 * order (A B C, B C A, C A B, C B A, A C B, B A C …), so that no variant always follows the same other one and its
 * effects: background work, caches, the processor's clock. The first `warmUps` rounds are not counted.
 */
export async function interleave<Name extends string, Result>(
  rounds: number,
  variants: Partial<Record<Name, () => Promise<Result>>>,
  warmUps = 1,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(variants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of inOrderOf(names, Math.max(round, 0))) {
      const result = await variants[name]!();
      if (round >= 0) results[name].push(result);
    }
  }
  return results;
}

/** Starts one further each round, and reverses the order after each variant has been first. */
function inOrderOf<Name>(names: readonly Name[], round: number): Name[] {
  const first = round % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  return Math.floor(round / names.length) % 2 === 0 ? order : order.reverse();
}
