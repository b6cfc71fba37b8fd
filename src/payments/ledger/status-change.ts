import type { OriginalWebhook } from '../../webhooks/outbox/webhook-body.js';
import type { NextAction } from '../../providers/payment-provider.js';
import type { AttemptEnd } from './attempt.js';
import { type ChangeCause, type PaymentStatus, stepsTo } from './payment-state.js';
import type { PaymentRow } from './payment.queries.js';

export interface StatusChange {
  to: PaymentStatus;
  cause: ChangeCause;
  /** A status to pass on the way, see {@link stepsTo}. */
  via?: PaymentStatus;
  /** Refuses the change from any other status. A timer ends a payment only if nothing else has happened. */
  onlyFrom?: PaymentStatus;
  /** Merged into the payment's metadata. */
  providerMetadata?: Record<string, unknown>;
  providerTransactionId?: string;
  /** The payer's next step; removed with the next status. */
  nextAction?: NextAction;
  /** The provider's notification that caused the change; part of the webhook. */
  originalWebhook?: OriginalWebhook;
  /** The attempt that the provider's report is about: it changes nothing after the payment moved to another shop. */
  attempt?: number;
  /** The outcome of that attempt: recorded in any case, if the payment is still at it. */
  end?: AttemptEnd;
}

export interface StatusChangeResult {
  /** The payment as it is now, changed or not. */
  payment: PaymentRow;
  /**
   * `unchanged`: it already had that status. `refused`: the transition table does not allow it. `superseded`: the
   * payment has moved to another shop.
   */
  outcome: 'changed' | 'unchanged' | 'refused' | 'superseded';
}

/**
 * The states of a payment after a change: one per step, at least one; or why nothing changes. `updated_at` grows with
 * every step, so that a receiver can order webhooks that arrive out of order. Pure.
 */
export function statesAfter(
  before: PaymentRow,
  change: StatusChange,
  now: Date,
): PaymentRow[] | Exclude<StatusChangeResult['outcome'], 'changed'> {
  if (change.attempt !== undefined && change.attempt !== before.attempt) return 'superseded';
  const isClosed = change.onlyFrom !== undefined && before.status !== change.onlyFrom;
  const steps = isClosed ? null : stepsTo(before.status, change.to, change.via);
  if (steps === null) return 'refused';
  if (steps.length === 0) return 'unchanged';
  const first = Math.max(now.getTime(), before.updated_at.getTime() + 1);
  return steps.map((status, index) => ({
    ...before,
    status,
    updated_at: new Date(first + index),
    provider_transaction_id: change.providerTransactionId ?? before.provider_transaction_id,
    next_action: status === 'processing' ? (change.nextAction ?? null) : null,
    provider_metadata: { ...before.provider_metadata, ...change.providerMetadata },
  }));
}
