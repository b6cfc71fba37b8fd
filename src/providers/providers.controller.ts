import { Controller, Get, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireScopes } from '../access/access.js';
import { ApiSuccess } from '../openapi/api-success.js';
import { type Success, success } from '../platform/http/routes.js';
import { ProviderCredentialDto, ProviderDto } from './providers.dto.js';
import { ProviderRegistry } from './provider-registry.service.js';
import { ProvidersModule } from './providers.module.js';

@ApiTags('providers')
@Controller('providers')
class ProvidersController {
  constructor(private readonly registry: ProviderRegistry) {}

  /**
   * Lists the payment providers for shops, and the credentials of each.
   * @remarks Names of credentials only, with whether they are required and secret. Not divided into pages.
   */
  @Get()
  @RequireScopes('shops:read')
  @ApiSuccess([ProviderDto])
  list(): Success<ProviderDto[]> {
    return success(
      this.registry.names().map((name) => {
        const fields = this.registry.get(name).credentialFields;
        return { name, credentials: fields.map((field) => ProviderCredentialDto.from(field)) };
      }),
    );
  }
}

@Module({ imports: [ProvidersModule], controllers: [ProvidersController] })
export class ProvidersApiModule {}
