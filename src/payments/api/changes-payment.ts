import { applyDecorators } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { IDEMPOTENT_REPLAYED, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import type { ProblemCode } from '../../shared/problem.js';
import { PaymentDto } from './payments.dto.js';

interface PaymentChange {
  /** If it is not that of the controller and the method. */
  operationId?: string;
  summary: string;
  description: string;
  /** A repeat under the same `Idempotency-Key` gets the payment as it is then. */
  takesKey?: boolean;
  /** In addition to `payment_not_found`. */
  problems?: readonly ProblemCode[];
}

const WITHHELD =
  'Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata, webhook address or next action.';

/** The route changes a payment and answers 200 with it, as `PaymentDto.forScopes` shows it. `HttpCode` stays at the method, where the compiler's plugin looks for it. */
export function ChangesPayment({ takesKey = false, problems = [], ...operation }: PaymentChange): MethodDecorator {
  const keyProblems = takesKey ? (['idempotency_key_in_flight', 'idempotency_key_reused'] as const) : [];
  return applyDecorators(
    RequireScopes('payments:write'),
    ApiOperation({ ...operation, description: `${operation.description} ${WITHHELD}` }),
    ...(takesKey ? [TakesIdempotencyKey()] : []),
    ApiSuccess(PaymentDto, takesKey ? { headers: IDEMPOTENT_REPLAYED } : {}),
    ApiProblems('payment_not_found', ...problems, ...keyProblems),
  );
}
