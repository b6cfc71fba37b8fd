import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { ApiProblems } from '../../platform/http/openapi/api-problems.js';
import { ApiSuccess } from '../../platform/http/openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDetailDto, DeliveryDto } from './webhooks.dto.js';

@ApiTags('webhooks')
@Controller('webhooks/deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get(':id')
  @RequireScopes('webhooks:read')
  @ApiOperation({ summary: 'Read a delivery with its body and every attempt' })
  @ApiSuccess(DeliveryDetailDto)
  @ApiProblems('delivery_not_found')
  async find(@CurrentPrincipal() principal: Principal, @IdParam('id') id: number): Promise<Success<DeliveryDetailDto>> {
    return success(DeliveryDetailDto.fromDetail(await this.deliveries.find(principal.merchantId, id)));
  }

  @Post(':id/retry')
  @HttpCode(202)
  @RequireScopes('webhooks:write')
  @ApiOperation({
    summary: 'Deliver again',
    description: 'Starts a fresh run of the schedule with the same body, also of a delivery that succeeded.',
  })
  @ApiSuccess(DeliveryDto, { status: 202 })
  @ApiProblems('delivery_not_found', 'delivery_in_progress', 'delivery_erased')
  async retry(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() origin: AuditContext,
  ): Promise<Success<DeliveryDto>> {
    return success(DeliveryDto.from(await this.deliveries.retry(principal.merchantId, id, origin)));
  }
}
