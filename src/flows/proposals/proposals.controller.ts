import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes, requireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { actorName, type AuditContext, CurrentAuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { FlowVersionDto } from '../management/flows.dto.js';
import {
  CommentVersionDto,
  FlowVersionCommentDto,
  ProposalDto,
  ProposalsQueryDto,
  RejectVersionDto,
  RequestApprovalDto,
  WithdrawApprovalRequestDto,
} from './proposals.dto.js';
import { ProposalsService } from './proposals.service.js';

@ApiTags('flows')
@Controller()
export class ProposalsController {
  constructor(private readonly proposals: ProposalsService) {}

  @Get('proposals')
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'List versions for which an approval was requested, newest request first',
    description: 'Of all flows. If `state` is omitted: those that wait.',
  })
  @ApiSuccessPage(ProposalDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ProposalsQueryDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<SuccessPage<ProposalDto>> {
    const answerer = query.for === 'me' ? actorName(context) : undefined;
    const filter = { status: query.state ?? 'waiting', answerer };
    const page = await this.proposals.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => ProposalDto.from(row));
  }

  @Post('flows/:id/versions/:version/approval-requests')
  @HttpCode(200)
  @RequireScopes('flows:write')
  @ApiOperation({
    summary: 'Ask colleagues to approve a version',
    description:
      'It is reported as `approval.requested`. It is optional: a version can be approved without a request. While a ' +
      'request waits, a repeat has no effect.',
  })
  @ApiBody({ type: RequestApprovalDto, required: false, examples: { everyone: { value: {} } } })
  @ApiSuccess(FlowVersionDto)
  @ApiProblems('flow_not_found', 'flow_version_not_found', 'flow_version_not_proposed', 'validation_failed')
  async request(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('version') version: number,
    @Body() { colleagues = [], message }: RequestApprovalDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<FlowVersionDto>> {
    const id = { merchantId, flowId, version };
    return success(FlowVersionDto.from(await this.proposals.request(id, { colleagues, message }, context)));
  }

  @Post('flows/:id/versions/:version/approval-requests/withdraw')
  @HttpCode(200)
  @RequireScopes('flows:write')
  @ApiOperation({ summary: 'Withdraw the request for an approval that waits', description: 'The draft stays.' })
  @ApiBody({ type: WithdrawApprovalRequestDto, required: false, examples: { 'without a reason': { value: {} } } })
  @ApiSuccess(FlowVersionDto)
  @ApiProblems('flow_not_found', 'flow_version_not_found', 'flow_approval_not_open', 'validation_failed')
  async withdraw(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('version') version: number,
    @Body() { reason }: WithdrawApprovalRequestDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<FlowVersionDto>> {
    return success(
      FlowVersionDto.from(await this.proposals.withdraw({ merchantId, flowId, version }, reason, context)),
    );
  }

  @Post('flows/:id/versions/:version/reject')
  @HttpCode(200)
  @RequireScopes('flows:activate')
  @ApiOperation({
    summary: 'Reject a version for which an approval is requested',
    description: 'It ends the request with a reason. The draft stays, and an approval can be requested again.',
  })
  @ApiBody({ type: RejectVersionDto, examples: { reason: { value: { reason: 'Berlin has no contract for this' } } } })
  @ApiSuccess(FlowVersionDto)
  @ApiProblems(
    'flow_not_found',
    'flow_version_not_found',
    'flow_own_version',
    'flow_approval_not_open',
    'validation_failed',
  )
  async reject(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('version') version: number,
    @Body() { reason }: RejectVersionDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<FlowVersionDto>> {
    return success(FlowVersionDto.from(await this.proposals.reject({ merchantId, flowId, version }, reason, context)));
  }

  @Get('flows/:id/versions/:version/comments')
  @TakesReadSlot()
  @RequireScopes('flows:read')
  @ApiOperation({ summary: "List a version's comments, newest first", description: 'Comments are never changed.' })
  @ApiSuccessPage(FlowVersionCommentDto)
  @ApiProblems('flow_not_found', 'flow_version_not_found')
  async comments(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') flowId: number,
    @IdParam('version') version: number,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<FlowVersionCommentDto>> {
    const page = await this.proposals.comments({ merchantId, flowId, version }, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => FlowVersionCommentDto.from(row));
  }

  @Post('flows/:id/versions/:version/comments')
  @RequireScopes('flows:read')
  @ApiOperation({
    summary: 'Comment a version',
    description: 'Also requires `flows:write` or `flows:activate`: those who propose and those who approve talk here.',
  })
  @ApiBody({ type: CommentVersionDto, examples: { question: { value: { comment: 'What does Berlin charge?' } } } })
  @ApiSuccess(FlowVersionCommentDto, { status: 201 })
  @ApiProblems('flow_not_found', 'flow_version_not_found', 'validation_failed')
  async comment(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') flowId: number,
    @IdParam('version') version: number,
    @Body() { comment }: CommentVersionDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<FlowVersionCommentDto>> {
    const { merchantId, scopes } = principal;
    if (!scopes.includes('flows:activate')) requireScopes(principal, ['flows:read', 'flows:write'], 'a comment');
    const row = await this.proposals.comment({ merchantId, flowId, version }, comment, context);
    return success(FlowVersionCommentDto.from(row));
  }
}
