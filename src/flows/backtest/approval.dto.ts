import { ApiDecimal, ApiEnum, valuesOf } from '../../openapi/api-field.js';
import { approvalEstimate, type Doubt } from '@payment-orchestrator/routing/backtest/approval-estimate';
import type { ApprovalSums } from '@payment-orchestrator/routing/backtest/approval-sums';
import type { Interval } from '@payment-orchestrator/routing/statistics/intervals';

const DIGITS = 4;

const rounded = (value: number): number => Number(value.toFixed(DIGITS));

/** An estimate with its 95 % interval. */
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
 * The share of payments that the first shop approves: with the past picks, and with the draft's picks. Estimated from
 * the payments that went by chance to the shops that the draft prefers. Failover to other shops is not included.
 */
export class ApprovalEstimateDto {
  /** The number of payments that the estimate is based on. @example 980 */
  payments: number;
  /** Payments not included because it is unknown whether the first shop approved: pending, in processing, cancelled. @example 15 */
  without_outcome: number;
  /** Payments not included because the probability of the pick was not recorded: decisions of older releases. @example 5 */
  without_probability: number;
  /** The rate of the past decisions; `null`: there are no payments. */
  before: EstimatedRateDto | null;
  /** The rate of the draft; a payment that no shop takes is not approved. `null`: `doubt` has the reason. */
  after: EstimatedRateDto | null;
  /** `after` minus `before`, with its own interval, in which common errors cancel out. */
  difference: EstimatedRateDto | null;
  /** The number of payments decided by the draft itself that would give an equally precise estimate. @example 412.6 */
  @ApiDecimal()
  effective_payments: number;
  /**
   * The share of the draft's payments that past payments give evidence for. A payment that could never have gone to the
   * draft's shop gives none. @example 0.98
   */
  @ApiDecimal()
  overlap: number;
  /**
   * The reason why there is no estimate for the draft. `not_enough_payments`: fewer than 30, or from too few customers.
   * `not_enough_overlap`: in the past no or too few such payments went to the shops that the draft picks. @example null
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
