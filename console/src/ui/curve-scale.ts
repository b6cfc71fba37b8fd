/** Possible distances between labels: 1, 2 or 5 and zeros. */
const DIGITS = [1, 2, 5, 10];
/** At most so many distances fit next to a chart. */
const MOST_STEPS = 5;

/**
 * The labels of an axis, from the lowest up, all equally far apart: they enclose the values. `minStep`: the smallest distance,
 * such as 1 for counts. Without values, or if all are equal, the axis has one step.
 */
export function ticksOf(low: number, high: number, minStep: number): number[] {
  const step = stepOf((high - low) / MOST_STEPS, minStep);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  // a product is exact more often than a sum
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
}

function stepOf(least: number, minStep: number): number {
  if (least <= minStep) return minStep;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(minStep, rounded(DIGITS.find((digit) => digit * power >= least * (1 - 1e-9))! * power));
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/** Indexes of points that get a label: the first, the last, and some between them, equally far apart if possible. */
export function labelledPoints(count: number, most: number): number[] {
  const labels = Math.min(count, most);
  const indexes = Array.from({ length: labels }, (_, index) =>
    Math.round((index * (count - 1)) / Math.max(1, labels - 1)),
  );
  return [...new Set(indexes)];
}

/** Parts of a line, with indexes of their points: a point without a value divides it. */
export function partsOf(values: readonly (number | null)[]): number[][] {
  const parts: number[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    if (index > 0 && values[index - 1] !== null) parts.at(-1)!.push(index);
    else parts.push([index]);
  });
  return parts;
}
