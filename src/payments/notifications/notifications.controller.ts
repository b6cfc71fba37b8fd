import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, RequireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { type AuditContext, CurrentAuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { clientNetwork } from '../../platform/http/client-address.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { TakesAnyQuery } from '../../platform/http/query-guard.js';
import { textsOf } from '../../platform/http/query-texts.js';
import { RawBody } from '../../platform/http/body/body-parsers.js';
import { NotificationThrottle } from '../../providers/notifications/notification-throttle.service.js';
import { ListNotificationsQueryDto, NotificationDto } from './notifications.dto.js';
import { NotificationsService } from './notifications.service.js';

const RECEIVED = {
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { type: 'boolean' },
    data: {
      type: 'object',
      required: ['received'],
      properties: { received: { type: 'boolean' } },
    },
  },
};

@ApiTags('providers')
@Controller('providers')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly throttle: NotificationThrottle,
  ) {}

  @Get('notifications')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List notifications of providers for a shop, newest first',
    description:
      'Every notification with a valid signature, and its outcome. One that came too early waits until it is a legal change. ' +
      'One that contradicts its payment is ignored, with a reason. A repeated notification id is listed again only with ' +
      'other content.',
  })
  @ApiSuccessPage(NotificationDto)
  @ApiProblems('shop_not_found')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListNotificationsQueryDto,
  ): Promise<SuccessPage<NotificationDto>> {
    const page = await this.notifications.list(principal.merchantId, query, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => NotificationDto.from(row));
  }

  @Post('notifications/:id/acknowledge')
  @HttpCode(200)
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Acknowledge an alarm',
    description:
      'Records that a person has checked it and acted at the provider. It is then no longer open; the payment does not ' +
      'change. An acknowledged alarm is returned unchanged.',
  })
  @ApiSuccess(NotificationDto)
  @ApiProblems('notification_not_found', 'not_an_alarm')
  async acknowledge(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<NotificationDto>> {
    return success(NotificationDto.from(await this.notifications.acknowledge(merchantId, id, context)));
  }

  @Post(':provider/notifications/:shopId')
  @Public()
  @TakesAnyQuery()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Receive a notification from a payment provider',
    description:
      "Authenticated by the provider's own signature over the raw body, with the shop's credentials. " +
      'Answers 200 with the body that the provider expects after the notification is stored. Each notification id counts ' +
      'once. Kinds that say nothing about a payment are answered 200 and not stored.',
  })
  @ApiHeader({
    name: 'Signature',
    required: true,
    description: 'For sandbox: hex HMAC-SHA256 of the raw body keyed with notification_secret.',
  })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['id', 'provider_transaction_id', 'status'],
      properties: {
        id: { type: 'string', example: 'evt_1' },
        provider_transaction_id: { type: 'string', example: 'sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11' },
        status: { type: 'string', enum: ['processing', 'completed', 'failed', 'cancelled', 'refunded'] },
        data: { type: 'object', additionalProperties: true },
      },
    },
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: RECEIVED },
      'text/plain': { schema: { type: 'string' }, example: '[accepted]' },
    },
  })
  @ApiProblems(
    'invalid_signature',
    'provider_not_found',
    'malformed_json',
    'validation_failed',
    'payload_too_large',
    'too_many_requests',
    'dependency_unavailable',
  )
  async receive(
    @Param('provider') provider: string,
    @IdParam('shopId') shopId: number,
    @RawBody() rawBody: Buffer,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<{ received: true }> | string> {
    const incoming = { rawBody, headers: request.headers, shopId, query: textsOf(request.query) };
    const { acknowledge } = await this.throttle.run(shopId, clientNetwork(request), () =>
      this.notifications.receive(provider, incoming),
    );
    if (!acknowledge) return success({ received: true });
    void reply.type(acknowledge.contentType);
    return acknowledge.body;
  }
}
