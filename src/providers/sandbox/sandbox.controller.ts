import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CurrentPrincipal, type Principal } from '../../access/access.js';
import { type SuccessPage, successPage } from '../../platform/http/routes.js';
import { ApiSuccessPage } from '../../openapi/api-success.js';
import { looksAt, walkedPage } from '../../platform/http/walked-page.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { SandboxProvider, type SandboxTransaction } from '@payment-orchestrator/provider-sandbox';
import { type Page, toPage } from '../../shared/cursor.js';
import { ListSandboxTransactionsQueryDto, SandboxTransactionDto } from './sandbox.dto.js';

@ApiTags('sandbox')
@Controller('providers/sandbox')
export class SandboxController {
  constructor(private readonly sandbox: SandboxProvider) {}

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
    return successPage(await this.page(merchantId, query), (row) => SandboxTransactionDto.from(row));
  }

  private async page(merchantId: number, query: ListSandboxTransactionsQueryDto): Promise<Page<SandboxTransaction>> {
    const { payment_id: paymentId, shop_id: shopId } = query;
    const { limit, beforeId = Number.MAX_SAFE_INTEGER } = PageQueryDto.toPageRequest(query);
    const { ledger } = this.sandbox.books!;
    if (paymentId === undefined && shopId !== undefined) {
      return walkedPage({ limit, beforeId }, (next, count, rows) =>
        ledger.look(merchantId, shopId, next!, count, rows),
      );
    }
    return toPage(await ledger.list(merchantId, { paymentId, shopId }, beforeId, limit + 1), limit);
  }
}
