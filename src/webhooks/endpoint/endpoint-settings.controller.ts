import { Body, Controller, Delete, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { EndpointDto } from './endpoints.dto.js';
import { EndpointsService } from './endpoints.service.js';
import { Receivers } from './secrets/receivers.service.js';
import type { EndpointRef } from './secrets/receiver.js';
import { EndpointStates } from './health/endpoint-states.service.js';
import { EndpointTests } from './endpoint-test.service.js';
import { EndpointRotations } from './secrets/endpoint-rotation.service.js';
import { EndpointSettingsService } from './endpoint-settings.service.js';
import { TestEndpointDto, WebhookTestResultDto } from './endpoint-test.dto.js';
import { CreatedEndpointDto, CreateEndpointDto, UpdateEndpointDto } from './endpoint-settings.dto.js';
import { RotatedEndpointSecretDto, RotateEndpointSecretDto } from './secrets/secret-rotation.dto.js';

const NEW_ENDPOINTS = {
  payments: { summary: 'Changes of all payments', value: { url: 'https://merchant.example/webhooks' } },
  operations: {
    summary: 'Failures, in a chat',
    value: {
      url: 'https://chat.example/hooks/on-call',
      event_types: ['endpoint.failing', 'endpoint.disabled', 'shop.down', 'operation.stuck'],
      format: 'slack',
    },
  },
};

const ENDPOINT_CHANGES = {
  url: { summary: 'Move to another address', value: { url: 'https://merchant.example/v2/webhooks' } },
  shops: { summary: 'Get events of all shops again', value: { shop_ids: null } },
};

@ApiTags('webhooks')
@Controller('webhooks/endpoints')
export class ManagementController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly receivers: Receivers,
    private readonly settings: EndpointSettingsService,
    private readonly states: EndpointStates,
    private readonly rotations: EndpointRotations,
    private readonly tests: EndpointTests,
  ) {}

  @Post()
  @RequireScopes('webhooks:read', 'webhooks:write')
  @ApiOperation({
    summary: 'Create a standing endpoint',
    description:
      'It gets the chosen events of all payments, in addition to the `webhook_endpoint` of each. The answer contains its ' +
      'secret. Its receiver sees the bodies of events, so the scope `webhooks:read` is required, too.',
  })
  @ApiBody({ type: CreateEndpointDto, examples: NEW_ENDPOINTS })
  @ApiSuccess(CreatedEndpointDto, { status: 201 })
  @ApiProblems('endpoint_limit_reached', 'validation_failed')
  async create(
    @CurrentPrincipal() { merchantId }: Principal,
    @Body() body: CreateEndpointDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<CreatedEndpointDto>> {
    const { id, secret } = await this.settings.create(merchantId, CreateEndpointDto.toNew(body), context);
    return success(CreatedEndpointDto.fromCreated(await this.endpoints.find(merchantId, id), secret));
  }

  @Patch(':id')
  @RequireScopes('webhooks:read', 'webhooks:write')
  @ApiOperation({ summary: 'Change a standing endpoint', description: 'Omitted fields stay unchanged.' })
  @ApiBody({ type: UpdateEndpointDto, examples: ENDPOINT_CHANGES })
  @ApiSuccess(EndpointDto)
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing', 'validation_failed')
  async update(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @Body() body: UpdateEndpointDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<EndpointDto>> {
    await this.settings.update(merchantId, id, UpdateEndpointDto.toChanges(body), context);
    return success(EndpointDto.from(await this.endpoints.find(merchantId, id)));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Delete a standing endpoint',
    description:
      'Its pending deliveries are not sent. Later changes of payments without a `webhook_endpoint` are not either: first wait until `open_payments` is 0.',
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing')
  async remove(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<void> {
    await this.receivers.require(standing(merchantId, id));
    await this.states.delete(merchantId, id, context);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @RequireScopes('webhooks:read', 'webhooks:write')
  @ApiOperation({
    summary: 'Pause a standing endpoint',
    description: 'Deliveries are kept, and sent after `POST …/resume`. Has no effect on a paused or disabled endpoint.',
  })
  @ApiSuccess(EndpointDto)
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing')
  async pause(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<EndpointDto>> {
    await this.receivers.require(standing(merchantId, id));
    await this.states.pause(merchantId, id, context);
    return success(EndpointDto.from(await this.endpoints.find(merchantId, id)));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @RequireScopes('webhooks:read', 'webhooks:write')
  @ApiOperation({
    summary: 'Resume a standing endpoint that is paused or disabled',
    description: 'Sends what was kept, oldest first. Has no effect on an active endpoint.',
  })
  @ApiSuccess(EndpointDto)
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing')
  async resume(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<EndpointDto>> {
    await this.receivers.require(standing(merchantId, id));
    await this.states.resume(merchantId, id, context);
    return success(EndpointDto.from(await this.endpoints.find(merchantId, id)));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Give a standing endpoint a new secret',
    description:
      'Generated or given. It signs at once or in `activate_in_seconds`, which gives time to add it at the receiver. During ' +
      'the overlap webhooks have signatures of both secrets; another rotation ends the overlap.',
  })
  @ApiSuccess(RotatedEndpointSecretDto)
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing', 'validation_failed')
  async rotateSecret(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @Body() body: RotateEndpointSecretDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<RotatedEndpointSecretDto>> {
    const rotation = RotateEndpointSecretDto.toRotation(body);
    return success(
      RotatedEndpointSecretDto.from(await this.rotations.rotate(standing(merchantId, id), rotation, context)),
    );
  }

  @Post(':id/test')
  @HttpCode(200)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Send one sample event to a standing endpoint',
    description:
      'Sends it at once, with the secret, headers and authentication of the endpoint, with `"test": true` in the body and ' +
      'the header `Webhook-Test: true`. If the receiver fails, the response is still a success and describes the failure.',
  })
  @ApiSuccess(WebhookTestResultDto)
  @ApiProblems('endpoint_not_found', 'endpoint_not_standing', 'validation_failed')
  async test(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @Body() { event_type: eventType }: TestEndpointDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<WebhookTestResultDto>> {
    const tested = await this.tests.test(standing(merchantId, id), { eventType }, context);
    return success(WebhookTestResultDto.from(tested));
  }
}

const standing = (merchantId: number, id: number): EndpointRef => ({ kind: 'standing', merchantId, id });
