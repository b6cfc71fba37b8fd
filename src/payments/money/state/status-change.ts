import type { OriginalWebhook } from '../../../webhooks/outbox/webhook-body.js';
import type { NextAction } from '@payment-orchestrator/provider-kit';
import type { AttemptEnd } from './attempt.js';
import { type ChangeCause, type PaymentStatus, stepsTo } from './payment-state.js';
import type { PaymentRow } from './payment.js';

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
  /** The payer's step that the answer completes: `nextAction`, or none, takes its place. */
  completedAction?: NextAction;
  /** With `processing`: the charge is authorised and waits for its capture. */
  authorized?: { captureBefore?: Date | undefined };
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

/** Zero as PostgreSQL writes it. */
export const NOTHING = '0.0000';

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
  const isClosed =
    (change.onlyFrom !== undefined && before.status !== change.onlyFrom) ||
    // a report of the charge comes late; only a failed refund makes the payment completed again
    (before.status === 'refunded' && change.to === 'completed' && change.cause !== 'refund_failed');
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

/**
 * A payment in `processing` whose authorisation becomes known, or when it ends; `null`: the report has nothing new.
 * The status stays, so there is no webhook. Pure.
 */
export function authorizedAfter(
  before: PaymentRow,
  { authorized, attempt }: StatusChange,
  now: Date,
): PaymentRow | null {
  if (!authorized || before.status !== 'processing' || before.capture !== 'manual' || attempt !== before.attempt)
    return null;
  const isNew = Number(before.amount_authorized) === 0;
  const captureBefore = before.capture_before ?? authorized.captureBefore ?? null;
  if (!isNew && captureBefore === before.capture_before) return null;
  return {
    ...before,
    amount_authorized: before.amount,
    capture_before: captureBefore,
    next_action: null,
    updated_at: new Date(Math.max(now.getTime(), before.updated_at.getTime() + 1)),
  };
}

/**
 * The amounts that a payment had when it got one of its statuses, as its present amounts show them: those of an
 * authorisation are the same from its report to the end. Pure.
 */
export function amountsIn(payment: PaymentRow, status: PaymentStatus): Omit<Amounts, 'capture_before'> {
  const { amount_authorized: held, amount_captured: captured } = payment;
  if (status === 'refunded') return { amount_authorized: held, amount_captured: captured, amount_refunded: captured };
  if (status === 'completed') return { amount_authorized: held, amount_captured: captured, amount_refunded: NOTHING };
  const authorized = payment.capture === 'manual' && status !== 'pending' ? held : NOTHING;
  return { amount_authorized: authorized, amount_captured: NOTHING, amount_refunded: NOTHING };
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
  if (status === 'completed' || status === 'refunded') {
    const taken = Number(captured) > 0 ? captured : (capturedAmount ?? amount);
    return {
      amount_authorized: Number(held) >= Number(taken) ? held : taken,
      amount_captured: taken,
      amount_refunded: status === 'refunded' ? taken : refunded,
      capture_before: null,
    };
  }
  const isHeld = status === 'processing';
  return {
    amount_authorized: isHeld && authorized ? amount : held,
    amount_captured: captured,
    amount_refunded: refunded,
    capture_before: isHeld ? (authorized?.captureBefore ?? before.capture_before) : null,
  };
}
