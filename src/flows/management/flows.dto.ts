import { fieldsOf } from '@payment-orchestrator/routing/definition/given-definition';
import { PartialType } from '@nestjs/swagger';
import { IsString, Length, Matches, Min } from 'class-validator';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsInteger, IsReason, Optional } from '../../platform/http/validation/field-rules.js';
import { AssertionDto, FlowDefinitionDto, RuleDto, RuleUseDto } from '../definition/definition.dto.js';
import { ShopConditionsDto } from '../definition/flow-shop.dto.js';
import { SuccessRateDto } from '../definition/success-rate.dto.js';
import type { FlowDefinition, FlowShop, StrategyName } from '@payment-orchestrator/routing/definition/definition';
import { CAPTURE_MODES, type CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import { ROLLOUT_KEYS, type RolloutKey, type RunningRollout } from '@payment-orchestrator/routing/decision/rollout';
import { PROPOSAL_STATES, type ProposalState } from './proposal-state.js';
import type { ApprovalRequestRow } from './version-approvals.queries.js';
import type { FlowChanges, FlowVersion, FlowVersionStatus } from './versions.service.js';
import type { Flow } from './flows.service.js';

export class CreateFlowDto extends FlowDefinitionDto {
  /** Unique among the merchant's flows. @example "checkout" */
  @IsString()
  @Length(1, 100)
  @Matches(/^\S(.*\S)?$/u, { message: '$property must not begin or end with white space' })
  @Matches(/^\P{Cc}*$/u, { message: '$property must not contain control characters' })
  name: string;
}

/** Omitted fields stay unchanged; `shops` are replaced as a whole. */
export class UpdateFlowDto extends PartialType(CreateFlowDto, { skipNullProperties: false }) {
  /** The version that the change is based on. If another version is active by now, the change is refused (`flow_changed`). If omitted, the change is based on the active version. @example 1 */
  @Optional()
  @IsInteger()
  @Min(1)
  based_on_version?: number;

  /** Why the flow is changed; shown with the new version and in the audit log. @example "Berlin costs less" */
  @Optional()
  @IsReason()
  reason?: string;

  static toChanges({ name, based_on_version, reason, ...fields }: UpdateFlowDto): FlowChanges {
    return {
      ...(reason !== undefined && { reason }),
      ...(based_on_version !== undefined && { basedOnVersion: based_on_version }),
      ...(name !== undefined && { name }),
      ...fieldsOf(fields),
    };
  }
}

/** A rollout that is running: its candidate gets a percent of the flow's payments, the active version the others. */
export class RunningRolloutDto {
  /** @example 4 */
  id: number;
  /** The candidate. @example 2 */
  version: number;
  /** @example 10 */
  @ApiDecimal()
  percent: number;
  /** @example "customer" */
  @ApiEnum('RolloutKey', ROLLOUT_KEYS)
  key: RolloutKey;

  static from({ id, version, percent, key }: RunningRollout): RunningRolloutDto {
    return { id, version, percent, key };
  }
}

/** A shop's membership in a flow. */
export class FlowMemberDto {
  /** @example 3 */
  shop_id: number;
  /** @example "Berlin" */
  shop_name: string;
  /** @example 1 */
  priority: number;
  /** @example 1 */
  weight: number;
  /** Whether the shop is enabled in this flow; the shop itself may still be disabled. @example true */
  enabled: boolean;
  conditions: ShopConditionsDto;
}

export class FlowDto {
  /** @example 12 */
  id: number;
  /** @example "checkout" */
  name: string;
  /** @example "round_robin" */
  strategy: StrategyName;
  /** The active version; each change of strategy or shops creates the next one. @example 1 */
  version: number;
  /** The number of payments that the flow has routed, without those of candidates; `null` for a strategy without a counter. @example 42 */
  counter: number | null;
  /** `null`: none is running. */
  rollout: RunningRolloutDto | null;
  shops: FlowMemberDto[];
  /** Only with the strategy `rules`. */
  rules?: RuleDto[];
  /** Only with the strategy `rules`. */
  default?: RuleUseDto;
  /** Only with the strategy `success_rate`, if it was given. */
  success_rate?: SuccessRateDto;
  /** The maximum number of shops that a payment is tried with, including the first; 1: no failover. @example 3 */
  max_attempts: number;
  /** The capture of payments whose request has none; absent: `automatic`. @example "manual" */
  @ApiEnum('CaptureMode', CAPTURE_MODES)
  capture?: CaptureMode;
  /** The assertions that are checked before a version becomes active. */
  assertions: AssertionDto[];
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  updated_at: string;

  static from({ id, name, version, counter, rollout, definition, shops, created_at, updated_at }: Flow): FlowDto {
    const { strategy, shops: members, ...optional } = withDefaults(definition);
    return {
      id,
      name,
      strategy,
      version,
      counter,
      rollout: rollout && RunningRolloutDto.from(rollout),
      shops: members.map((member) => toMember(member, shops.get(member.shop_id)!.name)),
      ...optional,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}

/** The definition with the default values of optional fields. */
const withDefaults = (
  definition: FlowDefinition,
): Required<Pick<FlowDefinition, 'max_attempts' | 'assertions'>> & FlowDefinition => ({
  ...definition,
  max_attempts: definition.max_attempts ?? 1,
  assertions: definition.assertions ?? [],
});

const toMember = ({ shop_id, priority, weight, enabled, conditions }: FlowShop, shopName: string): FlowMemberDto => ({
  shop_id,
  shop_name: shopName,
  priority,
  weight,
  enabled,
  conditions,
});

export class ActivateVersionDto {
  /** The active version that this one was compared with. If another version is active by now, the call is refused (`flow_changed`). If omitted, this version replaces any active version. @example 1 */
  @Optional()
  @IsInteger()
  @Min(1)
  based_on_version?: number;

  /** Why the version is activated; shown with the version and in the audit log. @example "Berlin costs less" */
  @Optional()
  @IsReason()
  reason?: string;
}

export class ApproveVersionDto {
  /** Shown with the approval and in the audit log. @example "Checked with the contract" */
  @Optional()
  @IsReason()
  reason?: string;
}

export class FlowVersionApprovalDto {
  /** The API client that approved the version. @example "client_1d9e2f3a4b5c" */
  by: string;
  /** @example "Checked with the contract" */
  reason: string | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  at: string;
}

export const APPROVAL_REQUEST_STATUSES = ['waiting', 'approved', 'rejected', 'withdrawn'] as const;

export class FlowApprovalRequestDto {
  /** @example "waiting" */
  @ApiEnum('ApprovalRequestStatus', APPROVAL_REQUEST_STATUSES)
  status: (typeof APPROVAL_REQUEST_STATUSES)[number];
  /** The API client that asks. @example "client_0c8c1d1e6f0a" */
  requested_by: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  requested_at: string;
  /** Those who are asked; none: everyone who may approve. @example ["client_1d9e2f3a4b5c"] */
  colleagues: string[];
  /** @example "Berlin costs less" */
  message: string | null;
  /** The API client that approved, rejected or withdrew. @example null */
  ended_by: string | null;
  /** @example null */
  ended_at: string | null;
  /** @example null */
  end_reason: string | null;

  static from({ id: _, requested_at, ended_at, ...request }: ApprovalRequestRow): FlowApprovalRequestDto {
    return {
      ...request,
      requested_at: new Date(requested_at).toISOString(),
      ended_at: ended_at === null ? null : new Date(ended_at).toISOString(),
    };
  }
}

export class FlowVersionDto {
  /** 1 for the version that created the flow, then increased by one. @example 2 */
  version: number;
  /** `draft`: never active so far; `candidate`: a running rollout gives it some payments; `retired`: was active, and can be activated again. @example "draft" */
  @ApiEnum('FlowVersionStatus', ['draft', 'candidate', 'active', 'retired'])
  status: FlowVersionStatus;
  /** The running rollout of a `candidate`; otherwise `null`. */
  rollout: RunningRolloutDto | null;
  /** In the format of a new version, a simulation and a backtest. */
  definition: FlowDefinitionDto;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** The time of the last activation; `null` for a draft. @example "2026-11-21T01:02:03.456Z" */
  activated_at: string | null;
  /** The API client that wrote the version; `cli` or `system` without one; `null` if an earlier release wrote it. @example "client_0c8c1d1e6f0a" */
  created_by: string | null;
  /** The actor of the last activation; `null` for a draft. @example "client_0c8c1d1e6f0a" */
  activated_by: string | null;
  /** The reason that was given for the last activation. @example "Berlin costs less" */
  reason: string | null;
  /** Oldest first; the author approves nothing. */
  approvals: FlowVersionApprovalDto[];
  /** Whether it cannot be active, also in a rollout, before another client approves it. @example false */
  needs_approval: boolean;
  /** The way of the version as a proposal. `rejected` and `withdrawn` can be proposed again. `superseded`: it was active, or is an older draft than the active version. @example "waiting" */
  @ApiEnum('ProposalState', PROPOSAL_STATES)
  proposal_state: ProposalState;
  /** The last request for an approval; `null`: there was none. */
  approval_request: FlowApprovalRequestDto | null;
  /** The last rollout of this version; `null`: there was none. @example 4 */
  last_rollout_id: number | null;
  /** The version that was active before the last activation of this one; `null` for a draft, the first version, and activations of an earlier release. @example 1 */
  replaced_version: number | null;

  static from({ version, status, rollout, definition, created_at, activated_at, ...row }: FlowVersion): FlowVersionDto {
    return {
      version,
      status,
      rollout: rollout && RunningRolloutDto.from(rollout),
      definition: withDefaults(definition),
      created_at: created_at.toISOString(),
      activated_at: activated_at?.toISOString() ?? null,
      created_by: row.created_by,
      activated_by: row.activated_by,
      reason: row.reason,
      approvals: row.approvals.map(({ by, reason, at }) => ({ by, reason, at: new Date(at).toISOString() })),
      needs_approval: row.needsApproval,
      proposal_state: row.proposalState,
      approval_request: row.last_request && FlowApprovalRequestDto.from(row.last_request),
      last_rollout_id: row.last_rollout_id,
      replaced_version: row.replaced_version,
    };
  }
}
