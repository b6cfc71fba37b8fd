// How long answers took, as counts of classes that grow by a fifth: a day of an endpoint is added up from 24 short lists,
// and a percentile of it is right within a tenth, whatever the number of answers.

/** Each class reaches up to so many times the one before. */
const GROWTH = 2 ** (1 / 4);
/** The first class holds what took up to so many ms. */
const FIRST_MS = 1;

/** Of 0.7 minutes; an attempt never takes that long. The last class holds whatever took longer. */
export const ANSWER_TIME_CLASSES = 62;

/** Which class an answer of `durationMs` belongs to, from 0. */
export function answerTimeClass(durationMs: number): number {
  if (durationMs <= FIRST_MS) return 0;
  const index = Math.ceil(Math.log(durationMs / FIRST_MS) / Math.log(GROWTH));
  return Math.min(index, ANSWER_TIME_CLASSES - 1);
}

/** Within how many whole ms `share` (0 to 1) of the answers came; `null` when there were none. */
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

/** As if the answers of a class were spread over it evenly. */
function within(index: number, share: number): number {
  const from = index === 0 ? 0 : FIRST_MS * GROWTH ** (index - 1);
  return from + (FIRST_MS * GROWTH ** index - from) * share;
}
