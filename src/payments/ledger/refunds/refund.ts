import { subtractAmounts } from '../../../shared/money.js';
import { isOpen, type OperationRow } from '../operation.js';
import type { PaymentRow } from '../payment.queries.js';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;

/**
 * `pending`: requested, or accepted by the provider. `succeeded`: the provider gave the amount back. `failed`: it did not,
 * perhaps after it had reported a success. The amount of a failed refund can be refunded again.
 */
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** `api`: requested here. `provider`: made at the provider, such as in its dashboard. */
export type RefundOrigin = 'api' | 'provider';

/** A row of `refunds`. */
export interface RefundRow {
  id: number;
  merchant_id: number;
  shop_id: number;
  payment_id: number;
  /** The attempt whose charge is refunded. */
  attempt: number;
  /** Decimal text. */
  amount: string;
  currency: string;
  status: RefundStatus;
  reason: string | null;
  metadata: Record<string, unknown> | null;
  origin: RefundOrigin;
  /** The provider's id, as soon as it is known. */
  provider_refund_id: string | null;
  /** The provider's reason for the failure. */
  failure_code: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Whether an operation gives a payment's charge back; otherwise it reverses a late charge, or is no refund. */
export const isRefundOfPayment = ({ kind, cause }: Pick<OperationRow, 'kind' | 'cause'>): boolean =>
  kind === 'refund' && cause !== 'charged_after_end';

/**
 * Whether a refund of the payment was requested by a process of the version without refund objects. It has no object
 * until its outcome is known.
 */
export const isOldRefund = (operation: OperationRow): boolean =>
  isRefundOfPayment(operation) && operation.refund_id === null;

/** The amount that can still be refunded, decimal text. An open refund of an older process reserves its amount. Pure. */
export function amountLeft(payment: PaymentRow, operations: readonly OperationRow[]): string {
  const reserved = operations.filter((row) => isOldRefund(row) && isOpen(row)).map(({ amount }) => amount);
  return subtractAmounts(payment.amount_captured, payment.amount_refunded, ...reserved);
}

/**
 * The refunded amount that no refund explains: of a payment from before refund objects, or one that a look-up found
 * refunded. A provider's report of a refund explains it, and counts only once. Pure.
 */
export function amountUnexplained(
  payment: PaymentRow,
  refunds: readonly RefundRow[],
  operations: readonly OperationRow[],
): string {
  const explained = [
    ...refunds.filter(({ status }) => status !== 'failed'),
    ...operations.filter((row) => isOldRefund(row) && row.state === 'confirmed'),
  ];
  return subtractAmounts(payment.amount_refunded, ...explained.map(({ amount }) => amount));
}
