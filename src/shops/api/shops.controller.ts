import { Body, Controller, Get, Patch, Post, Query, Module } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { type Success, success, type SuccessPage, successPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { NamedPageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import {
  CreatedShopDto,
  CreateShopDto,
  ListedShopDto,
  ShopDto,
  ShopWithHealthDto,
  UpdateShopDto,
} from './shops.dto.js';
import { FeeDto } from './fee.dto.js';
import { ProvidersModule } from '../../providers/providers.module.js';
import { CredentialsController } from '../credentials/credentials.controller.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { ShopSecretsService } from '../shop-secrets.service.js';
import { ShopStatsService } from '../shop-stats.service.js';
import { ShopsService } from '../shops.service.js';
import { ShopsModule } from '../shops.module.js';

const NEW_SHOPS = {
  sandbox: {
    summary: 'Use the built-in sandbox',
    value: { name: 'Main shop', provider_credentials: { notification_secret: 'a-secret-for-notifications' } },
  },
};

const SHOP_CHANGES = {
  name: { summary: 'Change the name', value: { name: 'Main shop, Berlin' } },
  fees: {
    summary: 'Set the fees of its provider',
    value: { fees: [{ percent: 1.4, fixed: 0.25, currency: 'EUR' }, { percent: 2.9 }] },
  },
  credentials: {
    summary: 'Change the notification secret; the old one stays valid for an hour',
    value: {
      provider_credentials: { notification_secret: 'another-secret-for-notifications' },
      credentials_overlap_seconds: 3_600,
    },
  },
};

@ApiTags('shops')
@Controller('shops')
class ShopsController {
  constructor(
    private readonly shops: ShopsService,
    private readonly secrets: ShopSecretsService,
    private readonly stats: ShopStatsService,
  ) {}

  /**
   * Creates a shop.
   * @remarks The answer contains its webhook secret, which few answers show.
   */
  @Post()
  @RequireScopes('shops:write')
  @ApiBody({ type: CreateShopDto, examples: NEW_SHOPS })
  @ApiSuccess(CreatedShopDto, { status: 201 })
  @ApiProblems('shop_name_taken', 'shop_limit_reached', 'validation_failed')
  async create(
    @CurrentPrincipal() { merchantId }: Principal,
    @Body() body: CreateShopDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<CreatedShopDto>> {
    const shop = {
      name: body.name,
      provider: body.provider ?? 'sandbox',
      credentials: body.provider_credentials ?? {},
      providerAccount: body.provider_account,
      webhookSecret: body.webhook_secret,
      fees: body.fees && FeeDto.toFees(body.fees),
    };
    const created = await this.shops.create(merchantId, shop, context);
    return success(CreatedShopDto.fromCreated(created));
  }

  /**
   * Lists the merchant's shops, newest first.
   * @remarks Without pending rotations and the numbers of its health, which the answer for one shop has.
   */
  @Get()
  @TakesReadSlot()
  @RequireScopes('shops:read')
  @ApiSuccessPage(ListedShopDto, { name: 'Shop' })
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: NamedPageQueryDto,
  ): Promise<SuccessPage<ListedShopDto>> {
    const page = await this.shops.list(merchantId, NamedPageQueryDto.toPageRequest(query), query.name_contains);
    const down = await this.stats.downSince(page.items.map(({ id }) => id));
    return successPage(page, (shop) => ListedShopDto.fromListed(shop, this.shops.isAvailable(shop), down.get(shop.id)));
  }

  /**
   * Reads one shop.
   * @remarks With its health, its warnings and its pending rotations.
   */
  @Get(':id')
  @RequireScopes('shops:read')
  @ApiSuccess(ShopWithHealthDto)
  @ApiProblems('shop_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') shopId: number,
  ): Promise<Success<ShopWithHealthDto>> {
    const shop = await this.shops.find(merchantId, shopId);
    const [health, warnings, rotation] = await Promise.all([
      this.stats.health(shopId),
      this.stats.warnings(shopId),
      this.secrets.rotation(merchantId, shopId),
    ]);
    return success(ShopWithHealthDto.fromHealth(shop, this.shops.isAvailable(shop), health, warnings, rotation));
  }

  /**
   * Changes the given fields, and the given keys of the credentials.
   * @remarks The provider of a shop never changes: its payments are stored there.
   */
  @Patch(':id')
  @RequireScopes('shops:write')
  @ApiBody({ type: UpdateShopDto, examples: SHOP_CHANGES })
  @ApiSuccess(ShopDto)
  @ApiProblems('shop_not_found', 'shop_name_taken', 'validation_failed')
  async update(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') shopId: number,
    @Body()
    {
      provider_credentials: credentials,
      credentials_overlap_seconds: overlapSeconds,
      webhook_signing: webhookSigning,
      provider_account: providerAccount,
      fees,
      ...fields
    }: UpdateShopDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<ShopDto>> {
    const changes = {
      ...fields,
      webhookSigning,
      providerAccount,
      ...(credentials && { credentials, overlapSeconds }),
      ...(fees && { fees: FeeDto.toFees(fees) }),
    };
    const updated = await this.shops.update(merchantId, shopId, changes, context);
    return success(ShopDto.from(updated, this.shops.isAvailable(updated)));
  }
}

@Module({
  imports: [ShopsModule, ProvidersModule],
  controllers: [ShopsController, CredentialsController],
  providers: [CredentialsService],
})
export class ShopsApiModule {}
