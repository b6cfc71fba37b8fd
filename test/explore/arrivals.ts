import type { SeededRandom } from '../../src/shared/seeded-random.js';

const MAX_DELAY_MS = 30;
/** Shares of wake-ups that are lost, late or delivered twice. */
const LOST = 0.05;
const LATE = 0.05;
const TWICE = 0.05;
const MAX_LATE_MS = 3_000;

/** When the wake-ups of one notification arrive. Empty if they are lost. */
export function arrivals(random: SeededRandom): number[] {
  if (random.chance(LOST)) return [];
  const count = random.chance(TWICE) ? 2 : 1;
  return Array.from({ length: count }, () =>
    random.chance(LATE) ? random.between(MAX_DELAY_MS, MAX_LATE_MS) : random.between(1, MAX_DELAY_MS),
  );
}
