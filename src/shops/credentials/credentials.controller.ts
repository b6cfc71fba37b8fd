import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { type Success, success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { CredentialsCheckDto, ShopCredentialDto } from './credentials.dto.js';
import { CredentialsService } from './credentials.service.js';

@ApiTags('shops')
@Controller('shops/:id/credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  /**
   * Lists the credentials that the shop's provider accepts, and the shop's values.
   * @remarks Of secrets only the last characters.
   */
  @Get()
  @Header('cache-control', 'no-store')
  @RequireScopes('shops:read')
  @ApiSuccess([ShopCredentialDto])
  @ApiProblems('shop_not_found')
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') shopId: number,
  ): Promise<Success<ShopCredentialDto[]>> {
    const shown = await this.credentials.show(merchantId, shopId);
    return success(shown.map((each) => ShopCredentialDto.fromShown(each)));
  }

  /**
   * Asks the provider whether it accepts the shop's credentials.
   * @remarks One call, which changes nothing there. Takes as long as the provider needs to answer, up to a time-out.
   */
  @Post('check')
  @HttpCode(200)
  @RequireScopes('shops:write')
  @ApiSuccess(CredentialsCheckDto)
  @ApiProblems('shop_not_found', 'too_many_requests')
  async check(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') shopId: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<CredentialsCheckDto>> {
    return success(CredentialsCheckDto.from(await this.credentials.check(merchantId, shopId, context)));
  }
}
