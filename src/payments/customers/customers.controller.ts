import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { CustomerErasureService } from './customer-erasure.service.js';
import { CustomerLists } from './customer-lists.service.js';
import { ErasureDto, ListCustomersQueryDto, StoredCustomerDto } from './customers.dto.js';

@ApiTags('customers')
@Controller('customers')
export class CustomersController {
  constructor(
    private readonly lists: CustomerLists,
    private readonly erasures: CustomerErasureService,
  ) {}

  @Get()
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({ summary: 'List customers, newest first', description: 'Also erased customers, without their data.' })
  @ApiSuccessPage(StoredCustomerDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListCustomersQueryDto,
  ): Promise<SuccessPage<StoredCustomerDto>> {
    const { reference, email } = query;
    const page = await this.lists.list(merchantId, { reference, email }, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => StoredCustomerDto.of(row));
  }

  @Get(':id')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Read a customer',
    description: 'With the present personal data, or without any if it was erased.',
  })
  @ApiSuccess(StoredCustomerDto)
  @ApiProblems('customer_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<StoredCustomerDto>> {
    return success(StoredCustomerDto.of(await this.lists.find(merchantId, id)));
  }

  @Post(':id/erase')
  @HttpCode(202)
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Erase a customer',
    description:
      'Redacts the customer, the metadata of its payments, and the bodies and answers of its webhooks and notifications. ' +
      'Amounts, currencies, countries, statuses, times and ids stay, and so do the payments. Pending webhooks are sent ' +
      'unchanged and redacted afterwards. This cannot be undone: the customer takes no new payments, and its webhooks ' +
      'cannot be sent again. A repeated call changes nothing and returns the state.',
  })
  @ApiSuccess(ErasureDto, { status: 202 })
  @ApiProblems('customer_not_found')
  async erase(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<ErasureDto>> {
    return success(await this.erasures.erase(merchantId, id, context));
  }
}
