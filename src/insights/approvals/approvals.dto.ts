import { ApiProperty } from '@nestjs/swagger';
import { ApiDecimal } from '../../openapi/api-field.js';
import type { Interval } from '@payment-orchestrator/routing/statistics/intervals';
import { toJsonAmount } from '../../shared/money.js';
import { SEGMENT_FIELDS, type SegmentField } from '@payment-orchestrator/routing/facts/segment';
import type { Cell } from './approval-cell.js';
import type { MatchingAttempt, MatchingPaymentRow } from './approval-payments.queries.js';
import type { Approvals, ApprovalSteps } from './approvals.service.js';

/** A rate, or a difference of rates, with its interval of 95 %. */
export class RateIntervalDto implements Interval {
  /** @example 0.92 */
  @ApiDecimal()
  estimate: number;
  /** @example 0.89 */
  @ApiDecimal()
  low: number;
  /** @example 0.94 */
  @ApiDecimal()
  high: number;
}

/** The value of each field in `by`; `null`: unknown. */
export class SegmentValuesDto {
  /** @example 'EUR' */
  currency?: string | null;
  /** @example 'DE' */
  country?: string | null;
  /** @example 'visa' */
  'card.scheme'?: string | null;
  /** @example 'credit' */
  'card.funding'?: string | null;
  /** @example 'FR' */
  'card.issuer_country'?: string | null;
  /** @example '411111' */
  'card.bin'?: string | null;
}

export class DeclineCountDto {
  /** @example 'insufficient_funds' */
  code: string;
  /** @example 7 */
  count: number;
}

export class ApprovalsBeforeDto {
  /** @example 130 */
  attempts: number;
  /** `null`: no attempt has ended. */
  approval_rate: RateIntervalDto | null;
}

export class ApprovalCellDto {
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  values: SegmentValuesDto;
  /** The sum of the four numbers below. An attempt counts in the hour in which it began. @example 132 */
  attempts: number;
  /** @example 118 */
  approved: number;
  /** @example 12 */
  declined: number;
  /** The provider was not available, or did not answer in time; the latter changes when the outcome is known. @example 1 */
  failed: number;
  /** The provider has not decided yet. @example 1 */
  pending: number;
  /** Approved attempts among those that are not pending; `null`: there is none. */
  approval_rate: RateIntervalDto | null;
  /** Attempts by decline code, the most frequent first, at most 50. */
  decline_codes: DeclineCountDto[];
  /** The mean time to the provider's first answer, in ms; `null`: no answer in time. @example 412 */
  mean_answer_ms: number | null;
  /** The period before, from `before_from`; `null`: it is not counted as a whole, see `counted_since`. */
  before: ApprovalsBeforeDto | null;
  /** The difference of the rates, now minus before; `null` unless both are known. */
  change: RateIntervalDto | null;
  /** Whether the change is more than chance: by Fisher's exact test, with at most 5 % false discoveries among the cells of an answer. `null` without a change. @example false */
  is_significant: boolean | null;
}

const MAX_CODES = 50;

const cellDto = (
  by: readonly SegmentField[],
  { row, attempts, rate, before, change, isSignificant }: Cell,
): ApprovalCellDto => ({
  shop_id: row.shop_id,
  shop_name: row.shop_name,
  values: Object.fromEntries(by.map((field, place) => [field, (place === 0 ? row.value_1 : row.value_2) || null])),
  attempts,
  approved: row.approved,
  declined: row.declined,
  failed: row.failed,
  pending: row.pending,
  approval_rate: rate,
  decline_codes: Object.entries(row.codes ?? {})
    .map(([code, count]) => ({ code, count }))
    .sort((one, other) => other.count - one.count) // objects have keys that are numbers first
    .slice(0, MAX_CODES),
  mean_answer_ms: row.answers > 0 ? Math.round(row.answered_ms / row.answers) : null,
  before: before && { attempts: before.attempts, approval_rate: before.rate },
  change,
  is_significant: isSignificant,
});

export class SegmentApprovalsDto {
  /** @example '2026-11-24T00:00:00.000Z' */
  from: string;
  /** The end of the last hour; it may be in the future. @example '2026-11-25T00:00:00.000Z' */
  to: string;
  /** The beginning of the period before. It is as long; if that is more than 48 hours ago, it begins with the whole day in UTC. @example '2026-11-23T00:00:00.000Z' */
  before_from: string;
  /** The first hour that is counted: of a day 34 days ago, or of the upgrade to the version that counts. @example '2026-10-21T00:00:00.000Z' */
  counted_since: string;
  /** @example ["card.scheme"] */
  @ApiProperty({ enum: SEGMENT_FIELDS, enumName: 'SegmentField', isArray: true })
  by: SegmentField[];
  /** At most 500. */
  cells: ApprovalCellDto[];
  /** There are more cells, with fewer attempts. @example false */
  is_truncated: boolean;

  static from({ from, to, before, countedSince, by, cells, isTruncated }: Approvals): SegmentApprovalsDto {
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      before_from: before.toISOString(),
      counted_since: countedSince.toISOString(),
      by: [...by],
      cells: cells.map((cell) => cellDto(by, cell)),
      is_truncated: isTruncated,
    };
  }
}

export class StepCountsDto {
  /** @example 108 */
  approved: number;
  /** @example 11 */
  declined: number;
  /** @example 1 */
  failed: number;
}

export class ApprovalStepDto extends StepCountsDto {
  /** The beginning of the hour or day. @example '2026-11-24T00:00:00.000Z' */
  at: string;
  /** The same step of the period before; `null`: it was not counted. */
  before: StepCountsDto | null;
}

export class ApprovalsOverTimeDto {
  /** The length of a step; days are those of UTC. */
  @ApiProperty({ enum: ['hour', 'day'], enumName: 'ApprovalStepLength' })
  step: ApprovalSteps['step'];
  /** In the order of time, without gaps. */
  steps: ApprovalStepDto[];

  static from({ step, steps }: ApprovalSteps): ApprovalsOverTimeDto {
    return { step, steps: steps.map(({ at, counts, before }) => ({ at: at.toISOString(), ...counts, before })) };
  }
}

export class SegmentCardDto {
  /** @example 'visa' */
  scheme: string | null;
  /** @example 'credit' */
  funding: string | null;
  /** @example 'FR' */
  issuer_country: string | null;
  /** The first six digits. @example '411111' */
  bin: string | null;
}

export class SegmentAttemptDto implements MatchingAttempt {
  /** @example 1 */
  number: number;
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** The outcome of the attempt. @example 'soft_declined' */
  outcome: string;
  /** @example 'insufficient_funds' */
  decline_code: string | null;
  card: SegmentCardDto;
  /** @example '2026-11-24T01:02:03.456Z' */
  started_at: string;
  /** @example '2026-11-24T01:02:03.868Z' */
  ended_at: string;
}

export class SegmentPaymentDto {
  /** @example 4711 */
  payment_id: number;
  /** The payment's. @example 'completed' */
  status: string;
  /** @example 49.90 */
  @ApiDecimal()
  amount: number;
  /** @example 'EUR' */
  currency: string;
  /** @example 'DE' */
  country: string | null;
  /** @example '2026-11-24T01:02:03.456Z' */
  created_at: string;
  /** Those of the payment's attempts that match, in order. */
  attempts: SegmentAttemptDto[];

  static from({ id, status, amount, currency, country, created_at, attempts }: MatchingPaymentRow): SegmentPaymentDto {
    const payment = { payment_id: id!, status, amount: toJsonAmount(amount), currency, country };
    return { ...payment, created_at: created_at.toISOString(), attempts };
  }
}
