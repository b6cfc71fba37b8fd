import type { Schema } from '@payment-orchestrator/client';
import type { ReportName } from './reports-search';

type Report = Schema<'Report'>;
type Sum = Report['sums'][number];

/** The sums of a shop in one currency over the whole period, and over the period before. */
export interface ShopFigures {
  shopId: number;
  shop: string;
  currency: string | undefined;
  now: Figure;
  before: Figure;
}

export interface Figure {
  count: number;
  /** The report's figure: an amount, a fee, or a rate from 0 to 1; `null`: there is none. */
  value: number | null;
}

/** The currency with the most rows; `undefined`: there are none, or the report has no currencies. */
export function mainCurrency({ sums }: Report): string | undefined {
  const counts = new Map<string, number>();
  for (const { currency, count } of sums) if (currency) counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The figure of each period in one currency. A period without anything has the amount 0, and no rate. */
export const valuesOf = (
  report: ReportName,
  { periods, sums }: Report,
  currency: string | undefined,
): (number | null)[] =>
  periods.map((period) => {
    const own = sums.filter((sum) => sum.period === period && (currency === undefined || sum.currency === currency));
    return figureOf(report, own).value;
  });

/** One row per shop and currency, those with the most rows first. */
export function shopFigures(report: ReportName, now: Report, before: Report | undefined): ShopFigures[] {
  const groups = new Map<string, { now: Sum[]; before: Sum[] }>();
  const add = (sums: readonly Sum[], when: 'now' | 'before'): void => {
    for (const sum of sums) {
      const key = `${sum.shop_id} ${sum.currency ?? ''}`;
      if (!groups.has(key)) groups.set(key, { now: [], before: [] });
      groups.get(key)![when].push(sum);
    }
  };
  add(now.sums, 'now');
  add(before?.sums ?? [], 'before');
  return [...groups.values()]
    .map((group) => {
      const { shop_id: shopId, shop, currency } = (group.now[0] ?? group.before[0])!;
      return {
        ...{ shopId: shopId!, shop: shop!, currency },
        now: figureOf(report, group.now),
        before: figureOf(report, group.before),
      };
    })
    .sort((one, other) => other.now.count - one.now.count);
}

function figureOf(report: ReportName, sums: readonly Sum[]): Figure {
  const total = (valueOf: (sum: Sum) => number): number => sums.reduce((all, sum) => all + valueOf(sum), 0);
  const count = total((sum) => sum.count);
  if (report === 'approvals') {
    const approved = total((sum) => sum.approved ?? 0);
    const ended = approved + total((sum) => (sum.declined ?? 0) + (sum.failed ?? 0));
    return { count, value: ended === 0 ? null : approved / ended };
  }
  // for the eye: the file has the exact sums
  return { count, value: total((sum) => Number(report === 'fees' ? sum.fee : sum.amount)) };
}
