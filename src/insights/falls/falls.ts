import { chanceOfDifference, differences, type Successes } from '@payment-orchestrator/routing/statistics/significance';

/** Attempts of a shop with cards of a scheme that have ended: of the last 24 hours, and of the 24 hours before. */
export interface WatchedCell {
  shopId: number;
  /** '': unknown. */
  scheme: string;
  now: Successes;
  before: Successes;
}

/** A cell whose approval rate is low; the numbers are those of the time when it fell. */
export interface Fall {
  shopId: number;
  scheme: string;
  fellAt: Date;
  rate: number;
  rateBefore: number;
}

/** The result of a look at all cells of a merchant. */
export interface FallSignals {
  fell: WatchedCell[];
  /** Falls that are over. */
  ended: Fall[];
}

const LOOKS_A_DAY = 96;
/** The time between two looks. */
export const LOOK_PAUSE_MS = 86_400_000 / LOOKS_A_DAY;

/** Where no rate falls, a merchant has a false fall on at most this share of days: the looks of a day divide it. */
const FALSE_DAYS = 0.05;

/** After this time a low rate is the usual one. */
const LONGEST_MS = 7 * 86_400_000;

export const rateOf = ({ successes, trials }: Successes): number => successes / trials;

/**
 * Finds cells whose approval rate fell beyond chance (docs/decisions/116-changes-beyond-chance.md), and falls that are over. A cell
 * that has fallen is not found again until its rate has come back half of the way, has no attempts left, or a week is over. Pure.
 */
export function fallsOf(cells: readonly WatchedCell[], known: readonly Fall[], now: Date): FallSignals {
  const keyOf = ({ shopId, scheme }: Pick<Fall, 'shopId' | 'scheme'>): string => `${shopId} ${scheme}`;
  const fallen = new Set(known.map(keyOf));
  const byKey = new Map(cells.map((cell) => [keyOf(cell), cell]));
  const compared = cells.filter((cell) => cell.now.trials > 0 && cell.before.trials > 0);
  const chances = compared.map((cell) => chanceOfDifference(cell.now, cell.before));
  const isReal = differences(chances, FALSE_DAYS / LOOKS_A_DAY);
  return {
    fell: compared.filter(
      (cell, index) => isReal[index] && rateOf(cell.now) < rateOf(cell.before) && !fallen.has(keyOf(cell)),
    ),
    ended: known.filter((fall) => isOver(fall, byKey.get(keyOf(fall)), now)),
  };
}

function isOver({ rate, rateBefore, fellAt }: Fall, cell: WatchedCell | undefined, now: Date): boolean {
  if (cell === undefined || cell.now.trials === 0) return true;
  return rateOf(cell.now) >= (rate + rateBefore) / 2 || now.getTime() - fellAt.getTime() >= LONGEST_MS;
}
