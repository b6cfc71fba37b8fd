import { IsIn, Matches } from 'class-validator';
import {
  choicesOf,
  IsCalendarDate,
  IsChoices,
  IsIdInQuery,
  IsZone,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { malformed } from '../approvals/approval-period.js';
import { countDays, type Interval, INTERVALS } from './report-period.js';
import type { Report } from './report-sources.js';
import { type Division, DIVISIONS } from './report-sums.js';
import type { ReportRequest, SumsRequest } from './reports.service.js';

const MAX_DAYS = 366;
/** Amounts of several currencies have no sum. */
const OF_MONEY: readonly Division[] = ['shop', 'currency'];

const FORMATS = ['json', 'csv'] as const;
const KINDS = ['sums', 'all'] as const;

export class ReportQueryDto {
  /** The first day. @example "2026-11-01" */
  @IsCalendarDate()
  from: string;

  /** The last day; at most 366 days in all. @example "2026-11-30" */
  @IsCalendarDate()
  to: string;

  /** The IANA name of the time zone whose days these are. @example "Europe/Berlin" */
  @Optional()
  @IsZone()
  time_zone?: string = 'UTC';

  /** Weeks begin on Monday. */
  @Optional()
  @IsIn(INTERVALS)
  interval?: Interval = 'day';

  /**
   * The sums of a period are divided by `shop` and `currency`, separated by a comma; those of approvals also by `scheme` and `country`.
   * Sums of money are always of one currency. Default: `shop,currency`, of approvals `shop`. @example "shop"
   */
  @Optional()
  @IsChoices(DIVISIONS)
  by?: string;

  /** @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** @example "EUR" */
  @Optional()
  @Matches(/^[A-Z]{3}$/)
  currency?: string;

  /** Default: `csv` if the request accepts `text/csv` and no JSON, or asks for all rows. */
  @Optional()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];

  /** `all`: not sums, but each payment, capture, refund, dispute or attempt. Only as CSV. */
  @Optional()
  @IsIn(KINDS)
  rows?: (typeof KINDS)[number] = 'sums';

  /** Throws `malformed_request` for days out of order, and too many. */
  static toRequest(report: Report, { from, to, time_zone: zone = 'UTC', ...query }: ReportQueryDto): ReportRequest {
    if (from > to) throw malformed('from', 'must not be after to', from);
    if (countDays({ from, to }) > MAX_DAYS) throw malformed('from', `must be at most ${MAX_DAYS} days before to`, from);
    return { report, from, to, zone, shopId: query.shop_id, currency: query.currency };
  }

  static toSums(report: Report, query: ReportQueryDto): SumsRequest {
    const request = this.toRequest(report, query);
    const given = choicesOf<Division>(query.by);
    const interval = query.interval ?? 'day';
    if (report === 'approvals') return { ...request, interval, by: given ?? ['shop'] };
    if (given?.some((division) => !OF_MONEY.includes(division)))
      throw malformed('by', `must be ${OF_MONEY.join(' or ')}, except for approvals`, query.by);
    return { ...request, interval, by: [...new Set([...(given ?? OF_MONEY), 'currency' as const])] };
  }

  static isCsv({ format, rows }: ReportQueryDto, accept = ''): boolean {
    if (rows === 'all' && format === 'json')
      throw malformed('format', 'must be csv with rows=all; as JSON, the lists have all rows', format);
    if (format !== undefined) return format === 'csv';
    return rows === 'all' || (accept.includes('text/csv') && !accept.includes('json'));
  }
}
