import { entryFor, FEE_UNITS, feeFactsOf, type FeeEntry, totalFee } from '../facts/fees.js';
import { currencyDigits } from '../facts/money.js';
import type { RoutingRequest } from '../definition/condition.js';

/** Payments with the same fee entries, before and after. Their fees depend only on their number and their sum. */
interface CostGroup {
  readonly currency: string;
  readonly scheme: string | undefined;
  readonly type: string | undefined;
  readonly from: number | null;
  readonly to: number | null;
  payments: number;
  /** In thousandths of the major unit. */
  amount: bigint;
}

/** The fees of past payments in one currency, in major units, rounded to its digits. */
export interface Cost {
  currency: string;
  /** The payments in the sums. */
  payments: number;
  /** At the shops that the past decisions picked, and at those that the draft picks. */
  before: number;
  after: number;
  difference: number;
  /** Payments that are in neither sum: a fee is unknown, or they went to no shop before or after. */
  withoutFees: number;
}

/** Sums over past payments, for exact fees by the price lists of the shops. The lists may be known later. */
export class CostSums {
  private readonly groups = new Map<string, CostGroup>();

  /** `from`: the pick of the past decision; `to`: of the draft; `null`: no shop. */
  add(request: RoutingRequest, from: number | null, to: number | null): void {
    const { amount, currency, scheme, type } = feeFactsOf(request);
    const key = JSON.stringify([currency, from, to, scheme, type]);
    let group = this.groups.get(key);
    if (!group) this.groups.set(key, (group = { currency, scheme, type, from, to, payments: 0, amount: 0n }));
    group.payments++;
    group.amount += BigInt(Math.round(amount * 1e3));
  }

  /** By currency, most payments first. */
  costs(feesOf: FeesOf): Cost[] {
    const byCurrency = new Map<string, CostGroup[]>();
    for (const group of this.groups.values()) {
      const groups = byCurrency.get(group.currency);
      if (groups) groups.push(group);
      else byCurrency.set(group.currency, [group]);
    }
    return [...byCurrency]
      .map(([currency, groups]) => costOf(currency, groups, feesOf))
      .sort((one, other) => sizeOf(other) - sizeOf(one) || (one.currency < other.currency ? -1 : 1));
  }
}

type FeesOf = (shopId: number) => readonly FeeEntry[] | null | undefined;

function costOf(currency: string, groups: readonly CostGroup[], feesOf: FeesOf): Cost {
  const total = { payments: 0, withoutFees: 0, before: 0n, after: 0n };
  for (const group of groups) {
    const [from, to] = [group.from, group.to].map((shop) => shop !== null && entryFor(feesOf(shop) ?? [], group));
    if (!from || !to) {
      total.withoutFees += group.payments;
      continue;
    }
    total.payments += group.payments;
    total.before += totalFee(from, group);
    total.after += totalFee(to, group);
  }
  const [before, after] = [inMinorUnits(total.before, currency), inMinorUnits(total.after, currency)];
  return {
    currency,
    payments: total.payments,
    before: inMajorUnits(before, currency),
    after: inMajorUnits(after, currency),
    difference: inMajorUnits(after - before, currency),
    withoutFees: total.withoutFees,
  };
}

const sizeOf = ({ payments, withoutFees }: Cost): number => payments + withoutFees;

/** Rounds a fee in billionths of the major unit; a half is rounded up. */
function inMinorUnits(billionths: bigint, currency: string): bigint {
  const step = BigInt(FEE_UNITS / 10 ** currencyDigits(currency)!);
  return (billionths + step / 2n) / step;
}

const inMajorUnits = (minorUnits: bigint, currency: string): number =>
  Number(minorUnits) / 10 ** currencyDigits(currency)!;
