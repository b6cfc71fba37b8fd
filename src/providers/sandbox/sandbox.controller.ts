import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CurrentPrincipal, type Principal } from '../../access/access.js';
import { type SuccessPage, successPage } from '../../platform/http/routes.js';
import { ApiSuccessPage } from '../../openapi/api-success.js';
import { looksAt } from '../../platform/http/walked-page.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { ListSandboxTransactionsQueryDto, SandboxTransactionDto } from './sandbox.dto.js';
import { SandboxLedger } from './sandbox-ledger.js';

@ApiTags('sandbox')
@Controller('providers/sandbox')
export class SandboxController {
  constructor(private readonly ledger: SandboxLedger) {}

  @Get('transactions')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: "List the sandbox's transactions of the merchant's payments, newest first",
    description:
      "The sandbox's own ledger, as another company would keep it: requests and captured charges, even if an answer was lost. " +
      'Empty with `SANDBOX_LEDGER=false`. ' +
      looksAt('transactions', 'With `shop_id`'),
  })
  @ApiSuccessPage(SandboxTransactionDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListSandboxTransactionsQueryDto,
  ): Promise<SuccessPage<SandboxTransactionDto>> {
    const filter = { paymentId: query.payment_id, shopId: query.shop_id };
    const page = await this.ledger.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => SandboxTransactionDto.from(row));
  }
}
