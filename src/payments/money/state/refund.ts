import type { OperationRow } from './operation.js';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;

/**
 * `pending`: requested, or accepted by the provider. `succeeded`: the provider gave the amount back. `failed`: it did not,
 * perhaps after it had reported a success. The amount of a failed refund can be refunded again.
 */
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** `api`: requested here. `provider`: made at the provider, such as in its dashboard. */
export const REFUND_ORIGINS = ['api', 'provider'] as const;
export type RefundOrigin = (typeof REFUND_ORIGINS)[number];

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
  /** The client that asked for it. `null`: made at the provider, or without a key by the version before. */
  client_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Whether an operation gives a payment's charge back; otherwise it reverses a late charge, or is no refund. */
export const isRefundOfPayment = ({ kind, cause }: Pick<OperationRow, 'kind' | 'cause'>): boolean =>
  kind === 'refund' && cause !== 'charged_after_end';

/** The `Idempotency-Key` of a request for a refund. */
interface RefundKey {
  merchantId: number;
  key: string;
  hash: Buffer;
}

export interface NewRefund {
  /** Decimal text. */
  amount: string;
  origin: RefundOrigin;
  status: RefundStatus;
  attempt: number;
  reason?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  providerRefundId?: string | null;
  key?: RefundKey | undefined;
  /** The client that asked for it; absent: it was made at the provider. */
  requestedBy?: string | undefined;
  /** How much of the amount the payment does not count yet; absent: all of it. */
  uncounted?: string;
}
