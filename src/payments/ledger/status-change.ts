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
  /** With `processing`: the charge is authorised and waits for its capture. `amount`: absent means the payment's. */
  authorized?: { amount?: string; captureBefore: Date };
  /** The captured amount, decimal text; absent with `completed`: all of the payment's. */
  capturedAmount?: string;
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
    ...amountsAfter(before, status, change),
    status,
    updated_at: new Date(first + index),
    provider_transaction_id: change.providerTransactionId ?? before.provider_transaction_id,
    next_action: status === 'processing' ? (change.nextAction ?? null) : null,
    provider_metadata: { ...before.provider_metadata, ...change.providerMetadata },
  }));
}

type Amounts = Pick<PaymentRow, 'amount_authorized' | 'amount_captured' | 'amount_refunded' | 'capture_before'>;

/**
 * The amounts of a payment in its next status: 0 ≤ refunded ≤ captured ≤ authorised. A full refund counts before its
 * status changes, so `refunded` only completes it for a provider that reports no amount. Pure.
 */
function amountsAfter(
  before: PaymentRow,
  status: PaymentStatus,
  { authorized, capturedAmount }: StatusChange,
): Amounts {
  const { amount, amount_authorized: held, amount_captured: captured, amount_refunded: refunded } = before;
  switch (status) {
    case 'processing': {
      const captureBefore = authorized?.captureBefore ?? before.capture_before;
      return {
        amount_authorized: authorized ? (authorized.amount ?? amount) : held,
        amount_captured: captured,
        amount_refunded: refunded,
        capture_before: captureBefore,
      };
    }
    case 'completed': {
      const taken = Number(captured) > 0 ? captured : (capturedAmount ?? amount);
      return {
        amount_authorized: Number(held) >= Number(taken) ? held : taken,
        amount_captured: taken,
        amount_refunded: refunded,
        capture_before: null,
      };
    }
    case 'refunded': {
      const taken = Number(captured) > 0 ? captured : amount;
      const all = Number(held) >= Number(taken) ? held : taken;
      return { amount_authorized: all, amount_captured: taken, amount_refunded: taken, capture_before: null };
    }
    default:
      return { amount_authorized: held, amount_captured: captured, amount_refunded: refunded, capture_before: null };
  }
}
