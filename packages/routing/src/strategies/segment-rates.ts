import type { SegmentRate } from '../facts/shop.js';

/** The outcomes of a shop in a segment. Older hours weigh less, so the counts need not be whole. */
export interface SegmentCell {
  shopId: number;
  /** The values of the segment's first fields; none: all payments of the shop. */
  values: readonly string[];
  approved: number;
  /** Declines, and faults of the shop. */
  others: number;
}

/** A rate at each end would make the odds infinite. */
const MARGIN = 1e-4;
/** Outcomes that a segment's rate over all shops borrows from the coarser segment. */
const BORROWED = 10;
/** Cells with fewer outcomes say nothing about how much segments differ. */
const MIN_OUTCOMES = 2;
/** The bounds of the strength of the coarser rate, in outcomes. */
const MIN_STRENGTH = 10;
const MAX_STRENGTH = 5_000;
/** Before there are outcomes, shops are assumed to differ little more in segments than as a whole. */
const ASSUMED_SPREAD = 1 / 1_000;
/** The number of outcomes that count for as much as this assumption. */
const ASSUMED_WEIGHT = 1_000;

/**
 * The weight of older outcomes of the whole shop, next to those of the last hour. They are enough for a shop that gets few
 * payments, and do not hide a change of a shop that gets many.
 */
const MAX_OLDER = 100;

/** Values of a field that an explanation tries. */
const MAX_VALUES = 50;

const NO_PARTS: ReadonlyMap<string, Segment> = new Map();

/** A segment: the outcomes of one shop, or of all shops. */
class Segment {
  approved = 0;
  others = 0;
  /** The rate of all shops in this segment. Of a shop: the rate that all shops would have with the shop's payments. */
  rate = 0;
  /** Most segments have none. */
  parts: ReadonlyMap<string, Segment> = NO_PARTS;

  get outcomes(): number {
    return this.approved + this.others;
  }

  /** A cell may be negative for a moment: the correction of an outcome may be counted before the outcome itself. */
  add({ approved, others }: Pick<SegmentCell, 'approved' | 'others'>): void {
    this.approved += Math.max(0, approved);
    this.others += Math.max(0, others);
  }

  at(values: readonly string[]): Segment {
    const [value, ...finer] = values;
    if (value === undefined) return this;
    return this.part(value).at(finer);
  }

  /** The segments with `level` values. */
  allAt(level: number): Segment[] {
    return level === 0 ? [this] : [...this.parts.values()].flatMap((part) => part.allAt(level - 1));
  }

  private part(value: string): Segment {
    const known = this.parts.get(value);
    if (known) return known;
    const part = new Segment();
    if (this.parts === NO_PARTS) this.parts = new Map([[value, part]]);
    else (this.parts as Map<string, Segment>).set(value, part);
    return part;
  }
}

/**
 * Approval rates of shops in segments of up to two fields, with back-off to the coarser rate
 * (docs/decisions/087-approval-rates-by-segment.md).
 *
 * The coarser rate is the mean of a Beta distribution to which the outcomes of the finer cell are added. A shop's rate
 * cannot be compared with another shop's rate in a segment, because segments differ in level: so the mean is shifted,
 * in odds, by the difference of all shops' rate in the segment from what they would reach with this shop's mix of
 * payments. The strength of that distribution follows from the data: how much more the cells scatter around such means
 * than chance explains.
 */
export class SegmentRates {
  private readonly shops = new Map<number, Segment>();
  private readonly all = new Segment();
  /** By level: the number of outcomes that the coarser rate counts for, if that rate were known exactly. */
  private readonly strengths: readonly number[];

  /** `fields`: the number of fields of the finest segments. */
  constructor(cells: readonly SegmentCell[], fields: number) {
    for (const cell of cells) {
      this.shopOf(cell.shopId).at(cell.values).add(cell);
      this.all.at(cell.values).add(cell);
    }
    setRates(this.all, (this.all.approved + 1) / (this.all.outcomes + 2));
    for (const shop of this.shops.values()) setExpected(shop, this.all);
    this.strengths = Array.from({ length: fields }, (_, level) => this.strengthAt(level));
  }

  /**
   * The shop's rate in the segment with these values, at most `fields`. `flat`: approved and other outcomes of the whole
   * shop, which may be more recent than the cells.
   */
  rateOf(shopId: number, values: readonly string[], flat: Pick<SegmentCell, 'approved' | 'others'>): SegmentRate {
    let own = this.shops.get(shopId);
    let all = this.all;
    let level = 0;
    let { approved, others } = flat;
    const older = own ? Math.min(1, MAX_OLDER / Math.max(1, own.outcomes)) : 0;
    let a = 1 + approved + older * (own?.approved ?? 0);
    let b = 1 + others + older * (own?.others ?? 0);
    for (const [index, value] of values.entries()) {
      const part = all.parts.get(value);
      if (!part) break;
      const outcomes = a + b;
      const strength = this.strengthOf(outcomes, index);
      const mean = shifted(a / (a + b), part.rate, own?.rate ?? all.rate);
      [own, all] = [own?.parts.get(value), part];
      a = strength * mean + (own?.approved ?? 0);
      b = strength * (1 - mean) + (own?.others ?? 0);
      // the coarser rate includes the outcomes of this cell, which count for the cell here
      if (own && own.outcomes >= this.strengthOf(Math.max(1, outcomes - own.outcomes), index)) {
        [level, approved, others] = [index + 1, own.approved, own.others];
      }
    }
    return { level, approved: rounded(approved), others: rounded(others), shape: [shapeOf(a), shapeOf(b)] };
  }

  /** For each field the values that have outcomes, at most `MAX_VALUES`: those with most outcomes, and not the unknown one. */
  values(): string[][] {
    return this.strengths.map((_, level) => {
      const outcomes = new Map<string, number>();
      for (const segment of this.all.allAt(level))
        for (const [value, part] of segment.parts) outcomes.set(value, (outcomes.get(value) ?? 0) + part.outcomes);
      outcomes.delete('');
      const ordered = [...outcomes].sort(([, one], [, other]) => other - one);
      return ordered.slice(0, MAX_VALUES).map(([value]) => value);
    });
  }

  /** The number of outcomes that a coarser rate of so many outcomes counts for. */
  private strengthOf(outcomes: number, level: number): number {
    return 1 / (1 / outcomes + 1 / this.strengths[level]!);
  }

  private shopOf(id: number): Segment {
    const shop = this.shops.get(id) ?? new Segment();
    this.shops.set(id, shop);
    return shop;
  }

  /**
   * The strength of the coarser rate for cells with `level + 1` values: the concentration of a beta-binomial
   * distribution, by the method of moments. Where a cell's mean is right, its squared standard error is 1 on average;
   * with a spread ρ of the rates it is 1 + (outcomes - 1) ρ.
   */
  private strengthAt(level: number): number {
    let excess = ASSUMED_SPREAD * ASSUMED_WEIGHT;
    let weight = ASSUMED_WEIGHT;
    for (const cells of this.observedAt(level)) {
      // each shop's rate and each segment's rate is estimated from the same cells
      const freedom =
        cells.length - new Set(cells.map(({ shop }) => shop)).size - new Set(cells.map(({ value }) => value)).size + 1;
      if (cells.length === 0 || freedom <= 0) continue;
      excess += cells.reduce((sum, { error }) => sum + error, 0) - freedom;
      weight += (cells.reduce((sum, { outcomes }) => sum + outcomes - 1, 0) * freedom) / cells.length;
    }
    const spread = Math.max(excess / weight, 1 / (MAX_STRENGTH + 1));
    return Math.max(MIN_STRENGTH, 1 / spread - 1);
  }

  /** The shops' cells with `level + 1` values, by the segment that they divide. Only pairs of shop and segment that exist. */
  private observedAt(level: number): Iterable<ObservedCell[]> {
    const bySegment = new Map<Segment, ObservedCell[]>();
    for (const shop of this.shops.values()) {
      for (const [own, all] of segmentsAt(shop, this.all, level)) {
        const cells = cellsOf(shop, own, all);
        const known = bySegment.get(all);
        if (known) known.push(...cells);
        else bySegment.set(all, cells);
      }
    }
    return bySegment.values();
  }
}

interface ObservedCell {
  shop: Segment;
  value: string;
  outcomes: number;
  /** The square of its difference from the mean, in standard errors. */
  error: number;
}

/** The parts of the shop's segment `own`, with their distance from what the coarser rate says. */
function cellsOf(shop: Segment, own: Segment, all: Segment): ObservedCell[] {
  const coarser = (own.approved + 2 * all.rate) / (own.outcomes + 2);
  const { rate: expected } = own;
  return [...own.parts].flatMap(([value, { approved, outcomes }]) => {
    if (outcomes < MIN_OUTCOMES) return [];
    const mean = shifted(coarser, all.parts.get(value)!.rate, expected);
    return [{ shop, value, outcomes, error: (approved - outcomes * mean) ** 2 / (outcomes * mean * (1 - mean)) }];
  });
}

/** The segments of a shop with `level` values, each with that of all shops. */
function segmentsAt(own: Segment, all: Segment, level: number): (readonly [own: Segment, all: Segment])[] {
  if (level === 0) return [[own, all]];
  return [...own.parts].flatMap(([value, part]) => segmentsAt(part, all.parts.get(value)!, level - 1));
}

function setRates(segment: Segment, rate: number): void {
  segment.rate = bounded(rate);
  for (const part of segment.parts.values()) {
    setRates(part, (part.approved + BORROWED * rate) / (part.outcomes + BORROWED));
  }
}

/** Sets the rate that all shops would have with the payments of this one. */
function setExpected(own: Segment, all: Segment): void {
  let approved = 0;
  let outcomes = 0;
  for (const [value, part] of own.parts) {
    const everywhere = all.parts.get(value)!;
    setExpected(part, everywhere);
    approved += part.outcomes * everywhere.rate;
    outcomes += part.outcomes;
  }
  own.rate = outcomes > 0 ? bounded(approved / outcomes) : all.rate;
}

const bounded = (rate: number): number => Math.min(1 - MARGIN, Math.max(MARGIN, rate));

/** The rate, with its odds multiplied by the odds of `to` over those of `from`. */
function shifted(rate: number, to: number, from: number): number {
  const odds = ((rate / (1 - rate)) * (to / (1 - to)) * (1 - from)) / from;
  return bounded(odds / (1 + odds));
}

/** The samples need at least 1. Four digits: the trace has exactly what decided, in few bytes. */
const shapeOf = (value: number): number => Math.max(1, Number(value.toPrecision(4)));

const rounded = (count: number): number => Math.round(count * 10) / 10;
