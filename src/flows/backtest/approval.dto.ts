import { ApiDecimal, ApiEnum, valuesOf } from '../../openapi/api-field.js';
import { approvalEstimate, type Doubt } from './approval-estimate.js';
import type { ApprovalSums } from './approval-sums.js';
import type { Interval } from './intervals.js';

const DIGITS = 4;

const rounded = (value: number): number => Number(value.toFixed(DIGITS));

/** An estimate, and between which values the truth lies 95 times in a hundred. */
export class EstimatedRateDto {
  /** @example 0.8912 */
  @ApiDecimal()
  estimate: number;
  /** @example 0.8733 */
  @ApiDecimal()
  low: number;
  /** @example 0.9069 */
  @ApiDecimal()
  high: number;

  static from({ estimate, low, high }: Interval): EstimatedRateDto {
    return { estimate: rounded(estimate), low: rounded(low), high: rounded(high) };
  }
}

/**
 * How many payments the first shop approves: as the past decisions picked it, and as the draft would pick it. Estimated from
 * the payments that chance sent to the shops that the draft prefers. What other shops make good after a refusal is not in it.
 */
export class ApprovalEstimateDto {
  /** So many payments it rests on. @example 980 */
  payments: number;
  /** Not among them, because it is not known whether the first shop approved: pending, in processing, cancelled. @example 15 */
  without_outcome: number;
  /** Not among them, because how likely the pick was is not on record: decisions of older releases. @example 5 */
  without_probability: number;
  /** Of the past decisions; `null`: there are no payments. */
  before: EstimatedRateDto | null;
  /** Of the draft; a payment that no shop takes is not approved. `null`: `doubt` says why. */
  after: EstimatedRateDto | null;
  /** `after` less `before`, with an interval of its own, in which what is common to both cancels out. */
  difference: EstimatedRateDto | null;
  /** As many payments decided by the draft itself would tell as much about it as these do. @example 412.6 */
  @ApiDecimal()
  effective_payments: number;
  /**
   * The part of what the draft does with payments that the past can tell about: what could never have gone to the draft's shop
   * cannot tell. @example 0.98
   */
  @ApiDecimal()
  overlap: number;
  /**
   * Why there is no estimate for the draft. `not_enough_payments`: fewer than 30, or of too few customers.
   * `not_enough_overlap`: the past sent no payments of this kind where the draft sends them, or too few. @example null
   */
  @ApiEnum('ApprovalDoubt', valuesOf<Doubt>({ not_enough_payments: true, not_enough_overlap: true }))
  doubt: Doubt | null;

  static from(sums: ApprovalSums): ApprovalEstimateDto {
    const { payments, before, after, difference, effectivePayments, overlap, doubt } = approvalEstimate(sums);
    return {
      payments,
      without_outcome: sums.withoutOutcome,
      without_probability: sums.withoutProbability,
      before: before && EstimatedRateDto.from(before),
      after: after && EstimatedRateDto.from(after),
      difference: difference && EstimatedRateDto.from(difference),
      effective_payments: Number(effectivePayments.toFixed(1)),
      overlap: rounded(overlap),
      doubt,
    };
  }
}
