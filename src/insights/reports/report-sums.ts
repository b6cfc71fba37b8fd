import { entryFor, type FeeEntry, totalFee } from '@payment-orchestrator/routing/facts/fees';
import { currencyDigits } from '../../shared/money.js';
import { APPROVED, DECLINED, FAILED } from '../approvals/approvals.queries.js';
import type { Report } from './report-sources.js';
import type { ReportShop, SumRow } from './reports.queries.js';

export const DIVISIONS = ['shop', 'currency', 'scheme', 'country'] as const;
/** A column that divides the sums of a period. */
export type Division = (typeof DIVISIONS)[number];

/** Decimals of amounts in the database, and of exact fees. */
const AMOUNT_DECIMALS = 4;
const FEE_DECIMALS = 9;

export interface ReportSum {
  /** The first day. */
  period: string;
  shopId?: number;
  currency?: string;
  /** '': unknown. */
  scheme?: string;
  country?: string;
  count: number;
  /** In units of 1e-4; of several currencies it means nothing. */
  amount: bigint;
  /** In units of 1e-9. */
  fee: bigint;
  /** Captures of shops without a fee for them. */
  withoutFee: number;
  approved: number;
  declined: number;
  failed: number;
}

/** The sums of a report, of which pages are added one by one. */
export class ReportSums {
  private readonly sums = new Map<string, ReportSum>();

  constructor(
    private readonly days: readonly string[],
    private readonly by: readonly Division[],
    private readonly fees: ReadonlyMap<number, FeeEntry[] | null>,
  ) {}

  get size(): number {
    return this.sums.size;
  }

  add(rows: readonly SumRow[]): void {
    for (const row of rows) if (row.period !== null) this.addRow(row, row.period);
  }

  /** In the order of periods, shops, currencies, schemes and countries. */
  sorted(): ReportSum[] {
    return [...this.sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }

  private addRow(row: SumRow, period: number): void {
    const sum = this.sumOf(row, this.days[period - 1]!);
    const amount = BigInt(row.amount.replace('.', ''));
    sum.count += row.count;
    sum.amount += amount;
    const entry = feeOf(this.fees.get(row.shop_id), row);
    if (entry === undefined) sum.withoutFee += row.count;
    else sum.fee += totalFee(entry, { payments: row.count, amount: amount / 10n });
    const { outcome } = row;
    if (outcome === undefined) return;
    if (APPROVED.includes(outcome)) sum.approved += row.count;
    if (DECLINED.includes(outcome)) sum.declined += row.count;
    if (FAILED.includes(outcome)) sum.failed += row.count;
  }

  private sumOf(row: SumRow, period: string): ReportSum {
    const values = {
      ...(this.by.includes('shop') && { shopId: row.shop_id }),
      ...(this.by.includes('currency') && { currency: row.currency }),
      ...(this.by.includes('scheme') && { scheme: row.scheme ?? '' }),
      ...(this.by.includes('country') && { country: row.country ?? '' }),
    };
    const key = [period, ...Object.values(values).map((value) => String(value).padStart(16))].join('\n');
    let sum = this.sums.get(key);
    if (sum === undefined) {
      const nothing = { count: 0, amount: 0n, fee: 0n, withoutFee: 0, approved: 0, declined: 0, failed: 0 };
      sum = { period, ...values, ...nothing };
      this.sums.set(key, sum);
    }
    return sum;
  }
}

const feeOf = (
  fees: readonly FeeEntry[] | null | undefined,
  { currency, scheme, type }: SumRow,
): FeeEntry | undefined =>
  fees ? entryFor(fees, { currency, scheme: scheme ?? undefined, type: type ?? undefined }) : undefined;

/** A sum as the report shows it: with the columns of the report. `undefined`: the report does not have it. */
export function shownSum(report: Report, sum: ReportSum, shops: ReadonlyMap<number, ReportShop>) {
  const { shopId, currency, scheme, country, approved, declined, failed } = sum;
  const ended = approved + declined + failed;
  return {
    period: sum.period,
    ...(shopId !== undefined && { shop_id: shopId, shop: shops.get(shopId)?.name ?? '' }),
    ...(currency !== undefined && { currency }),
    ...(scheme !== undefined && { scheme: scheme === '' ? null : scheme }),
    ...(country !== undefined && { country: country === '' ? null : country }),
    count: sum.count,
    ...(report !== 'approvals' && { amount: decimalOf(sum.amount, AMOUNT_DECIMALS, currency!) }),
    ...(report === 'fees' && { fee: decimalOf(sum.fee, FEE_DECIMALS, currency!), without_fee: sum.withoutFee }),
    ...(report === 'approvals' && {
      approved,
      declined,
      failed,
      approval_rate: ended === 0 ? null : Math.round((approved / ended) * 10_000) / 10_000,
    }),
  };
}

/** The exact decimal of units, with at least the digits of the currency. */
function decimalOf(units: bigint, decimals: number, currency: string): string {
  const digits = currencyDigits(currency) ?? 2;
  const text = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '').padEnd(digits, '0');
  const whole = `${units < 0n ? '-' : ''}${text.slice(0, -decimals)}`;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** An amount of the database as a decimal with the currency's digits. */
export const amountOf = (text: string, currency: string): string =>
  decimalOf(BigInt(text.replace('.', '')), AMOUNT_DECIMALS, currency);

/** The exact fee of one capture; `null`: unknown. */
export function feeText(fees: readonly FeeEntry[] | null | undefined, row: SumRow): string | null {
  const entry = feeOf(fees, row);
  if (entry === undefined) return null;
  const amount = BigInt(row.amount.replace('.', '')) / 10n;
  return decimalOf(totalFee(entry, { payments: 1, amount }), FEE_DECIMALS, row.currency);
}
