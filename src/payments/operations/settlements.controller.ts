import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { type AuditContext, CurrentAuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PaymentOperationDto } from './payment-operations.dto.js';
import { SettleOperationDto } from './settle-operation.dto.js';
import { Settlements } from './settlements.service.js';

const SETTLEMENTS = {
  captured: {
    summary: 'The provider charged the payer',
    value: { outcome: 'captured', reason: 'The dashboard shows the charge as paid' },
  },
};

@ApiTags('payments')
@Controller('payments')
export class SettlementsController {
  constructor(private readonly settlements: Settlements) {}

  @Post(':id/operations/:operationId/settle')
  @HttpCode(200)
  @RequireScopes('payments:settle')
  @ApiOperation({
    summary: 'Settle an operation by hand whose outcome the provider cannot tell',
    description:
      'For an operation that recovery has stopped or cannot finish: look at the transaction at the provider first. The ' +
      'payment follows with the cause `settled_by_operator` and its webhook; a refund follows its operation; the audit log ' +
      'gets the outcome, the amount and the reason. Outcomes of a charge, capture or void: `captured`, `not_captured`, ' +
      '`voided`, `refunded`. Of a refund: `refunded`, `not_refunded`; if it reverses a late charge: `refunded`. A charge that ' +
      'was captured after the end of its payment is refunded by the service. 409 `operation_under_way`: a call is being made ' +
      'now. 409 `settle_contradicts_provider`: the provider reports another outcome; the same request with ' +
      '`confirm: true` settles anyway. So does 409 `settle_exceeds_operation`: the amount is larger than that of the ' +
      'operation. `detail` names both if both are so. The amount is never larger than what was authorised or asked. With ' +
      '`FLOW_ACTIVATION_APPROVALS=1` such a request is kept and gets 409 `settle_approval_required`, until another client ' +
      'sends it as well.',
  })
  @ApiBody({ type: SettleOperationDto, examples: SETTLEMENTS })
  @ApiSuccess(PaymentOperationDto)
  @ApiProblems(
    'payment_not_found',
    'operation_not_found',
    'operation_closed',
    'operation_under_way',
    'settle_contradicts_provider',
    'settle_exceeds_operation',
    'settle_approval_required',
    'transaction_id_taken',
    'illegal_status_change',
    'validation_failed',
  )
  async settle(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') paymentId: number,
    @IdParam('operationId') operationId: number,
    @Body() request: SettleOperationDto,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<Success<PaymentOperationDto>> {
    const operation = await this.settlements.settle({ merchantId, context }, { paymentId, operationId }, request);
    const age = Math.max(0, Math.floor(operation.age_ms / 1_000));
    return success(PaymentOperationDto.from({ ...operation, age }));
  }
}
