import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, requireScopes, CurrentPrincipal, type Principal, CurrentOwner } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { NamedPageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { VersionApprovalsService } from './version-approvals.service.js';
import { CreateFlowDto, FlowDto, UpdateFlowDto } from './flows.dto.js';
import { FlowsService } from './flows.service.js';
import { changesDefinition } from './versions.service.js';

const NEW_FLOWS = {
  turns: {
    summary: 'Round robin',
    value: { name: 'checkout', strategy: 'round_robin', shops: [{ shop_id: 1 }] },
  },
  rules: {
    summary: 'Rules, failover and an assertion',
    value: {
      name: 'checkout-by-rules',
      strategy: 'rules',
      shops: [
        { shop_id: 1, weight: 3 },
        { shop_id: 2, conditions: { min_amount: 1 } },
      ],
      rules: [
        {
          when: {
            currency: { in: ['EUR', 'CHF'] },
            any: [{ amount: { min: 500 } }, { 'metadata.tier': { equals: 'gold' } }],
          },
          use: { shops: [2], strategy: 'priority' },
        },
      ],
      default: { shops: [1, 2], strategy: 'weighted' },
      max_attempts: 2,
      assertions: [{ when: { currency: { equals: 'USD' } }, at_least: 1 }],
    },
  },
};

const FLOW_CHANGES = {
  failover: { summary: 'Try a second shop after a soft decline of the first', value: { max_attempts: 2 } },
  shops: { summary: 'Replace the shops', value: { shops: [{ shop_id: 1, weight: 2 }] } },
};

@ApiTags('flows')
@Controller('flows')
export class FlowsController {
  constructor(
    private readonly flows: FlowsService,
    private readonly approvals: VersionApprovalsService,
  ) {}

  @Post()
  @CpuBound()
  @RequireScopes('flows:write')
  @ApiOperation({
    summary: 'Create a flow',
    description: 'Its first version is active at once. `shops` are those of `POST /shops`, by id.',
  })
  @ApiBody({ type: CreateFlowDto, examples: NEW_FLOWS })
  @ApiSuccess(FlowDto, { status: 201 })
  @ApiProblems(
    'flow_name_taken',
    'flow_limit_reached',
    'flow_assertion_violated',
    'flow_assertions_too_complex',
    'validation_failed',
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() request: CreateFlowDto,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<FlowDto>> {
    const definition = definitionOf(request);
    return success(
      FlowDto.from(await this.flows.create(principal.merchantId, request.name, definition, context, owner)),
    );
  }

  @Get()
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'List flows, newest first',
    description: 'Each with its active definition. `name_contains` finds some of them.',
  })
  @ApiSuccessPage(FlowDto)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: NamedPageQueryDto,
  ): Promise<SuccessPage<FlowDto>> {
    const request = NamedPageQueryDto.toPageRequest(query);
    const page = await this.flows.list(principal.merchantId, request, query.name_contains);
    return successPage(page, (flow) => FlowDto.from(flow));
  }

  @Get(':id')
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'Read a flow',
    description: 'With its active definition and its present rollout.',
  })
  @ApiSuccess(FlowDto)
  @ApiProblems('flow_not_found')
  async find(@CurrentPrincipal() principal: Principal, @IdParam('id') id: number): Promise<Success<FlowDto>> {
    return success(FlowDto.from(await this.flows.find(principal.merchantId, id)));
  }

  @Patch(':id')
  @CpuBound()
  @RequireScopes('flows:write')
  @ApiOperation({
    summary: 'Change a flow',
    description:
      'A change of any field except the name drafts a new version and activates it in one step. The counter ' +
      'continues. Repeating a change has no effect, so the call can be retried. With `based_on_version` the ' +
      'change applies only if that version is active. Any field of the definition also requires the scope ' +
      '`flows:activate`, and is refused with `FLOW_ACTIVATION_APPROVALS=1`: draft, approve and activate a version. With ' +
      'this setting, the name of a flow that had payments requires `flows:activate`, too. A rename is reported as `flow.renamed`.',
  })
  @ApiBody({ type: UpdateFlowDto, examples: FLOW_CHANGES })
  @ApiSuccess(FlowDto)
  @ApiProblems(
    'flow_not_found',
    'flow_changed',
    'flow_rollout_running',
    'flow_approval_required',
    'flow_name_taken',
    'flow_assertion_violated',
    'flow_assertions_too_complex',
    'validation_failed',
  )
  async update(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() request: UpdateFlowDto,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<FlowDto>> {
    const changes = UpdateFlowDto.toChanges(request);
    if (changesDefinition(changes)) requireScopes(principal, ['flows:write', 'flows:activate'], 'a new definition');
    if (changes.name !== undefined) await this.requireName(principal, id, changes.name);
    return success(FlowDto.from(await this.flows.update(principal.merchantId, id, changes, context, owner)));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScopes('flows:write')
  @ApiOperation({
    summary: 'Delete a flow without open payments and end its rollout; its name becomes available',
    description: 'With `FLOW_ACTIVATION_APPROVALS=1`, a flow that had payments also requires `flows:activate`.',
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiProblems('flow_not_found', 'flow_has_open_payments')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<void> {
    await this.requireName(principal, id, null);
    await this.flows.remove(principal.merchantId, id, context);
  }

  /** A flow that gets its first payment after this check was not in use when its name was changed. */
  private async requireName(principal: Principal, id: number, name: string | null): Promise<void> {
    if (await this.approvals.protectsName(principal.merchantId, id, name))
      requireScopes(principal, ['flows:write', 'flows:activate'], 'the name of a flow that had payments');
  }
}
