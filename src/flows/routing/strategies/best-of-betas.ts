import { LRUCache } from 'lru-cache';

/** A rate that is not known, Beta(a, b), a and b at least 1. */
export type BetaShape = readonly [a: number, b: number];

/**
 * The range 0 … 1 in cells. The narrowest rate that they resolve, half a cell's width as its deviation, comes from some
 * 100,000 outcomes; narrower ones count as one cell.
 */
const CELLS = 512;

const MIDDLES = Float64Array.from({ length: CELLS }, (_, cell) => (cell + 0.5) / CELLS);
const LOGS = MIDDLES.map(Math.log);

interface Table {
  /** By cell: how likely the rate is in it. */
  mass: Float64Array;
  /** By cell: how likely the rate is below its middle. */
  below: Float64Array;
}

/** Between two decisions the outcomes of few shops change: 8 KB each. */
const tables = new LRUCache<string, Table>({ max: 500 });

/**
 * How likely each of the rates is to be the highest, to about three digits. They add up to 1. The integral of one's density
 * times all others' distribution functions, cell by cell.
 */
export function bestOfBetas(shapes: readonly BetaShape[]): number[] {
  const rates = shapes.map(tableOf);
  const allBelow = new Float64Array(CELLS).fill(1);
  for (const { below } of rates) for (let cell = 0; cell < CELLS; cell++) allBelow[cell]! *= below[cell]!;
  const highest = rates.map((rate) => isHighest(rate, allBelow));
  const sum = highest.reduce((one, other) => one + other, 0);
  return highest.map((each) => each / sum);
}

function isHighest({ mass, below }: Table, allBelow: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    // where all are below, this one is, so the divisor is not 0
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

function tabulated(a: number, b: number): Table {
  // relative to the highest cell, so that nothing overflows and something is left
  const logs = LOGS.map((log, cell) => (a - 1) * log + (b - 1) * LOGS[CELLS - 1 - cell]!);
  const top = logs.reduce((one, other) => Math.max(one, other));
  const mass = logs.map((log) => Math.exp(log - top));
  const sum = mass.reduce((one, other) => one + other);
  const below = new Float64Array(CELLS);
  let before = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    mass[cell]! /= sum;
    below[cell] = before + mass[cell]! / 2;
    before += mass[cell]!;
  }
  return { mass, below };
}
