import { Controller, Get, Header, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { type Success, success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { ShopsModule } from '../../shops/shops.module.js';
import { ShopReportDto } from './shop-reports.dto.js';
import { ShopReports } from './shop-reports.service.js';

@ApiTags('shops')
@Controller('shops/:id/stats')
class ShopReportsController {
  constructor(private readonly reports: ShopReports) {}

  /**
   * Reads a shop's health, its outcomes of the last hour by minute, and the reasons for its declines.
   * @remarks Outcomes are numbers of payments.
   */
  @Get()
  @Header('cache-control', 'no-store')
  @RequireScopes('shops:read')
  @ApiSuccess(ShopReportDto)
  @ApiProblems('shop_not_found')
  async read(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') shopId: number,
  ): Promise<Success<ShopReportDto>> {
    return success(ShopReportDto.from(await this.reports.of(merchantId, shopId)));
  }
}

@Module({ imports: [ShopsModule], controllers: [ShopReportsController], providers: [ShopReports] })
export class ShopReportsApiModule {}
