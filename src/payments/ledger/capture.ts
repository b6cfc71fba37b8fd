import { isOpen, type OperationRow } from './operation.js';
import type { PaymentRow } from './payment.queries.js';

/** The provider holds the amount of the payment, and the merchant has not captured it. Pure. */
export const isAuthorized = ({
  status,
  capture,
  amount_authorized: held,
}: Pick<PaymentRow, 'status' | 'capture' | 'amount_authorized'>): boolean =>
  status === 'processing' && capture === 'manual' && Number(held) > 0;

/** The capture of the attempt that is under way or done; at most one is. Pure. */
export const captureOf = (operations: readonly OperationRow[], attempt: number): OperationRow | undefined =>
  operations.find((row) => row.kind === 'capture' && row.attempt === attempt && row.state !== 'refused');

/** Whether a void of the attempt is under way. Pure. */
export const isBeingVoided = (operations: readonly OperationRow[], attempt: number): boolean =>
  operations.some((row) => row.kind === 'void' && row.attempt === attempt && isOpen(row));
