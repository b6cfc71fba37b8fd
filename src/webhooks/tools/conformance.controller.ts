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
    summary: 'Test a receiver',
    description:
      'Sends about twenty requests to the address, one after the other. The receiver must acknowledge genuine and unusual requests with a 2xx, and refuse wrong ones. A 2xx does not show everything, for example whether a repetition was handled once; `unproven` says what to check. A run takes up to half a minute and records no deliveries.',
  })
  @ApiSuccess(ConformanceRun)
  @ApiProblems('shop_not_found', 'validation_failed', 'too_many_requests')
  async run(
    @IdParam('shopId') shopId: number,
    @Body() { webhook_endpoint: endpoint }: ConformanceRequest,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ConformanceRun>> {
    return success(await this.conformance.run('default', shopId, endpoint, context, owner));
  }

  @Post('endpoints/:id/conformance')
  @HttpCode(200)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Test the receiver of a standing endpoint',
    description:
      'Like `POST /webhooks/shop/{shopId}/conformance`, at the address of the endpoint, with its secret, headers and authentication.',
  })
  @ApiSuccess(ConformanceRun)
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing', 'too_many_requests')
  async runEndpoint(
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ConformanceRun>> {
    return success(await this.conformance.run('standing', id, undefined, context, owner));
  }

  @Post('verify')
  @HttpCode(200)
  @CpuBound()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Explain why a signature does not match',
    description: 'Takes a webhook as the receiver got it and says what is wrong with it. Changes nothing.',
  })
  @ApiSuccess(WebhookVerification)
  @ApiProblems(
    'shop_not_found',
    'endpoint_not_found',
    'endpoint_not_standing',
    'validation_failed',
    'too_many_requests',
  )
  async verify(
    @Body() request: WebhookToVerify,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<WebhookVerification>> {
    return success(await this.verification.explain(WebhookToVerify.toRequest(request), owner));
  }
}
