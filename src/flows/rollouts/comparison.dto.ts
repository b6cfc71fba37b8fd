import { ApiDecimal, ApiEnum, valuesOf } from '../../openapi/api-field.js';
import type { Interval } from '@payment-orchestrator/routing/statistics/intervals';
import {
  compareVersions,
  type ComparisonDoubt,
  type VersionApprovals,
} from '@payment-orchestrator/routing/rollouts/comparison';
import type { RolloutKey } from '@payment-orchestrator/routing/decision/rollout';
import { checkGuardrail, type Guardrail } from '@payment-orchestrator/routing/rollouts/guardrail';
import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import type { Role } from '@payment-orchestrator/routing/rollouts/stage-outcomes';

const rounded = (value: number): number => Number(value.toFixed(4));

/** An approval rate with its 95 % interval. */
export class ComparedRateDto {
  /** @example 0.8912 */
  @ApiDecimal()
  estimate: number;
  /** @example 0.8733 */
  @ApiDecimal()
  low: number;
  /** @example 0.9069 */
  @ApiDecimal()
  high: number;

  static from({ estimate, low, high }: Interval): ComparedRateDto {
    return { estimate: rounded(estimate), low: rounded(low), high: rounded(high) };
  }
}

/** A version's payments of a rollout. */
export class ComparedVersionDto {
  /** @example 2 */
  version: number;
  /** @example "candidate" */
  @ApiEnum('RolloutRole', valuesOf<Role>({ base: true, candidate: true }))
  role: Role;
  /** Includes payments that are open, or cancelled without an authorisation. @example 1000 */
  payments: number;
  /** Completed, refunded or authorised, also after a void. @example 912 */
  approved: number;
  /** @example 71 */
  declined: number;
  /** Requests of `POST /payments` that got `no_available_shop`, also repeated ones. They are no payments, and count as not approved. @example 6 */
  refused: number;
  /** Approved of all approved, declined and refused payments; `null`: there are none. */
  approval_rate: ComparedRateDto | null;
  /** The version's share of the payments, with refused ones, 0 … 1; `null`: there are none. @example 0.098 */
  @ApiDecimal()
  share: number | null;
  /** The share by the percent of each stage. A customer with many payments makes the share deviate. @example 0.1 */
  @ApiDecimal()
  planned_share: number;

  static from(version: number, role: Role, approvals: VersionApprovals): ComparedVersionDto {
    const { payments, approved, declined, refused, rate, share, plannedShare } = approvals;
    return {
      version,
      role,
      payments,
      approved,
      declined,
      refused,
      approval_rate: rate && ComparedRateDto.from(rate),
      share: share === null ? null : rounded(share),
      planned_share: rounded(plannedShare),
    };
  }
}

/** How close the guardrail is to an abort of the rollout. */
export class GuardrailStateDto {
  /** 0 … 1. At 1 the rollout is aborted, unless it is waiting for payments. @example 0.31 */
  @ApiDecimal()
  evidence: number;
  /**
   * Approved, declined and refused payments of both versions, from the start, after which a drop of the guardrail's size
   * would have been found with a probability of 90 %, at the present rate and percent. `null`: no payment of the active
   * version has an outcome, or such a drop cannot be found. With `key: customer` it takes more than one customer of each
   * version. @example 11800
   */
  payments_needed: number | null;
  /** Whether a version has fewer outcomes than `min_payments`. @example false */
  is_waiting_for_payments: boolean;
}

/** Approvals of both versions of a rollout. */
export class RolloutComparisonDto {
  versions: ComparedVersionDto[];
  /**
   * The candidate's approval rate minus the base's. Versions are compared within stages, so a change of all rates over time
   * does not count as a difference. `null`: `doubt` has the reason.
   */
  difference: ComparedRateDto | null;
  /** `not_enough_payments`: a version has fewer than 30 outcomes, or they are from too few customers. @example null */
  @ApiEnum('RolloutDoubt', valuesOf<ComparisonDoubt>({ not_enough_payments: true }))
  doubt: ComparisonDoubt | null;
  /** `null`: the rollout has no guardrail. */
  guardrail: GuardrailStateDto | null;

  /** `stages`: those so far, the present one last. `counts` may be newer: stages that began meanwhile are left out. */
  static from(
    counts: readonly RolloutCount[],
    stages: readonly { stage: number; percent: number }[],
    versions: Record<Role, number>,
    guardrail: (Guardrail & { key: RolloutKey }) | null,
  ): RolloutComparisonDto {
    const known = counts.filter(({ stage }) => stage <= stages.length);
    const { base, candidate, difference, doubt } = compareVersions(known, stages);
    return {
      versions: [
        ComparedVersionDto.from(versions.base, 'base', base),
        ComparedVersionDto.from(versions.candidate, 'candidate', candidate),
      ],
      difference: difference && ComparedRateDto.from(difference),
      doubt,
      guardrail: guardrail && toState(guardrail, known, stages.at(-1)!.percent),
    };
  }
}

function toState(
  { key, ...guardrail }: Guardrail & { key: RolloutKey },
  counts: readonly RolloutCount[],
  percent: number,
): GuardrailStateDto {
  const { evidence, paymentsNeeded, isWaitingForPayments } = checkGuardrail(guardrail, counts, { percent, key });
  return {
    // rounded down: only 1 aborts
    evidence: Math.floor(evidence * 10_000) / 10_000,
    payments_needed: paymentsNeeded,
    is_waiting_for_payments: isWaitingForPayments,
  };
}
