import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { RequireScopes, CurrentPrincipal, type Principal } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { CustomerErasureService } from './customer-erasure.service.js';
import { ErasureDto } from './customers.dto.js';

@ApiTags('customers')
@Controller('customers')
export class CustomersController {
  constructor(private readonly erasures: CustomerErasureService) {}

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
    return success(ErasureDto.from(await this.erasures.erase(merchantId, id, context)));
  }
}
