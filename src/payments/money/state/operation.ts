import type { PaymentStatus } from './payment-state.js';

export const OPERATION_KINDS = ['charge', 'capture', 'void', 'refund'] as const;

/** Kinds of requests to a provider; each is one row of `provider_operations`, recorded before the call. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/**
 * - `open`: recorded; a call may be under way. `unknown`: a call was made and not answered.
 * - `pending`: the provider accepted it, and reports the outcome later.
 * - `confirmed`: the charge, void or refund was made. `refused`: it was not made and never will be under this key.
 */
export const OPERATION_STATES = ['unknown', 'open', 'refused', 'confirmed', 'pending'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** Why it was requested. The cause decides how its confirmation changes the payment. */
export const OPERATION_CAUSES = [
  'cancel_requested',
  'refund_requested',
  'expired',
  'charged_after_end',
  'payment',
  'capture_requested',
  'authorization_expired',
] as const;
export type OperationCause = (typeof OPERATION_CAUSES)[number];

/** A row of `provider_operations`. */
export interface OperationRow {
  /** The attempt's provider, and its transaction id there. */
  provider: string;
  provider_transaction_id: string | null;
  /** When the attempt was recorded. */
  attempted_at: Date;
  /** The key of the attempt's charge, for a void; `null`: another kind, or a version before recorded charges. */
  charge_idempotency_key: string | null;
  id: number;
  merchant_id: number;
  shop_id: number;
  payment_id: number;
  /** The attempt whose charge it is about. */
  attempt: number;
  /** The refund object; `null` for other operations, and for the reversal of a late charge. */
  refund_id: number | null;
  kind: OperationKind;
  cause: OperationCause;
  /** Random; the same for every call until a definite refusal. */
  idempotency_key: string;
  /** The attempt's. */
  reference: string;
  /** Decimal text. */
  amount: string;
  currency: string;
  state: OperationState;
  /** Calls made, look-ups included; 0: none yet. */
  tries: number;
  /** Calls under the present key. With more than one, an unavailable provider says nothing about the earlier ones. */
  key_calls: number;
  /** `null`: no worker tries it, because it is closed or because a person must act. */
  next_try_at: Date | null;
  /** The provider's id of the operation, if it gave one. */
  provider_operation_id: string | null;
  /** Why it was refused, or a note for a person. */
  reason: string | null;
  /** The merchant's reason for a refund. A repeat under the same key must send the same reason. */
  refund_reason: string | null;
  /** Encrypted; kept for a repeat if the provider has no look-up by reference. Erased when the operation is closed. */
  sealed_payment_token: Buffer | null;
  /** The provider's last answer, as a code. */
  last_answer: string | null;
  /** The client that asked for it; `null`: none did, or a version before recorded it. */
  requested_by: string | null;
  created_at: Date;
  updated_at: Date;
  /** Age when the row was read, by the database's clock, like `created_at`. */
  age_ms: number;
}

/** The columns from which recovery decides which operation is next. */
export type DueOperation = Pick<OperationRow, 'payment_id' | 'id' | 'shop_id' | 'provider'> & { next_try_at: Date };

/**
 * Whether a refusal must be retried, because the payment must not keep the charge. A merchant's request ends instead.
 * Pure.
 */
export const mustReverse = ({ kind, cause }: Pick<OperationRow, 'kind' | 'cause'>, status: PaymentStatus): boolean =>
  cause === 'charged_after_end' ||
  cause === 'expired' ||
  cause === 'authorization_expired' ||
  (kind === 'void' && cause === 'cancel_requested' && status === 'cancelled');

/** The cause of a cancellation by a void with this cause. Pure. */
export const causeOfCancel = (cause: OperationCause): 'expired' | 'authorization_expired' | 'cancel_requested' =>
  cause === 'expired' || cause === 'authorization_expired' ? cause : 'cancel_requested';

export const isOpen = ({ state }: Pick<OperationRow, 'state'>): boolean => state !== 'confirmed' && state !== 'refused';

type IdentifiedOperation = Pick<OperationRow, 'attempt' | 'kind' | 'refund_id' | 'state' | 'provider_operation_id'>;

/**
 * The void, or the reversal of a late charge, that a provider reports, among all operations of its payment. Only the
 * provider's id identifies it, because people make refunds at the provider as well. `undetermined`: one of ours has no
 * id yet and may be the one; its answer or recovery will show. `none`: it is not ours. A report without an id means the
 * open operation, or else the confirmed one. Refunds of refund objects: `decideRefund`. Pure.
 */
export function reportedOperation<Row extends IdentifiedOperation>(
  operations: readonly Row[],
  of: { attempt: number; kind: OperationKind },
  providerOperationId: string | null,
): Row | 'undetermined' | 'none' {
  const rows = operations.filter(
    ({ attempt, kind, refund_id: refundId }) => attempt === of.attempt && kind === of.kind && refundId === null,
  );
  if (providerOperationId === null) {
    return rows.find(isOpen) ?? rows.find(({ state }) => state === 'confirmed') ?? 'none';
  }
  const found = rows.find((row) => row.provider_operation_id === providerOperationId);
  const isUndetermined = rows.some((row) => isOpen(row) && row.provider_operation_id === null);
  return found ?? (isUndetermined ? 'undetermined' : 'none');
}

/** A new charge, recorded with its attempt before the call. */
export interface NewCharge {
  idempotencyKey: string;
  reference: string;
  /** When its attempt was recorded. */
  attemptedAt: Date;
}

/** The charge as it was recorded, to be repeated. Pure. */
export const chargeOf = (charge: OperationRow): NewCharge => ({
  idempotencyKey: charge.idempotency_key,
  reference: charge.reference,
  attemptedAt: charge.attempted_at,
});
