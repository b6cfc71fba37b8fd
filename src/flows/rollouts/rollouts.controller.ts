import { Body, Controller, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
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
import { RolloutAborts } from './rollout-aborts.service.js';
import { ChangeRolloutDto, ComparedRolloutDto, EndRolloutDto, RolloutDto, StartRolloutDto } from './rollouts.dto.js';
import { RolloutCourseDto } from './rollout-course.dto.js';
import { RolloutCourse } from './rollout-course.service.js';
import { RolloutsService } from './rollouts.service.js';

const STARTS = {
  guarded: {
    summary: 'A tenth of the customers, with a guardrail',
    value: { version: 2, percent: 10, key: 'customer', guardrail: { max_drop_points: 2 } },
  },
};

@ApiTags('flows')
@Controller('flows/:id/rollouts')
export class RolloutsController {
  constructor(
    private readonly rollouts: RolloutsService,
    private readonly aborts: RolloutAborts,
    private readonly course: RolloutCourse,
  ) {}

  @Post()
  @CpuBound()
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Roll a version out to a percent of the payments',
    description:
      'The other payments get the active version. Raising the percent moves no customer back. Each version has its own ' +
      'counter. While a rollout is running, no other version can be activated. With a `guardrail` the service aborts the ' +
      'rollout when the approval rate of the candidate is too low.',
  })
  @ApiBody({ type: StartRolloutDto, examples: STARTS })
  @ApiSuccess(RolloutDto, { status: 201 })
  @ApiProblems(
    'flow_not_found',
    'flow_version_not_found',
    'flow_version_active',
    'flow_changed',
    'flow_rollout_running',
    'flow_approval_required',
    'flow_assertion_violated',
    'flow_assertions_too_complex',
    'validation_failed',
  )
  async start(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @Body() request: StartRolloutDto,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<RolloutDto>> {
    const rollout = StartRolloutDto.toRollout(request);
    return success(RolloutDto.from(await this.rollouts.start(merchantId, id, rollout, context, owner)));
  }

  @Get()
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: "List a flow's rollouts, newest first",
    description: 'Without the comparison, which the answer for one rollout has.',
  })
  @ApiSuccessPage(RolloutDto)
  @ApiProblems('flow_not_found')
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<RolloutDto>> {
    const page = await this.rollouts.list(merchantId, id, PageQueryDto.toPageRequest(query));
    return successPage(page, (rollout) => RolloutDto.from(rollout));
  }

  @Get(':rolloutId')
  @CpuBound()
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'Read a rollout, with the comparison of its versions',
    description: 'The outcomes of payments of both versions, and the difference of their approval rates.',
  })
  @ApiSuccess(ComparedRolloutDto)
  @ApiProblems('flow_not_found', 'flow_rollout_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('rolloutId') rolloutId: number,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ComparedRolloutDto>> {
    const rollout = await this.rollouts.find({ merchantId, flowId, rolloutId });
    return success(ComparedRolloutDto.compared(rollout, await this.rollouts.counts(rolloutId, owner)));
  }

  @Get(':rolloutId/over-time')
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'Read the outcomes of both versions by hour or day',
    description:
      'Of the latest 50,000 payments of the flow since the rollout began. Steps are days if it has taken more than 48 hours.',
  })
  @ApiSuccess(RolloutCourseDto)
  @ApiProblems('flow_not_found', 'flow_rollout_not_found')
  async overTime(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('rolloutId') rolloutId: number,
  ): Promise<Success<RolloutCourseDto>> {
    const rollout = await this.rollouts.find({ merchantId, flowId, rolloutId });
    return success(RolloutCourseDto.from(await this.course.read(rollout)));
  }

  @Patch(':rolloutId')
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Change the percent of a rollout',
    description:
      'This begins its next stage. The percent that it has already changes nothing, so the call can be retried.',
  })
  @ApiBody({ type: ChangeRolloutDto, examples: { half: { summary: 'Half', value: { percent: 50 } } } })
  @ApiSuccess(RolloutDto)
  @ApiProblems(
    'flow_not_found',
    'flow_rollout_not_found',
    'flow_rollout_ended',
    'flow_rollout_stages_reached',
    'flow_approval_required',
    'validation_failed',
  )
  async change(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('rolloutId') rolloutId: number,
    @Body() { percent, reason }: ChangeRolloutDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<RolloutDto>> {
    const id = { merchantId, flowId, rolloutId };
    return success(RolloutDto.from(await this.rollouts.change(id, { percent, reason }, context)));
  }

  @Post(':rolloutId/promote')
  @HttpCode(200)
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Activate the candidate for all payments',
    description: 'It is reported as `flow.activated`. A repeat has no effect.',
  })
  @ApiBody({ type: EndRolloutDto, required: false, examples: { 'without a reason': { value: {} } } })
  @ApiSuccess(RolloutDto)
  @ApiProblems(
    'flow_not_found',
    'flow_rollout_not_found',
    'flow_rollout_ended',
    'flow_approval_required',
    'validation_failed',
  )
  async promote(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('rolloutId') rolloutId: number,
    @Body() { reason }: EndRolloutDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<RolloutDto>> {
    const id = { merchantId, flowId, rolloutId };
    return success(RolloutDto.from(await this.rollouts.promote(id, reason, context)));
  }

  @Post(':rolloutId/abort')
  @HttpCode(200)
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Give all payments the active version again',
    description: 'It is reported as `flow.rolled_back`. A repeat has no effect.',
  })
  @ApiBody({ type: EndRolloutDto, required: false, examples: { 'without a reason': { value: {} } } })
  @ApiSuccess(RolloutDto)
  @ApiProblems('flow_not_found', 'flow_rollout_not_found', 'flow_rollout_ended', 'validation_failed')
  async abort(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('rolloutId') rolloutId: number,
    @Body() { reason }: EndRolloutDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<RolloutDto>> {
    const id = { merchantId, flowId, rolloutId };
    await this.aborts.abort(id, reason, context);
    return success(RolloutDto.from(await this.rollouts.find(id)));
  }
}
