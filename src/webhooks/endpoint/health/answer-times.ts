// A histogram of answer times. Its classes grow by a fifth, so a day of an endpoint is the sum of 24 short lists. A
// percentile is accurate to a tenth, regardless of the number of answers.

/** Ratio of the upper bounds of two adjacent classes. */
const GROWTH = 2 ** (1 / 4);
/** Upper bound of the first class. */
const FIRST_MS = 1;

/** Number of classes. They reach 0.7 minutes, longer than any attempt. The last class also counts longer times. */
export const ANSWER_TIME_CLASSES = 62;

/** Returns the class of an answer of `durationMs`, from 0. */
export function answerTimeClass(durationMs: number): number {
  if (durationMs <= FIRST_MS) return 0;
  const index = Math.ceil(Math.log(durationMs / FIRST_MS) / Math.log(GROWTH));
  return Math.min(index, ANSWER_TIME_CLASSES - 1);
}

/** Returns the time in whole ms within which `share` (0 to 1) of the answers arrived; `null` without answers. */
export function answerTimePercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  const last = counts.findLastIndex((count) => count > 0);
  for (const [index, count] of counts.entries()) {
    if (count > 0 && (left <= count || index === last)) return Math.round(within(index, Math.min(1, left / count)));
    left -= count;
  }
  return null;
}

/** Interpolates in a class, as if its answers were evenly distributed. */
function within(index: number, share: number): number {
  const from = index === 0 ? 0 : FIRST_MS * GROWTH ** (index - 1);
  return from + (FIRST_MS * GROWTH ** index - from) * share;
}
