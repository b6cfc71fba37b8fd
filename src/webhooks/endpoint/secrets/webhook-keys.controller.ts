import { Body, Controller, Get, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentPrincipal, type Principal, Public, RequireScopes } from '../../../access/access.js';
import { CurrentAuditContext, type AuditContext } from '../../../audit/audit-context.js';
import { clientNetwork } from '../../../platform/http/client-address.js';
import { ApiProblems } from '../../../openapi/api-problems.js';
import { ApiSuccess } from '../../../openapi/api-success.js';
import { success, type Success } from '../../../platform/http/routes.js';
import { IdParam } from '../../../platform/http/validation/id-param.js';
import { WebhookKeyRotation, WebhookKeySet } from './webhook-keys.dto.js';
import { WebhookKeysService } from './webhook-keys.service.js';

@ApiTags('shops')
@Controller('shops/:id')
export class WebhookKeysController {
  constructor(private readonly keys: WebhookKeysService) {}

  /**
   * The public keys that verify `v1a` in the header `webhook-signature`.
   * @remarks No authentication. Empty for a shop that signs only with its secret.
   */
  @Get('jwks.json')
  @Public()
  @Header('cache-control', 'public, max-age=300')
  @ApiOkResponse({ type: WebhookKeySet })
  @ApiProblems('malformed_request', 'too_many_requests')
  async published(@IdParam('id') shopId: number, @Req() request: FastifyRequest): Promise<WebhookKeySet> {
    return { keys: await this.keys.published(shopId, clientNetwork(request)) };
  }

  /**
   * Gives the shop a new signing key.
   * @remarks During the overlap webhooks have signatures of both keys; another rotation ends the overlap.
   */
  @Post('webhook-key/rotate')
  @RequireScopes('shops:write')
  @ApiSuccess(WebhookKeySet)
  @ApiProblems('shop_not_found', 'no_webhook_key', 'validation_failed')
  @HttpCode(200)
  async rotate(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') shopId: number,
    @Body() { overlap_seconds: overlapSeconds = 86_400 }: WebhookKeyRotation,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<WebhookKeySet>> {
    return success({ keys: await this.keys.rotate(merchantId, shopId, overlapSeconds, context) });
  }
}
