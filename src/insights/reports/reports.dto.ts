import { type Interval, INTERVALS } from './report-period.js';
import type { Division } from './report-sums.js';
import type { Report } from './report-sources.js';
import type { Sums, SumsRequest } from './reports.service.js';
import { ApiProperty } from '@nestjs/swagger';

/** The sum of a period. Only the columns of the report and of `by` are there. */
export class ReportSumDto {
  /** The first day of the period. @example "2026-11-01" */
  @ApiProperty({ format: 'date' })
  period: string;
  /** @example 3 */
  shop_id?: number;
  /** The shop's name. @example "Berlin" */
  shop?: string;
  /** @example "EUR" */
  currency?: string;
  /** `null`: unknown. @example "visa" */
  scheme?: string | null;
  /** The payer's country; `null`: unknown. @example "DE" */
  country?: string | null;
  /** Payments, captures, refunds or disputes; of approvals, attempts. @example 120 */
  count: number;
  /** The exact sum, in major units. @example "4990.00" */
  amount?: string;
  /** The exact fees, by the fees that the shops have now. @example "98.45" */
  fee?: string;
  /** Captures for which the shop has no fee. @example 0 */
  without_fee?: number;
  /** @example 108 */
  approved?: number;
  /** @example 11 */
  declined?: number;
  /** Without an answer in time, or with an unknown one. @example 1 */
  failed?: number;
  /** Approved of all that were approved, declined or failed; `null`: there are none. @example 0.9 */
  approval_rate?: number | null;
}

export class ReportDto {
  /** @example "2026-11-01" */
  @ApiProperty({ format: 'date' })
  from: string;
  /** @example "2026-11-30" */
  @ApiProperty({ format: 'date' })
  to: string;
  /** The days are those of this time zone. @example "Europe/Berlin" */
  time_zone: string;
  @ApiProperty({ enum: INTERVALS, enumName: 'ReportInterval' })
  interval: Interval;
  /** The first day of each period. @example ["2026-11-01"] */
  periods: string[];
  /** In the order of periods. A period without anything has none. */
  sums: ReportSumDto[];

  static from({ from, to, zone, interval }: SumsRequest, { days, sums }: Sums): ReportDto {
    return { from, to, time_zone: zone, interval, periods: days, sums };
  }
}

const NAMES: Record<Division, string[]> = {
  shop: ['shop_id', 'shop'],
  currency: ['currency'],
  scheme: ['scheme'],
  country: ['country'],
};
const FIGURES: Record<Report, string[]> = {
  payments: ['amount'],
  captures: ['amount'],
  refunds: ['amount'],
  disputes: ['amount'],
  fees: ['amount', 'fee', 'without_fee'],
  approvals: ['approved', 'declined', 'failed', 'approval_rate'],
};

/** The columns of sums as CSV. */
export const columnsOf = ({ report, by }: SumsRequest): string[] => [
  'period',
  ...by.flatMap((division) => NAMES[division]),
  'count',
  ...FIGURES[report],
];
