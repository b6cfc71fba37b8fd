/** Results of a number of payments. */
export interface Successes {
  successes: number;
  /** At least as many as `successes`. */
  trials: number;
}

/** Terms below this part of their sum do not change it. */
const NEGLIGIBLE = 1e-16;

/**
 * The probability that two equal rates differ at least as much by chance, in either direction: twice the smaller tail of
 * Fisher's exact test, at most 1. Exact for any numbers, so that a few payments seldom look like a change. Pure.
 */
export function chanceOfDifference(one: Successes, other: Successes): number {
  const all = one.trials + other.trials;
  const successes = one.successes + other.successes;
  const isBelow = one.successes * all < successes * one.trials;
  // the upper tail of the successes is the lower one of the failures
  const [seen, marked] = isBelow ? [one.successes, successes] : [one.trials - one.successes, all - successes];
  return Math.min(1, 2 * lowerTail(seen, { drawn: one.trials, marked, all }));
}

interface Urn {
  drawn: number;
  marked: number;
  all: number;
}

/** The probability of at most `seen` marked balls among the drawn ones: terms from the largest one down. */
function lowerTail(seen: number, { drawn, marked, all }: Urn): number {
  const rest = all - drawn;
  let term = Math.exp(logChoices(drawn, seen) + logChoices(rest, marked - seen) - logChoices(all, marked));
  let sum = term;
  for (let count = seen; count > 0 && term > sum * NEGLIGIBLE; count--) {
    term *= (count * (rest - marked + count)) / ((drawn - count + 1) * (marked - count + 1));
    sum += term;
  }
  return sum;
}

const logChoices = (from: number, choose: number): number =>
  logFactorial(from) - logFactorial(choose) - logFactorial(from - choose);

const EXACT_UP_TO = 20;

/** Stirling's series: below 1e-12 off from 20 on. */
function logFactorial(number: number): number {
  if (number <= EXACT_UP_TO) {
    let product = 1;
    for (let factor = 2; factor <= number; factor++) product *= factor;
    return Math.log(product);
  }
  const series = 1 / (12 * number) - 1 / (360 * number ** 3) + 1 / (1_260 * number ** 5);
  return number * Math.log(number) - number + Math.log(2 * Math.PI * number) / 2 + series;
}

/**
 * Which of many comparisons show a difference: on average at most `rate` of the chosen ones are by chance, and where nothing
 * differs, any is chosen with a probability of at most `rate` (Benjamini and Hochberg 1995). `chances`: one of
 * {@link chanceOfDifference} each; the answer is in their order. Pure.
 */
export function differences(chances: readonly number[], rate: number): boolean[] {
  const sorted = [...chances].sort((one, other) => one - other);
  const last = sorted.findLastIndex((chance, index) => chance <= (rate * (index + 1)) / sorted.length);
  const limit = sorted[last];
  return chances.map((chance) => limit !== undefined && chance <= limit);
}
