import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal, CurrentOwner } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { FlowDefinitionDto } from '../definition/definition.dto.js';
import { ActivateVersionDto, ApproveVersionDto, FlowVersionDto, FlowDto } from './flows.dto.js';
import { VersionApprovalsService } from './version-approvals.service.js';
import { FlowVersionsService } from './versions.service.js';
import { FlowsService } from './flows.service.js';

const DRAFTS = {
  weighted: {
    summary: 'Weighted',
    value: { strategy: 'weighted', shops: [{ shop_id: 1, weight: 3 }], max_attempts: 2 },
  },
};

@ApiTags('flows')
@Controller('flows/:id/versions')
export class FlowVersionsController {
  constructor(
    private readonly versions: FlowVersionsService,
    private readonly flows: FlowsService,
    private readonly approvals: VersionApprovalsService,
  ) {}

  @Get()
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: "List a flow's versions, newest first",
    description: 'Each with its definition, its state, and who created and activated it.',
  })
  @ApiSuccessPage(FlowVersionDto)
  @ApiProblems('flow_not_found')
  async list(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<FlowVersionDto>> {
    const page = await this.versions.list(principal.merchantId, id, PageQueryDto.toPageRequest(query));
    return successPage(page, (version) => FlowVersionDto.from(version));
  }

  @Post()
  @CpuBound()
  @RequireScopes('flows:write')
  @ApiOperation({
    summary: 'Create a draft',
    description:
      'A draft is not used for payments until it is activated. To try it first, send it as `definition` to ' +
      '`POST /flows/simulate`, or as `version` to `POST /flows/{id}/backtest`.',
  })
  @ApiBody({ type: FlowDefinitionDto, examples: DRAFTS })
  @ApiSuccess(FlowVersionDto, { status: 201 })
  @ApiProblems('flow_not_found', 'validation_failed')
  async draft(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() request: FlowDefinitionDto,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<FlowVersionDto>> {
    const definition = definitionOf(request);
    return success(
      FlowVersionDto.from(await this.versions.draft(principal.merchantId, id, definition, context, owner)),
    );
  }

  @Get(':version')
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'Read a version',
    description: 'With its definition and its approvals. Versions never change.',
  })
  @ApiSuccess(FlowVersionDto)
  @ApiProblems('flow_not_found', 'flow_version_not_found')
  async find(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @IdParam('version') version: number,
  ): Promise<Success<FlowVersionDto>> {
    return success(FlowVersionDto.from(await this.versions.find(principal.merchantId, id, version)));
  }

  @Post(':version/approve')
  @HttpCode(200)
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Approve a version that another client wrote',
    description:
      'With `FLOW_ACTIVATION_APPROVALS=1` a version needs this before it is active for the first time. An approval ' +
      'activates nothing and cannot be withdrawn. A repeat has no effect.',
  })
  @ApiBody({ type: ApproveVersionDto, required: false, examples: { 'without a reason': { value: {} } } })
  @ApiSuccess(FlowVersionDto)
  @ApiProblems('flow_not_found', 'flow_version_not_found', 'flow_own_version', 'validation_failed')
  async approve(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @IdParam('version') version: number,
    @Body() { reason }: ApproveVersionDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<FlowVersionDto>> {
    await this.approvals.approve(principal.merchantId, id, { version, reason }, context);
    return success(FlowVersionDto.from(await this.versions.find(principal.merchantId, id, version)));
  }

  @Post(':version/activate')
  @CpuBound()
  @HttpCode(200)
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Activate a version, newer or older',
    description:
      'The counter continues; routed payments keep their shop. Activating the active version has no effect, so ' +
      'the call can be retried. With `based_on_version` the version is activated only if that version is the ' +
      'active one. It is reported as `flow.activated`, or as `flow.rolled_back` if an earlier version that was active before is ' +
      'active again.',
  })
  @ApiBody({ type: ActivateVersionDto, required: false, examples: { 'replace any active version': { value: {} } } })
  @ApiSuccess(FlowDto)
  @ApiProblems(
    'flow_not_found',
    'flow_version_not_found',
    'flow_changed',
    'flow_rollout_running',
    'flow_approval_required',
    'flow_assertion_violated',
    'flow_assertions_too_complex',
    'validation_failed',
  )
  async activate(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @IdParam('version') version: number,
    @Body() { based_on_version: basedOnVersion, reason }: ActivateVersionDto,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<FlowDto>> {
    await this.versions.activate(principal.merchantId, id, { version, basedOnVersion, reason }, context, owner);
    return success(FlowDto.from(await this.flows.find(principal.merchantId, id)));
  }
}
