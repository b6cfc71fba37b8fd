import type { PaymentStatus } from './payment-state.js';

export const OPERATION_KINDS = ['charge', 'void', 'refund'] as const;

/** What we ask of a provider; one row of `provider_operations` each, on record before the call. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/**
 * - `open`: on record; a call may be under way. `unknown`: a call was made and not answered.
 * - `pending`: the provider has it, and tells the outcome later.
 * - `confirmed`: a charge was taken, a void or refund was done. `refused`: certainly not, and it never will be under this key.
 */
export type OperationState = 'open' | 'pending' | 'confirmed' | 'refused' | 'unknown';

/** Why it is asked for, which says what its confirmation does to the payment. */
export type OperationCause = 'payment' | 'cancel_requested' | 'refund_requested' | 'expired' | 'charged_after_end';

/** A row of `provider_operations`. */
export interface OperationRow {
  /** The attempt's provider, and its transaction id there. */
  provider: string;
  provider_transaction_id: string | null;
  id: number;
  merchant_id: number;
  shop_id: number;
  payment_id: number;
  attempt: number;
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
  /** Of them, under the present key: with more than one, what an answer leaves open is open of the earlier ones too. */
  key_calls: number;
  /** `null`: nobody tries any more, because it is settled or because a person must act. */
  next_try_at: Date | null;
  /** The provider's, where it gave one. */
  provider_operation_id: string | null;
  /** Why it was refused, or what a person must know. */
  reason: string | null;
  /** What the merchant gave for a refund: a repeat under the same key says the same. */
  refund_reason: string | null;
  /** For a repeat where the provider cannot be asked otherwise; erased as soon as the operation is settled. */
  sealed_payment_token: Buffer | null;
  /** One word: what the provider last said. */
  last_answer: string | null;
  created_at: Date;
  updated_at: Date;
  /** When it was read, by the clock of the database, as `created_at` is. */
  age_ms: number;
}

/** What recovery decides by whose turn it is. */
export type DueOperation = Pick<OperationRow, 'payment_id' | 'id' | 'shop_id' | 'provider'> & { next_try_at: Date };

/** A refusal is not the end of it, because the payment must not keep what is reversed; what a merchant asked for ends. Pure. */
export const mustReverse = ({ kind, cause }: Pick<OperationRow, 'kind' | 'cause'>, status: PaymentStatus): boolean =>
  cause === 'charged_after_end' ||
  cause === 'expired' ||
  (kind === 'void' && cause === 'cancel_requested' && status === 'cancelled');

/** What cancels the payment when a void with this cause is done. Pure. */
export const causeOfCancel = (cause: OperationCause): 'expired' | 'cancel_requested' =>
  cause === 'expired' ? 'expired' : 'cancel_requested';

export const isOpen = ({ state }: Pick<OperationRow, 'state'>): boolean => state !== 'confirmed' && state !== 'refused';

/**
 * Which void or refund of an attempt a provider speaks of, of all operations of its payment. By the provider's id alone:
 * other people make refunds at the provider, too. `awaited`: one of ours has no id yet, so it may be the one, and its answer
 * or recovery tells. `none`: it is somebody else's. Without an id the provider means what is under way, or else what is done.
 * Pure.
 */
export function reportedOperation(
  operations: readonly OperationRow[],
  of: { attempt: number; kind: OperationKind },
  providerOperationId: string | null,
): OperationRow | 'undetermined' | 'none' {
  const rows = operations.filter(({ attempt, kind }) => attempt === of.attempt && kind === of.kind);
  if (providerOperationId === null) {
    return rows.find(isOpen) ?? rows.find(({ state }) => state === 'confirmed') ?? 'none';
  }
  const found = rows.find((row) => row.provider_operation_id === providerOperationId);
  const isUndetermined = rows.some((row) => isOpen(row) && row.provider_operation_id === null);
  return found ?? (isUndetermined ? 'undetermined' : 'none');
}

/** Of a charge that is about to be made: on record with its attempt. */
export interface NewCharge {
  idempotencyKey: string;
  reference: string;
}
