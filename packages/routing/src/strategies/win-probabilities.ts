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

/** A rate is treated as certain not to be where it is with this probability or less. */
const NEGLIGIBLE = 1e-9;

/** The distribution function of a rate, at the edges of the cells. */
interface Table {
  edges: Float64Array;
  /** The rate is certainly not below `first`, nor above `last`; both are edges. */
  first: number;
  last: number;
  /** Only if the rate was multiplied: the slopes at the edges. */
  slopes?: Float64Array;
}

/** 4 KB per entry, 8 KB with slopes. Between two decisions the outcomes of few shops change, so most entries are found again. */
const tables = new LRUCache<string, Table>({ max: 1_000 });

/** A distribution function at edges from `at` on, for `cells` cells; above them it is 1. */
interface Rate {
  edges: Float64Array;
  at: number;
  cells: number;
}

/**
 * The probability of each rate to be the highest (Thompson sampling), to about three digits; the sum is 1. Integrates
 * the density of one rate times the distribution functions of all others, over the cells in which the highest rate may be.
 * `factors`, 0 to 1: each rate is multiplied by its factor first; equal products count for the first of them.
 */
export function winProbabilities(shapes: readonly BetaShape[], factors?: readonly number[]): number[] {
  const highestFactor = factors ? Math.max(...factors) : 1;
  if (highestFactor === 0) return shapes.map((_, index) => (index === 0 ? 1 : 0));
  const rates = inWindow(
    shapes.map(tableOf),
    factors?.map((factor) => factor / highestFactor),
  );
  const allBelow = new Float64Array(Math.max(...rates.map(({ cells }) => cells))).fill(1);
  for (const rate of rates) multiplyBelow(allBelow, rate);
  const highest = rates.map((rate) => winMass(rate, allBelow));
  const sum = highest.reduce((one, other) => one + other, 0);
  return highest.map((each) => each / sum);
}

/** The products from the edge on below which the highest of them is certainly not. */
function inWindow(tables: readonly Table[], factors: readonly number[] | undefined): Rate[] {
  const factorOf = (index: number): number => factors?.[index] ?? 1;
  const from = Math.max(...tables.map(({ first }, index) => Math.floor(first * factorOf(index))));
  if (scratch.length < tables.length * (CELLS + 1)) scratch = new Float64Array(tables.length * (CELLS + 1));
  let used = 0;
  return tables.map((table, index) => {
    const factor = factorOf(index);
    const cells = Math.max(0, Math.ceil(table.last * factor) - from);
    if (factor === 1 || cells === 0) return { edges: table.edges, at: from, cells };
    const at = used;
    used += cells + 1;
    writeScaled(table, factor, from, scratch.subarray(at, used));
    return { edges: scratch, at, cells };
  });
}

/** Reused by all calls: new arrays for hundreds of rates would cost more than their contents. */
let scratch = new Float64Array(0);

/**
 * Writes the distribution function of a rate times `factor` at edges from `from` on: it is below a value if the rate is below
 * the value divided by the factor. Not cached, because factors depend on the amount.
 */
function writeScaled(table: Table, factor: number, from: number, to: Float64Array): void {
  const { edges } = table;
  const slopes = (table.slopes ??= slopesOf(edges));
  for (let edge = 0; edge < to.length; edge++) to[edge] = probabilityBelow(edges, slopes, (from + edge) / factor);
}

/** Slopes of a monotone cubic between the edges (Fritsch and Carlson 1980): a straight line would widen a narrow rate. */
function slopesOf(edges: Float64Array): Float64Array {
  const slopes = new Float64Array(CELLS + 1);
  for (let edge = 0; edge <= CELLS; edge++) {
    const left = edge > 0 ? edges[edge]! - edges[edge - 1]! : edges[1]!;
    const right = edge < CELLS ? edges[edge + 1]! - edges[edge]! : left;
    slopes[edge] = Math.min((left + right) / 2, 3 * left, 3 * right);
  }
  return slopes;
}

/** The probability that the rate is below `position`, in cells from 0. */
function probabilityBelow(edges: Float64Array, slopes: Float64Array, position: number): number {
  if (position >= CELLS) return 1;
  const cell = Math.floor(position);
  const edge = edges[cell]!;
  const slope = slopes[cell]!;
  const nextSlope = slopes[cell + 1]!;
  const rise = edges[cell + 1]! - edge;
  const x = position - cell;
  return edge + x * (slope + x * (3 * rise - 2 * slope - nextSlope + x * (slope + nextSlope - 2 * rise)));
}

/** Multiplies each cell by the probability that the rate is below the cell's middle. */
function multiplyBelow(allBelow: Float64Array, { edges, at, cells }: Rate): void {
  let before = edges[at]!;
  for (let cell = 0; cell < cells; cell++) {
    const after = edges[at + cell + 1]!;
    allBelow[cell]! *= (before + after) / 2;
    before = after;
  }
}

function winMass({ edges, at, cells }: Rate, allBelow: Float64Array): number {
  let sum = 0;
  let before = edges[at]!;
  for (let cell = 0; cell < cells; cell++) {
    const after = edges[at + cell + 1]!;
    // if all are below, this one is too, so the divisor is not 0
    if (allBelow[cell]! > 0) sum += ((after - before) * allBelow[cell]! * 2) / (before + after);
    before = after;
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
  const edges = new Float64Array(CELLS + 1);
  let top = -Infinity;
  for (let cell = 0; cell < CELLS; cell++) {
    const log = (a - 1) * LOGS[cell]! + (b - 1) * LOGS[CELLS - 1 - cell]!;
    edges[cell + 1] = log;
    if (log > top) top = log;
  }
  let sum = 0;
  for (let edge = 1; edge <= CELLS; edge++) {
    // relative to the highest cell: this avoids overflow, and the sum cannot become 0
    sum += Math.exp(edges[edge]! - top);
    edges[edge] = sum;
  }
  let first = 0;
  let last = CELLS;
  for (let edge = 1; edge <= CELLS; edge++) {
    edges[edge]! /= sum;
    if (edges[edge]! <= NEGLIGIBLE) first = edge;
    if (last === CELLS && edges[edge]! >= 1 - NEGLIGIBLE) last = edge;
  }
  return { edges, first, last };
}
