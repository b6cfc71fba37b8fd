import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { SearchDto, SearchQueryDto } from './search.dto.js';
import { Search } from './search.service.js';

@ApiTags('payments')
@Controller('search')
export class SearchController {
  constructor(private readonly search: Search) {}

  @Get()
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Find payments, customers and refunds by a value',
    description:
      'Payments by `id`, `payment_session_id`, `provider_transaction_id`, a value of any key of their metadata, or the ' +
      'reference or e-mail address of their customer. Customers by `id`, reference or e-mail address. Refunds by `id` or ' +
      "the provider's id. For all matches of a value use the filters of the lists.",
  })
  @ApiSuccess(SearchDto)
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() { q }: SearchQueryDto,
  ): Promise<Success<SearchDto>> {
    return success(SearchDto.from(await this.search.find(merchantId, q)));
  }
}
