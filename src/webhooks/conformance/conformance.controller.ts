import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { CurrentOwner, RequireScopes } from '../../access/access.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { ConformanceRequest, ConformanceRun, WebhookToVerify, WebhookVerification } from './conformance.dto.js';
import { ConformanceService } from './conformance.service.js';
import { WebhookVerificationService } from './verification.service.js';

@ApiTags('webhooks')
@Controller('webhooks')
export class ConformanceController {
  constructor(
    private readonly conformance: ConformanceService,
    private readonly verification: WebhookVerificationService,
  ) {}

  @Post('shop/:shopId/conformance')
  @HttpCode(200)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Prove a receiver right',
    description:
      'Sends some twenty requests to the address, one after the other: genuine ones and unusual ones, which it has to acknowledge, and wrong ones, which it has to refuse. Any 2xx acknowledges; what it does not show, such as whether a repetition was handled once, `unproven` tells. Takes up to half a minute; nothing is recorded as a delivery.',
  })
  @ApiSuccess(ConformanceRun)
  @ApiProblems('shop_not_found', 'validation_failed', 'too_many_requests')
  async run(
    @IdParam('shopId') shopId: number,
    @Body() { webhook_endpoint: endpoint }: ConformanceRequest,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ConformanceRun>> {
    return success(await this.conformance.run(shopId, endpoint, context, owner));
  }

  @Post('verify')
  @HttpCode(200)
  @CpuBound()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Explain why a signature does not match',
    description: 'Takes a webhook as the receiver saw it and tells what happened to it. Changes nothing.',
  })
  @ApiSuccess(WebhookVerification)
  @ApiProblems('shop_not_found', 'validation_failed', 'too_many_requests')
  async verify(
    @Body() request: WebhookToVerify,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<WebhookVerification>> {
    return success(await this.verification.explain(WebhookToVerify.toRequest(request), owner));
  }
}
