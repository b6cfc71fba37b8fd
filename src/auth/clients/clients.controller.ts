import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Module,
  Param,
  Patch,
  type PipeTransform,
  Post,
  Query,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { type AuditContext, CurrentAuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { type Success, success, type SuccessPage, successPage } from '../../platform/http/routes.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { Problem } from '../../shared/problem.js';
import { ApiClientEntity } from '../api-client.entity.js';
import { ApiClientsModule, ApiClientsService, isClientId } from '../api-clients.service.js';
import { ClientAdministration } from './client-administration.service.js';
import {
  CreateClientDto,
  CreatedOAuthClientDto,
  OAuthClientDto,
  RotateClientSecretDto,
  RotatedClientSecretDto,
  UpdateClientDto,
} from './clients.dto.js';

/** Other text is the id of no client, and may be text that PostgreSQL refuses. */
class ClientIdPipe implements PipeTransform<string, string> {
  transform(text: string): string {
    if (isClientId(text)) return text;
    throw new Problem('client_not_found');
  }
}

const ClientId = (): ParameterDecorator => (target, method, index) => {
  Param('clientId', ClientIdPipe)(target, method, index);
  const descriptor = Object.getOwnPropertyDescriptor(target, method!) as TypedPropertyDescriptor<unknown>;
  const schema = { type: 'string', example: 'client_0c8c1d1e6f0a' } as const;
  ApiParam({ name: 'clientId', schema })(target, method!, descriptor);
};

const NEW_CLIENTS = {
  person: { summary: 'A person', value: { name: 'Ada Lovelace', kind: 'person', role: 'support' } },
  program: {
    summary: 'A program with scopes of its own',
    value: { name: 'checkout', role: 'custom', scopes: ['payments:read', 'payments:write'] },
  },
};
const CHANGED_CLIENTS = { role: { summary: 'Another role', value: { role: 'support' } } };

const OWN_RIGHTS = 'Takes only clients with rights that the caller has as well, and gives no others: 403 otherwise.';

@ApiTags('auth')
@Controller('clients')
class ClientsController {
  constructor(
    private readonly clients: ApiClientsService,
    private readonly administration: ClientAdministration,
  ) {}

  @Get()
  @TakesReadSlot()
  @RequireScopes('audit:read')
  @ApiOperation({ summary: 'List people and programs, newest first', description: 'Including revoked ones.' })
  @ApiSuccessPage(OAuthClientDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<OAuthClientDto>> {
    const page = await this.clients.page(merchantId, PageQueryDto.toPageRequest(query));
    return successPage(page, (client) => OAuthClientDto.from(client));
  }

  @Get(':clientId')
  @RequireScopes('audit:read')
  @ApiOperation({ summary: 'Read a client', description: 'A person or a program, with its rights as they are now.' })
  @ApiSuccess(OAuthClientDto)
  @ApiProblems('client_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @ClientId() clientId: string,
  ): Promise<Success<OAuthClientDto>> {
    return success(OAuthClientDto.from(await this.administration.find(merchantId, clientId)));
  }

  @Post()
  @Header('cache-control', 'no-store')
  @RequireScopes('clients:write')
  @ApiOperation({
    summary: 'Add a person or a program',
    description: `The secret is only in this answer. ${OWN_RIGHTS}`,
  })
  @ApiBody({ type: CreateClientDto, examples: NEW_CLIENTS })
  @ApiSuccess(CreatedOAuthClientDto, { status: 201 })
  @ApiProblems('validation_failed')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateClientDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<CreatedOAuthClientDto>> {
    const issued = await this.administration.create(principal, CreateClientDto.toClient(body), context);
    const client = await this.administration.find(principal.merchantId, issued.clientId);
    return success(CreatedOAuthClientDto.fromCreated(client, issued));
  }

  @Patch(':clientId')
  @RequireScopes('clients:write')
  @ApiOperation({
    summary: 'Change the name, kind or rights of a client',
    description: `Tokens lose removed rights within two seconds; a session gets new ones as fast. ${OWN_RIGHTS}`,
  })
  @ApiBody({ type: UpdateClientDto, examples: CHANGED_CLIENTS })
  @ApiSuccess(OAuthClientDto)
  @ApiProblems('client_not_found', 'last_owner', 'validation_failed')
  async update(
    @CurrentPrincipal() principal: Principal,
    @ClientId() clientId: string,
    @Body() body: UpdateClientDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<OAuthClientDto>> {
    await this.administration.update(principal, clientId, UpdateClientDto.toChanges(body), context);
    return success(OAuthClientDto.from(await this.administration.find(principal.merchantId, clientId)));
  }

  @Delete(':clientId')
  @HttpCode(204)
  @RequireScopes('clients:write')
  @ApiOperation({
    summary: 'Revoke a client',
    description: `Its tokens stop within two seconds; clients that it made stay. It cannot be undone. ${OWN_RIGHTS}`,
  })
  @ApiNoContentResponse({ description: 'Revoked' })
  @ApiProblems('client_not_found', 'last_owner')
  async revoke(
    @CurrentPrincipal() principal: Principal,
    @ClientId() clientId: string,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<void> {
    await this.administration.revoke(principal, clientId, context);
  }

  @Post(':clientId/rotate-secret')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScopes('clients:write')
  @ApiOperation({
    summary: 'Give a client a new secret',
    description: `The secret is only in this answer. Ends its sessions; other tokens stay valid. ${OWN_RIGHTS}`,
  })
  @ApiSuccess(RotatedClientSecretDto)
  @ApiProblems('client_not_found', 'validation_failed')
  async rotateSecret(
    @CurrentPrincipal() principal: Principal,
    @ClientId() clientId: string,
    @Body() { overlap_seconds: seconds = 0 }: RotateClientSecretDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<RotatedClientSecretDto>> {
    const rotated = await this.administration.rotateSecret(principal, clientId, seconds, context);
    return success(RotatedClientSecretDto.from(rotated));
  }
}

@Module({
  imports: [ApiClientsModule, TypeOrmModule.forFeature([ApiClientEntity])],
  controllers: [ClientsController],
  providers: [ClientAdministration],
})
export class ApiClientsApiModule {}
