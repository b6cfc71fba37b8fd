import type { Transaction } from '../../platform/database/database.js';
import { isOpen, type OperationRow } from './operation.js';
import type { OperationRecords } from './operation-records.service.js';
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

/**
 * Closes our capture of the attempt after a look-up or a notification showed a capture: confirmed if it may be this one,
 * refused if another amount was captured at the provider. `captured`: decimal text; absent: the whole amount or ours.
 */
export async function closeCapture(
  operations: OperationRecords,
  transaction: Transaction,
  payment: PaymentRow,
  attempt: number,
  captured: string | undefined,
): Promise<void> {
  const capture = captureOf(await operations.list(payment.id, transaction), attempt);
  if (!capture || !isOpen(capture)) return;
  const isOurs = captured === undefined || Number(captured) === Number(capture.amount);
  const other = {
    state: 'refused',
    lastAnswer: 'captured',
    reason: 'another amount was captured at the provider',
  } as const;
  const record = isOurs ? ({ state: 'confirmed', lastAnswer: 'captured' } as const) : other;
  await operations.close(transaction, { paymentId: payment.id, attempt, kind: 'capture' }, record);
}
