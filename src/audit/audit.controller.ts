import { Controller, Get, Query, Module } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScopes, CurrentPrincipal, type Principal } from '../access/access.js';
import { TakesReadSlot } from '../access/read-slots.js';
import { ApiSuccessPage } from '../openapi/api-success.js';
import { type SuccessPage, successPage } from '../platform/http/routes.js';
import { PageQueryDto } from '../platform/http/validation/page-query.dto.js';
import { AuditEntryDto, ListAuditQueryDto } from './audit.dto.js';
import { ActorNames } from './actor-names.service.js';
import { AuditModule, AuditTrailService } from './audit-log.service.js';
import { looksAt } from '../platform/http/walked-page.js';

@ApiTags('audit')
@Controller('audit')
class AuditController {
  constructor(
    private readonly trail: AuditTrailService,
    private readonly names: ActorNames,
  ) {}

  @Get()
  @TakesReadSlot()
  @RequireScopes('audit:read')
  @ApiOperation({
    summary: 'List changes of the settings, newest first',
    description:
      'Every change of shops, flows, secrets and API clients, and every manual retry, replay, test and erasure: ' +
      'actor, action, time and origin. Entries never change, but an erasure removes the `reason` of a settlement. They contain no secrets and no ' +
      'personal data, unless a merchant writes them into the `reason` of a change of a flow. ' +
      looksAt('entries'),
  })
  @ApiSuccessPage(AuditEntryDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListAuditQueryDto,
  ): Promise<SuccessPage<AuditEntryDto>> {
    const filter = ListAuditQueryDto.toFilter(query);
    const page = await this.trail.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    const names = await this.names.of(
      merchantId,
      page.items.map(({ client_id: id }) => id),
    );
    return successPage(page, (row) => AuditEntryDto.from(row, names));
  }
}

@Module({ imports: [AuditModule], controllers: [AuditController], providers: [AuditTrailService] })
export class AuditApiModule {}
