import { rescheduleErasure } from '../ledger/customer.js';
import { CREATE_REFUND, END_REFUND, SET_PROVIDER_REFUND_ID } from '../ledger/refund.queries.js';
import type { NewRefund } from '../money/state/refund.js';
import type { Of, Writing } from './writing.js';

interface WrittenRefund {
  id: number;
  payment_amount_refunded: string;
  payment_updated_at: Date;
}

export async function createRefund(writing: Writing, id: number, refund: NewRefund, now: Date): Promise<void> {
  const { amount, status, reason, metadata, origin, providerRefundId, key, uncounted = amount, attempt } = refund;
  const [row] = await writing.transaction.query<WrittenRefund>(CREATE_REFUND, [
    ...[writing.payment.id, amount, status, reason ?? null, metadata ? JSON.stringify(metadata) : null, origin],
    ...[providerRefundId ?? null, key?.clientId ?? null, key?.key ?? null, key?.hash ?? null],
    ...[now, uncounted, attempt],
  ]);
  writing.named(id, row!.id);
  await counted(writing, row!);
}

export async function endRefund(writing: Writing, effect: Of<'end_refund'>, now: Date): Promise<void> {
  const { refund, status, failureCode, providerRefundId } = effect;
  const values = [writing.payment.id, writing.idOf(refund), status, failureCode?.slice(0, 500) ?? null];
  const [row] = await writing.transaction.query<WrittenRefund>(END_REFUND, [
    ...[...values, providerRefundId ?? null],
    now,
  ]);
  if (row) await counted(writing, row);
}

export async function identifyRefund(
  writing: Writing,
  { refund, providerRefundId }: Of<'identify_refund'>,
): Promise<void> {
  const { transaction, payment } = writing;
  await transaction.query(SET_PROVIDER_REFUND_ID, [payment.id, writing.idOf(refund), providerRefundId]);
}

/** The payment counts its refunds, and is newer after that. */
async function counted(writing: Writing, row: WrittenRefund): Promise<void> {
  const { transaction, payment } = writing;
  await rescheduleErasure(transaction, payment.customer);
  const { payment_amount_refunded: refunded, payment_updated_at: updatedAt } = row;
  writing.payment = { ...payment, amount_refunded: refunded, updated_at: updatedAt };
}
