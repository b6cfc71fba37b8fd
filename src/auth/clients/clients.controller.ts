import { Controller, Get, Module, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiSuccessPage } from '../../openapi/api-success.js';
import { type SuccessPage, successPage } from '../../platform/http/routes.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { ApiClientsModule, ApiClientsService } from '../api-clients.service.js';
import { OAuthClientDto } from './clients.dto.js';

@ApiTags('auth')
@Controller('clients')
class ClientsController {
  constructor(private readonly clients: ApiClientsService) {}

  /**
   * Lists the merchant's API clients, newest first, including revoked ones.
   * @remarks Clients are created and revoked only on the command line.
   */
  @Get()
  @TakesReadSlot()
  @RequireScopes('audit:read')
  @ApiSuccessPage(OAuthClientDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<OAuthClientDto>> {
    const page = await this.clients.page(merchantId, PageQueryDto.toPageRequest(query));
    return successPage(page, (client) => OAuthClientDto.from(client));
  }
}

@Module({ imports: [ApiClientsModule], controllers: [ClientsController] })
export class ApiClientListModule {}
