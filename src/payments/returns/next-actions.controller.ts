import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PaymentDto } from '../ledger/payments.dto.js';
import { CompleteNextActionDto } from './next-actions.dto.js';
import { NextActions } from './next-actions.service.js';

@ApiTags('payments')
@Controller('payments')
export class NextActionsController {
  constructor(private readonly actions: NextActions) {}

  @Post(':id/next-action')
  @HttpCode(200)
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: "Complete the payer's step in your page",
    description:
      "For a payment whose `next_action` is a `provider_action`. Hands in what the provider's script answered, and returns " +
      'the payment: with its outcome, or with a further `next_action`. A repeat is safe, and a payment that has its outcome is ' +
      'returned unchanged. Without the scope `payments:read` the answer has only the `id` of the customer, and no ' +
      'metadata and webhook address.',
  })
  @ApiSuccess(PaymentDto)
  @ApiProblems('payment_not_found', 'no_next_action', 'validation_failed')
  async complete(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() { data }: CompleteNextActionDto,
  ): Promise<Success<PaymentDto>> {
    const payment = await this.actions.complete(principal.merchantId, id, data);
    return success({ ...PaymentDto.forScopes(payment, principal.scopes), next_action: payment.next_action });
  }
}
