import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../../access/access.js';
import { CurrentAuditContext, type AuditContext } from '../../../audit/audit-context.js';
import { ApiProblems } from '../../../openapi/api-problems.js';
import { ApiSuccess } from '../../../openapi/api-success.js';
import { type Success, success } from '../../../platform/http/routes.js';
import { IdParam } from '../../../platform/http/validation/id-param.js';
import { ShopsService } from '../../../shops/shops.service.js';
import { ReceiversModule } from './receivers.module.js';
import { EndpointRotations } from './endpoint-rotation.service.js';
import { RotatedShopDto, RotateWebhookSecretDto } from './secret-rotation.dto.js';
import { WebhookKeysController } from './webhook-keys.controller.js';
import { WebhookKeysService } from './webhook-keys.service.js';

/** The secret of a shop's default endpoint. */
@ApiTags('shops')
@Controller('shops')
class ShopsRoutes {
  constructor(
    private readonly shops: ShopsService,
    private readonly rotations: EndpointRotations,
  ) {}

  /**
   * Gives the shop a new webhook secret, generated or given.
   * @remarks It signs at once or in `activate_in_seconds`, which gives time to add it at the receiver. During the overlap
   * webhooks have signatures of both secrets; another rotation ends the overlap.
   */
  @Post(':id/webhook-secret/rotate')
  @RequireScopes('shops:write')
  @ApiSuccess(RotatedShopDto)
  @ApiProblems('shop_not_found', 'validation_failed')
  @HttpCode(200)
  async rotateWebhookSecret(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @Body() body: RotateWebhookSecretDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<RotatedShopDto>> {
    const rotation = RotateWebhookSecretDto.toRotation(body);
    const rotated = await this.rotations.rotate({ kind: 'default', merchantId, id }, rotation, context);
    const shop = await this.shops.find(merchantId, id);
    return success(RotatedShopDto.fromRotated(shop, rotated, this.shops.isAvailable(shop)));
  }
}

/** Routes of the secrets and keys of default endpoints. */
@Module({
  imports: [ReceiversModule],
  controllers: [ShopsRoutes, WebhookKeysController],
  providers: [WebhookKeysService],
})
export class ReceiversApiModule {}
