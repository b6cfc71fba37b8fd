import { Type } from 'class-transformer';
import { IsIn, IsString, Length, Matches, Max, Min } from 'class-validator';
import { IsIdInQuery, IsInteger, IsTime, Optional } from '../../platform/http/validation/field-rules.js';
import { decodeCursor, type PageRequest } from '../../shared/cursor.js';
import { CARD_FUNDINGS } from '../../shared/payment-method.js';
import { SEGMENT_FIELDS, type SegmentField } from '@payment-orchestrator/routing/facts/segment';
import type { OutcomeGroup, PaymentsFilter } from './approval-payments.service.js';
import {
  APPROVAL_ORDERS,
  type ApprovalOrder,
  type ApprovalsRequest,
  MAX_BY,
  type SegmentFilter,
} from './approvals.service.js';

const FIELD = `(${SEGMENT_FIELDS.join('|').replaceAll('.', '\\.')})`;
const FIELDS = new RegExp(`^${FIELD}(,${FIELD}){0,${MAX_BY - 1}}$`);

/** Which attempts to count. An empty value of a field: those for which it is unknown. */
export class SegmentQueryDto {
  /** The first hour has this time; more than 48 hours ago, the first day in UTC has it. Default: 24 hours in all. @example "2026-11-24T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** The last hour ends at this time or contains it; more than 48 hours ago, the last day in UTC does; at most 35 days after `from`. A later time than now, and the default, is now. @example "2026-11-25T00:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  /** @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** @example "EUR" */
  @Optional()
  @Matches(/^([A-Z]{3})?$/)
  currency?: string;

  /** The payer's country. Empty: unknown. @example "DE" */
  @Optional()
  @Matches(/^([A-Z]{2})?$/)
  country?: string;

  /** Empty: unknown. @example "visa" */
  @Optional()
  @Matches(/^[a-z0-9_-]{0,32}$/)
  'card.scheme'?: string;

  /** Empty: unknown. @example "credit" */
  @Optional()
  @IsIn([...CARD_FUNDINGS, ''])
  'card.funding'?: string;

  /** Empty: unknown. @example "FR" */
  @Optional()
  @Matches(/^([A-Z]{2})?$/)
  'card.issuer_country'?: string;

  /** The first six digits. Empty: unknown. @example "411111" */
  @Optional()
  @Matches(/^(\d{6})?$/)
  'card.bin'?: string;
}

export const filterOf = (query: SegmentQueryDto): SegmentFilter => ({
  from: query.from,
  to: query.to,
  shopId: query.shop_id,
  values: Object.fromEntries(
    SEGMENT_FIELDS.flatMap((field) => (query[field] === undefined ? [] : [[field, query[field]]])),
  ),
});

export class ApprovalsQueryDto extends SegmentQueryDto {
  /**
   * One or two of `currency`, `country`, `card.scheme`, `card.funding`, `card.issuer_country`, `card.bin`, separated by a
   * comma. Default: one cell per shop. @example "card.scheme,country"
   */
  @Optional()
  @Matches(FIELDS, { message: `$property must be one or two of ${SEGMENT_FIELDS.join(', ')}, separated by a comma` })
  by?: string;

  /** `attempts`: most attempts first. `change`: those first whose rate fell most surely since the period before. */
  @Optional()
  @IsIn(APPROVAL_ORDERS)
  order?: ApprovalOrder = 'attempts';

  static toRequest(query: ApprovalsQueryDto): ApprovalsRequest {
    const by = [...new Set(query.by?.split(','))] as SegmentField[];
    return { ...filterOf(query), by, order: query.order ?? 'attempts' };
  }
}

const OUTCOMES = ['approved', 'declined', 'failed', 'pending'] as const satisfies OutcomeGroup[];

export class ApprovalPaymentsQueryDto extends SegmentQueryDto {
  /** As counted in a cell. */
  @Optional()
  @IsIn(OUTCOMES)
  outcome?: OutcomeGroup;

  /** @example "insufficient_funds" */
  @Optional()
  @IsString()
  @Length(1, 255)
  decline_code?: string;

  /** Payments per page, at most. */
  @Optional()
  @Type(() => Number)
  @IsInteger()
  @Min(1)
  @Max(100)
  limit?: number = 20;

  /** `pagination.next_cursor` of the page before. */
  @Optional()
  @IsString()
  cursor?: string;

  static toFilter(query: ApprovalPaymentsQueryDto): PaymentsFilter {
    return { ...filterOf(query), outcome: query.outcome, declineCode: query.decline_code };
  }

  static toPage({ limit = 20, cursor }: ApprovalPaymentsQueryDto): PageRequest {
    return { limit, ...(cursor !== undefined && { beforeId: decodeCursor(cursor) }) };
  }
}
