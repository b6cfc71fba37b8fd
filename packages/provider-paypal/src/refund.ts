import type { OperationRequest } from '@payment-orchestrator/provider-kit';
import type { Order, Refund } from './documents.js';
import { refundIdOf } from './notification.js';
import { refundsOf } from './order.js';

/** The refund of an earlier call, by its id or by the key that it was made with. */
export const refundOf = (
  order: Order,
  request: OperationRequest & { operationId?: string | null },
): Refund | undefined =>
  refundsOf(order).find(
    ({ id, custom_id: custom }) =>
      id === request.operationId || custom === refundIdOf(request.reference, request.idempotencyKey),
  );
