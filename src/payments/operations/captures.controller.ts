import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { CapturePaymentDto, PaymentDto } from '../ledger/payments.dto.js';
import { PaymentCaptures } from './payment-captures.service.js';

@ApiTags('payments')
@Controller('payments')
export class CapturesController {
  constructor(private readonly captures: PaymentCaptures) {}

  @Post(':id/capture')
  @HttpCode(200)
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Capture an authorised payment',
    description:
      'For a payment with `capture: "manual"` and `amount_authorized` above 0. The payment is `completed` when the provider ' +
      'confirms, and the rest of the authorisation is released. One capture is possible: a repeat with the same amount ' +
      'returns the payment, another amount is refused with `capture_already_made`. If the provider refuses the capture, ' +
      '409 `provider_unconfirmed` gives the reason. Without the scope `payments:read` the answer has only the `id` of the ' +
      'customer, and no metadata, webhook address or next action.',
  })
  @ApiSuccess(PaymentDto)
  @ApiProblems(
    'payment_not_found',
    'illegal_status_change',
    'capture_already_made',
    'provider_unconfirmed',
    'validation_failed',
  )
  async capture(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() { amount }: CapturePaymentDto,
  ): Promise<Success<PaymentDto>> {
    const payment = await this.captures.capture(principal.merchantId, id, amount);
    return success(PaymentDto.forScopes(payment, principal.scopes));
  }
}
