import { LRUCache } from 'lru-cache';

/** The distribution of an unknown rate: Beta(a, b), a and b at least 1. */
export type BetaShape = readonly [a: number, b: number];

/**
 * The number of cells that divide the range 0 … 1. The narrowest rate that they resolve has half a cell as its standard
 * deviation, which takes about 100,000 outcomes. Narrower rates count as one cell.
 */
const CELLS = 512;

const MIDDLES = Float64Array.from({ length: CELLS }, (_, cell) => (cell + 0.5) / CELLS);
const LOGS = MIDDLES.map(Math.log);

interface Table {
  /** By cell: the probability that the rate is in it. */
  mass: Float64Array;
  /** By cell: the probability that the rate is below its middle. */
  below: Float64Array;
  /** Only if the rate was multiplied. */
  curve?: Curve;
}

/** 8 KB per entry, 16 KB with a curve. Between two decisions the outcomes of few shops change, so most entries are found again. */
const tables = new LRUCache<string, Table>({ max: 500 });

/**
 * The probability of each rate to be the highest (Thompson sampling), to about three digits; the sum is 1. Integrates
 * the density of one rate times the distribution functions of all others, cell by cell. `factors`, 0 to 1: each rate is
 * multiplied by its factor first; equal products count for the first of them.
 */
export function winProbabilities(shapes: readonly BetaShape[], factors?: readonly number[]): number[] {
  const highestFactor = factors && Math.max(...factors);
  if (highestFactor === 0) return shapes.map((_, index) => (index === 0 ? 1 : 0));
  const rates = shapes.map((shape, index) => scaled(tableOf(shape), factors ? factors[index]! / highestFactor! : 1));
  const allBelow = new Float64Array(CELLS).fill(1);
  for (const { below } of rates) for (let cell = 0; cell < CELLS; cell++) allBelow[cell]! *= below[cell]!;
  const highest = rates.map((rate) => winMass(rate, allBelow));
  const sum = highest.reduce((one, other) => one + other, 0);
  return highest.map((each) => each / sum);
}

/**
 * The distribution of a rate times `factor`, 0 to 1: it is below a value if the rate is below the value divided by the
 * factor. A product that is always 0 never wins. Not cached, because factors depend on the amount.
 */
function scaled(table: Table, factor: number): Table {
  if (factor === 1) return table;
  const mass = new Float64Array(CELLS);
  if (factor === 0) return { mass, below: mass.map(() => 1) };
  const below = new Float64Array(CELLS);
  const curve = (table.curve ??= curveOf(table));
  let before = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    const after = probabilityBelow(curve, (cell + 1) / factor);
    mass[cell] = after - before;
    below[cell] = probabilityBelow(curve, (cell + 0.5) / factor);
    before = after;
  }
  return { mass, below };
}

/** At the edges of the cells: the probability that the rate is below, and the slope there. */
interface Curve {
  edges: Float64Array;
  slopes: Float64Array;
}

/** A monotone cubic between the edges (Fritsch and Carlson 1980): a straight line would widen a narrow rate. */
function curveOf({ mass, below }: Table): Curve {
  const edges = new Float64Array(CELLS + 1);
  const slopes = new Float64Array(CELLS + 1);
  for (let edge = 0; edge <= CELLS; edge++) {
    const [left, right] = [mass[Math.max(0, edge - 1)]!, mass[Math.min(edge, CELLS - 1)]!];
    slopes[edge] = Math.min((left + right) / 2, 3 * left, 3 * right);
    edges[edge] = edge < CELLS ? below[edge]! - mass[edge]! / 2 : 1;
  }
  return { edges, slopes };
}

/** The probability that the rate is below `position`, in cells from 0. */
function probabilityBelow({ edges, slopes }: Curve, position: number): number {
  if (position >= CELLS) return 1;
  const cell = Math.floor(position);
  const slope = slopes[cell]!;
  const nextSlope = slopes[cell + 1]!;
  const rise = edges[cell + 1]! - edges[cell]!;
  const x = position - cell;
  return edges[cell]! + x * (slope + x * (3 * rise - 2 * slope - nextSlope + x * (slope + nextSlope - 2 * rise)));
}

function winMass({ mass, below }: Table, allBelow: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    // if all are below, this one is too, so the divisor is not 0
    if (allBelow[cell]! > 0) sum += (mass[cell]! * allBelow[cell]!) / below[cell]!;
  }
  return sum;
}

function tableOf([a, b]: BetaShape): Table {
  const key = `${a}:${b}`;
  const known = tables.get(key);
  if (known) return known;
  const table = tabulated(a, b);
  tables.set(key, table);
  return table;
}

/** With plain loops, which take a quarter of the time of array methods: a flow may have 300 shops with changing rates. */
function tabulated(a: number, b: number): Table {
  const mass = new Float64Array(CELLS);
  const below = new Float64Array(CELLS);
  let top = -Infinity;
  for (let cell = 0; cell < CELLS; cell++) {
    const log = (a - 1) * LOGS[cell]! + (b - 1) * LOGS[CELLS - 1 - cell]!;
    mass[cell] = log;
    if (log > top) top = log;
  }
  let sum = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    // relative to the highest cell: this avoids overflow, and the sum cannot become 0
    mass[cell] = Math.exp(mass[cell]! - top);
    sum += mass[cell]!;
  }
  let before = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    mass[cell]! /= sum;
    below[cell] = before + mass[cell]! / 2;
    before += mass[cell]!;
  }
  return { mass, below };
}
