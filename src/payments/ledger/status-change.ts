import type { OriginalWebhook } from '../../webhooks/outbox/webhook-body.js';
import type { NextAction } from '../../providers/payment-provider.js';
import type { AttemptEnd } from './attempt.js';
import { type ChangeCause, type PaymentStatus, stepsTo } from './payment-state.js';
import type { PaymentRow } from './payment.queries.js';

export interface StatusChange {
  to: PaymentStatus;
  cause: ChangeCause;
  /** A status to pass on the way, see `stepsTo`. */
  via?: PaymentStatus;
  /** Refused from any other status: what a timer may end, it ends only while nothing else has happened. */
  onlyFrom?: PaymentStatus;
  /** Merged into the payment's own. */
  providerMetadata?: Record<string, unknown>;
  providerTransactionId?: string;
  /** What the payer has to do; forgotten with the next status. */
  nextAction?: NextAction;
  /** The provider's notification that caused the change; told in the webhook. */
  originalWebhook?: OriginalWebhook;
  /** The attempt that a provider speaks of: nothing changes any more once the payment has gone on to another shop. */
  attempt?: number;
  /** What came of that attempt: recorded in any case, if the payment is still at it. */
  end?: AttemptEnd;
}

export interface StatusChangeResult {
  /** The payment as it is now, changed or not. */
  payment: PaymentRow;
  /**
   * `unchanged`: it had that status already. `refused`: the table of transitions has no way there. `superseded`: the
   * payment has gone on to another shop.
   */
  outcome: 'changed' | 'unchanged' | 'refused' | 'superseded';
}

/**
 * What a change makes of a payment: one state per step, at least one, or why it makes nothing of it. `updated_at` grows
 * with every step, so that a receiver can order what arrives out of order. Pure.
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
