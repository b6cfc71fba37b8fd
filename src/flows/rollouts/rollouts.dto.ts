import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsInteger, IsPercent, IsReason, Optional } from '../../platform/http/validation/field-rules.js';
import type { Condition } from '@payment-orchestrator/routing/definition/condition';
import { CONDITION, WithoutNulls } from '../definition/definition.dto.js';
import { ROLLOUT_KEYS, type RolloutKey } from '@payment-orchestrator/routing/decision/rollout';
import { RolloutComparisonDto } from './comparison.dto.js';
import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import type { RolloutRow } from './rollouts.queries.js';
import type { NewRollout } from './rollouts.service.js';

const END_CAUSES = ['requested', 'guardrail', 'flow_deleted'] as const;
const STATUSES = ['running', 'promoted', 'aborted'] as const;

/** The drop of the approval rate that aborts the rollout by itself. */
export class GuardrailDto {
  /** In percent points: at 2, a candidate with 88 % is worse enough than a base with 90 %. @example 2 */
  @IsNumber()
  @Min(0.1)
  @Max(50)
  @ApiDecimal()
  max_drop_points: number;

  /** The number of approved, declined and refused payments that each version needs before it can abort. @example 100 */
  @Optional()
  @IsInteger()
  @Min(20)
  @Max(1_000_000_000)
  min_payments?: number = 100;

  /** The probability that a candidate as good as the base is never aborted. @example 0.95 */
  @Optional()
  @IsNumber()
  @Min(0.8)
  @Max(0.999)
  @ApiDecimal()
  confidence?: number = 0.95;
}

export class StartRolloutDto {
  /** The version that gets some of the payments. It must not be the active one. @example 2 */
  @IsInteger()
  @Min(1)
  @Max(2_147_483_647)
  version: number;

  /** The candidate's share of the payments, with at most two decimals. @example 10 */
  @IsPercent(2)
  percent: number;

  /** `customer`: all payments of a customer get the same version, and those without a customer are divided one by one. @example "customer" */
  @IsIn(ROLLOUT_KEYS)
  @ApiEnum('RolloutKey', ROLLOUT_KEYS)
  key: RolloutKey;

  /** Only payments that meet this condition, written as in a rule, take part and are compared; the others get the active version. If omitted: all. @example { "country": { "equals": "DE" } } */
  @Optional()
  @IsObject()
  @WithoutNulls()
  @ApiProperty(CONDITION)
  when?: Condition;

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => GuardrailDto)
  guardrail?: GuardrailDto;

  /** Why it is rolled out; shown with the rollout and in the audit log. @example "Berlin costs less" */
  @Optional()
  @IsReason()
  reason?: string;

  /** The active version that this one was compared with. If another version is active by now, the call is refused (`flow_changed`). @example 1 */
  @Optional()
  @IsInteger()
  @Min(1)
  based_on_version?: number;

  static toRollout({ version, percent, key, when, guardrail, reason, based_on_version }: StartRolloutDto): NewRollout {
    return {
      version,
      percent,
      key,
      when,
      reason,
      basedOnVersion: based_on_version,
      guardrail: guardrail && {
        maxDropPoints: guardrail.max_drop_points,
        minPayments: guardrail.min_payments ?? 100,
        confidence: guardrail.confidence ?? 0.95,
      },
    };
  }
}

export class ChangeRolloutDto {
  /** The candidate's share of the payments, with at most two decimals; 0 pauses it. @example 50 */
  @IsPercent(2)
  percent: number;

  /** Why it is changed; shown with the stage and in the audit log. @example "No more declines so far" */
  @Optional()
  @IsReason()
  reason?: string;
}

export class EndRolloutDto {
  /** Why it ends; shown with the rollout and in the audit log. @example "Berlin approves more" */
  @Optional()
  @IsReason()
  reason?: string;
}

/** A period with one percent. */
export class RolloutStageDto {
  /** From 1. @example 1 */
  stage: number;
  /** @example 10 */
  @ApiDecimal()
  percent: number;
  /** @example "2026-11-21T01:02:03.456Z" */
  since: string;
  /** @example "Berlin costs less" */
  reason: string | null;
}

/** The guardrail of a rollout, with its defaults. */
export class RolloutGuardrailDto {
  /** In percent points. @example 2 */
  @ApiDecimal()
  max_drop_points: number;
  /** @example 100 */
  min_payments: number;
  /** @example 0.95 */
  @ApiDecimal()
  confidence: number;
}

export class RolloutDto {
  /** @example 4 */
  id: number;
  /** @example 12 */
  flow_id: number;
  /** The candidate. @example 2 */
  version: number;
  /** The version that was active when the rollout began. @example 1 */
  base_version: number;
  /** The candidate's share of the payments, now or when the rollout ended. @example 10 */
  @ApiDecimal()
  percent: number;
  /** @example "customer" */
  @ApiEnum('RolloutKey', ROLLOUT_KEYS)
  key: RolloutKey;
  /** The condition of the payments that take part; `null`: all. @example { "country": { "equals": "DE" } } */
  @ApiProperty({ ...CONDITION, nullable: true })
  when: Condition | null;
  /** `promoted`: the candidate became active for all payments. `aborted`: all payments got the active version again. @example "running" */
  @ApiEnum('RolloutStatus', STATUSES)
  status: (typeof STATUSES)[number];
  /** `null`: it is not aborted by itself. */
  guardrail: RolloutGuardrailDto | null;
  /** @example "Berlin costs less" */
  reason: string | null;
  /** `null` while it is running. @example "requested" */
  @ApiEnum('RolloutEndCause', END_CAUSES)
  end_cause: (typeof END_CAUSES)[number] | null;
  /** @example "Berlin approves more" */
  end_reason: string | null;
  /** The API client that started it; `cli` or `system` without one. @example "client_0c8c1d1e6f0a" */
  started_by: string;
  /** `system`: its guardrail ended it. @example "client_0c8c1d1e6f0a" */
  ended_by: string | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  started_at: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  updated_at: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  ended_at: string | null;
  /** In order; the last one is the present one, or the one in which it ended. */
  stages: RolloutStageDto[];

  static from(row: RolloutRow): RolloutDto {
    const { max_drop_points, min_payments, confidence } = row;
    const hasGuardrail = max_drop_points !== null && min_payments !== null && confidence !== null;
    return {
      id: row.id,
      flow_id: row.flow_id,
      version: row.version,
      base_version: row.base_version,
      percent: row.percent,
      key: row.key,
      when: row.when,
      status: row.status,
      guardrail: hasGuardrail ? { max_drop_points, min_payments, confidence } : null,
      reason: row.reason,
      end_cause: row.end_cause,
      end_reason: row.end_reason,
      started_by: row.started_by,
      ended_by: row.ended_by,
      started_at: row.started_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
      stages: row.stages.map(({ since, ...stage }) => ({ ...stage, since: new Date(since).toISOString() })),
    };
  }
}

/** A rollout with its versions' approvals so far. */
export class ComparedRolloutDto extends RolloutDto {
  comparison: RolloutComparisonDto;

  static compared(row: RolloutRow, counts: readonly RolloutCount[]): ComparedRolloutDto {
    const rollout = RolloutDto.from(row);
    const { guardrail, stages, base_version: base, version: candidate } = rollout;
    const limits = guardrail && {
      maxDropPoints: guardrail.max_drop_points,
      minPayments: guardrail.min_payments,
      confidence: guardrail.confidence,
      key: rollout.key,
    };
    return { ...rollout, comparison: RolloutComparisonDto.from(counts, stages, { base, candidate }, limits) };
  }
}
