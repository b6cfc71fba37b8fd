import { segmentValue, type SegmentField } from '../facts/segment.js';
import type { SegmentRate, ShopStats } from '../facts/shop.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { ShopRoute } from './routable-flow.js';
import type { SegmentRates } from '../strategies/segment-rates.js';
import type { Pool } from '../strategies/strategy.js';

/** The known approval rates in segments, for each list of fields that a flow uses. */
export interface Segments {
  /** `undefined`: nothing is known, so the rate of the whole shop decides. */
  rateOf(
    by: readonly SegmentField[],
    values: readonly string[],
    shopId: number,
    flat: ShopStats,
  ): SegmentRate | undefined;
  /** For each field the values that have outcomes, those with most outcomes first. */
  valuesOf(by: readonly SegmentField[]): readonly (readonly string[])[];
}

export const NO_SEGMENTS: Segments = { rateOf: () => undefined, valuesOf: () => [] };

/** The rates that were read, by their fields. */
export class ReadSegments implements Segments {
  private readonly rates: ReadonlyMap<string, SegmentRates>;

  constructor(read: readonly (readonly [by: readonly SegmentField[], rates: SegmentRates])[]) {
    this.rates = new Map(read.map(([by, rates]) => [by.join(), rates]));
  }

  rateOf(by: readonly SegmentField[], values: readonly string[], shopId: number, flat: ShopStats) {
    const { approved, declined, failed } = flat;
    return this.rates.get(by.join())?.rateOf(shopId, values, { approved, others: declined + failed });
  }

  valuesOf(by: readonly SegmentField[]) {
    return this.rates.get(by.join())?.values() ?? [];
  }
}

const NO_OUTCOMES: ShopStats = { approved: 0, declined: 0, failed: 0, health: 'healthy' };

/** The statistics with the rates of the shops to choose from in the request's segment. */
export function withSegments(
  statsByShop: ReadonlyMap<number, ShopStats>,
  { route, pool }: { route: ShopRoute; pool: Pool },
  request: RoutingRequest,
  segments: Segments,
): ReadonlyMap<number, ShopStats> {
  const by = route.by!;
  const values = knownValues(by, request);
  const rated = new Map(statsByShop);
  for (const { shop } of pool.shops) {
    const stats = statsByShop.get(shop.id) ?? NO_OUTCOMES;
    const segment = segments.rateOf(by, values, shop.id, stats);
    if (segment) rated.set(shop.id, { ...stats, segment });
  }
  return rated;
}

/**
 * The request's values of the fields, up to the first unknown one. An attempt may get a value later from its provider, so
 * the cell of unknown values has only what failed early.
 */
function knownValues(by: readonly SegmentField[], request: RoutingRequest): string[] {
  const values: string[] = [];
  for (const field of by) {
    const value = segmentValue(field, request);
    if (value === undefined || value === '') break;
    values.push(value);
  }
  return values;
}
