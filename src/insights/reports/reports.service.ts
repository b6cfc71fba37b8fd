import { Injectable } from '@nestjs/common';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { BYTE_ORDER_MARK, csvLine, type CsvValue } from '../../shared/csv.js';
import { Problem } from '../../shared/problem.js';
import { dayFormat } from '../../shared/time-zone.js';
import { malformed } from '../approvals/approval-period.js';
import { type Interval, periodsOf, type ReportDays } from './report-period.js';
import { type Report, SOURCES } from './report-sources.js';
import { amountOf, type Division, feeText, ReportSums, shownSum } from './report-sums.js';
import { ReportWalk } from './report-walk.js';
import { type DetailRow, REPORT_SHOPS, type ReportShop, ROWS, type SumRow, SUMS } from './reports.queries.js';

/** Rows that a page looks at: some 50 ms of the database for sums, 10 ms of the event loop for rows. */
const SUMS_PAGE = 5_000;
const ROWS_PAGE = 1_000;
/** More sums than anyone reads. */
const MAX_SUMS = 20_000;

export interface ReportRequest extends ReportDays {
  report: Report;
  shopId?: number | undefined;
  currency?: string | undefined;
}

export interface SumsRequest extends ReportRequest {
  interval: Interval;
  by: readonly Division[];
}

type ShownSum = ReturnType<typeof shownSum>;

export interface Sums {
  /** The first day of each period. */
  days: string[];
  sums: ShownSum[];
}

/** The time by which the rows of a report are booked. */
const TIMES: Record<Report, string> = {
  payments: 'created',
  captures: 'captured',
  refunds: 'settled',
  disputes: 'opened',
  fees: 'captured',
  approvals: 'created',
};

/** Sums by period, and the rows behind them: finance closes a month with both. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly walk: ReportWalk,
    private readonly reads: ReplicaReads,
  ) {}

  /** Throws `malformed_request` if there are more sums than `MAX_SUMS`. */
  async sums(owner: WorkOwner, { interval, by, ...request }: SumsRequest): Promise<Sums> {
    const { report } = request;
    const { days, starts } = periodsOf(request, interval);
    const shops = await this.shopsOf(owner);
    const fees = new Map([...shops].map(([id, shop]) => [id, report === 'fees' ? shop.fees : null]));
    const sums = new ReportSums(days, by, fees);
    for await (const rows of this.walk.pages<SumRow>(owner, SUMS[report], { ...request, starts }, SUMS_PAGE)) {
      sums.add(rows);
      if (sums.size > MAX_SUMS)
        throw malformed('interval', `must give at most ${MAX_SUMS} sums: choose a longer one, or a shop`, interval);
    }
    if (owner.isGone) throw new Problem('client_closed_request');
    return { days, sums: sums.sorted().map((sum) => shownSum(report, sum, shops)) };
  }

  /** The rows behind the sums, as parts of a CSV: a part for each page, the first with the header. */
  async *rowsAsCsv(owner: WorkOwner, request: ReportRequest): AsyncGenerator<string> {
    const { report, zone } = request;
    const { starts } = periodsOf(request, 'month');
    const shops = await this.shopsOf(owner);
    const details = Object.keys(SOURCES[report].details);
    const time = TIMES[report];
    const money = report === 'fees' ? ['currency', 'amount', 'fee'] : ['currency', 'amount'];
    let head = `${BYTE_ORDER_MARK}${csvLine([`${time}_on`, `${time}_at`, ...details, 'shop_id', 'shop', ...money])}`;
    const dayOf = dayFormat(zone);
    for await (const rows of this.walk.pages<DetailRow>(owner, ROWS[report], { ...request, starts }, ROWS_PAGE)) {
      const lines = rows.map(({ at, ...row }) => {
        if (at === null) return '';
        const shop = shops.get(row.shop_id);
        const amounts = [row.currency, amountOf(row.amount, row.currency)];
        return csvLine([
          ...[dayOf(at), at.toISOString(), ...details.map((name) => row[name] as CsvValue)],
          ...[row.shop_id, shop?.name ?? '', ...amounts],
          ...(report === 'fees' ? [feeText(shop?.fees, row as unknown as SumRow)] : []),
        ]);
      });
      yield `${head}${lines.join('')}`;
      head = '';
    }
  }

  private async shopsOf({ merchantId }: WorkOwner): Promise<Map<number, ReportShop>> {
    const shops = await this.reads.query<ReportShop>(REPORT_SHOPS, [merchantId]);
    return new Map(shops.map((shop) => [shop.id, shop]));
  }
}

/** The sums as CSV; without any there is only the header. */
export function sumsAsCsv(columns: readonly string[], { sums }: Sums): string {
  const lines = sums.map((sum) => csvLine(columns.map((name) => (sum as Record<string, CsvValue>)[name] ?? null)));
  return `${BYTE_ORDER_MARK}${csvLine(columns)}${lines.join('')}`;
}
