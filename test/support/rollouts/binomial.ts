import type { SeededRandom } from '../../../src/shared/seeded-random.js';

/** Above this expected number, the normal distribution is used. */
const MANY = 15;

/** The number of successes of `trials`. */
export function binomial(random: SeededRandom, trials: number, probability: number): number {
  if (probability > 0.5) return trials - binomial(random, trials, 1 - probability);
  if (trials * probability < MANY) return byGaps(random, trials, probability);
  const deviation = Math.sqrt(trials * probability * (1 - probability));
  return Math.max(0, Math.min(trials, Math.round(trials * probability + deviation * normal(random))));
}

/** The distances between successes are geometric. */
function byGaps(random: SeededRandom, trials: number, probability: number): number {
  if (probability <= 0) return 0;
  const failure = Math.log(1 - probability);
  for (let at = 0, successes = 0; ; successes++) {
    at += Math.floor(Math.log(1 - random.next()) / failure) + 1;
    if (at > trials) return successes;
  }
}

const normal = (random: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
