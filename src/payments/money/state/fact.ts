import type { NextAction } from '@payment-orchestrator/provider-kit';
import type { CardFacts } from '../../../shared/payment-method.js';
import type { OriginalWebhook } from '../../../webhooks/outbox/webhook-body.js';
import type { DisputeReport } from './dispute.js';
import type { AttemptEnd } from './attempt.js';
import type { ReportedEvent } from './notification.js';
import type { ChangeCause } from './payment-state.js';
import type { NewRefund } from './refund.js';
import type { SettleOutcome } from './settlement.js';

/**
 * The source of a fact. `answer`: the provider's answer to our call. `look_up`: its state when we asked. `notification`: its report.
 */
export type Source = 'answer' | 'look_up' | 'notification';

/** All that a source decides; everything else follows from the fact. */
export const SOURCES: Readonly<Record<Source, SourceRules>> = {
  answer: { cause: 'provider_answer', refundCause: 'refund_requested', isPresent: true },
  look_up: { cause: 'provider_lookup', refundCause: 'provider_lookup', isPresent: true },
  notification: { cause: 'provider_notification', refundCause: 'provider_notification', isPresent: false },
};

interface SourceRules {
  /** In the history. */
  cause: ChangeCause;
  /** In the history of a refunded payment. */
  refundCause: RefundCause;
  /**
   * It is the present state of the whole charge at the provider; the payment passes `processing` on the way to it. A report may come
   * late, after what followed it, and a reported cancellation may be about the uncaptured rest.
   */
  isPresent: boolean;
}

export type RefundCause = Extract<
  ChangeCause,
  'refund_requested' | 'provider_notification' | 'provider_lookup' | 'settled_by_operator'
>;

/**
 * A fact about the charge of an attempt. `processing`: without an outcome. `captured`: charged, perhaps in part. `declined`:
 * not charged, and the try has ended. `cancelled`: not charged, and cannot be. `not_found`: the provider has no charge.
 * `unknown`: a call had no conclusive answer. `lost`: nothing can show the outcome. `identified`: its id was found after it was
 * charged.
 */
export interface ChargeFact {
  about: 'charge';
  source: Source;
  attempt: number;
  status:
    | 'processing'
    | 'authorized'
    | 'captured'
    | 'declined'
    | 'cancelled'
    | 'not_found'
    | 'unknown'
    | 'lost'
    | 'identified';
  /** The requested amount, decimal text, if it is reported, like the other amounts. */
  amount?: string | undefined;
  currency?: string | undefined;
  captured?: string | undefined;
  /** The sum of all successful refunds. */
  refunded?: string | undefined;
  /** The refunded amount that the payment counted before the provider was asked; absent: unknown. */
  counted?: string | undefined;
  /** When the authorisation ends. */
  captureBefore?: Date | undefined;
  /** With `cancelled`: the authorisation has lapsed. */
  isLapsed?: boolean;
  transactionId?: string | undefined;
  /** The outcome of the attempt, if the source tells more than the status. */
  end?: AttemptEnd;
  declineCode?: AttemptEnd['declineCode'] | undefined;
  card?: CardFacts | undefined;
  metadata?: Record<string, unknown> | undefined;
  nextAction?: NextAction | undefined;
  /** The payer's step that the answer completes. */
  completedAction?: NextAction | undefined;
  /** Takes the place of the source's cause. */
  cause?: ChangeCause;
  webhook?: OriginalWebhook;
  /** The notification that brought it. */
  event?: ReportedEvent;
}

/** The result of a call or look-up for an operation. The operation was called under this key. */
export interface OperationFact {
  about: 'operation';
  operation: number;
  key: string;
  /** As it is stored: a code. */
  lastAnswer: string;
  result:
    | { outcome: 'confirmed'; operationId?: string | undefined }
    | { outcome: 'pending'; operationId: string }
    /**
     * `isUnavailable`: the provider did not process this call. `isTooEarly`: the charge is not captured yet, or still waits for
     * its payer. `isFinal`: it is not to be requested again. `code`: the reason as a code.
     */
    | {
        outcome: 'refused';
        reason: string;
        code?: string | undefined;
        isTooEarly?: boolean;
        isUnavailable?: boolean;
        isFinal?: boolean;
        operationId?: string | undefined;
      };
  /** The state of the charge, if the call or a look-up after it showed it. */
  charge?: ChargeFact;
}

/** A provider's report that a void, a capture or a reversal failed after it was accepted. */
export interface FailureFact {
  about: 'failure';
  source: 'notification';
  attempt: number;
  kind: 'void' | 'capture' | 'refund';
  event: ReportedEvent;
}

/** A provider's report of one refund. */
export interface RefundFact {
  about: 'refund';
  source: 'notification';
  attempt: number;
  event: ReportedEvent;
}

export interface DisputeFact {
  about: 'dispute';
  source: 'notification';
  attempt: number;
  provider: string;
  report: DisputeReport | null;
}

/** The findings of a person at the provider about an open operation. */
export interface SettlementFact {
  about: 'settlement';
  operation: number;
  outcome: SettleOutcome;
  /** The captured or refunded amount, decimal text. */
  amount: string;
  /** The provider's id: of the transaction for a charge, of the operation otherwise. */
  providerId: string | undefined;
  reason: string;
}

/** The client `by` wants it. The operation that the decision opens is called right after the commit. */
export type RequestFact = { about: 'request'; by?: string | undefined } & (
  | { what: 'cancel' }
  | { what: 'capture'; amount: string | undefined; canCaptureParts: boolean }
  | ({ what: 'refund' } & RefundRequested)
  /** The request for this refund was repeated. */
  | { what: 'repeat_refund'; refund: number }
);

/** A refund that a client wants. */
export interface RefundRequested {
  /** Decimal text; absent: all that is left. */
  amount: string | undefined;
  canRefundParts: boolean;
  /** Refund although the payer may get the money twice. */
  isConfirmed: boolean;
  /** A refund of the rest continues those that are under way, if nothing is left. */
  isRest: boolean;
  fields: Pick<NewRefund, 'reason' | 'metadata' | 'key'>;
}

/** A pending payment ends without a charge: its time is over, or a rule declines it. */
export interface EndFact {
  about: 'end';
  to: 'cancelled' | 'failed';
  cause: 'expired' | 'declined_by_rule';
  metadata?: Record<string, unknown>;
}

export type Fact =
  ChargeFact | OperationFact | FailureFact | RefundFact | DisputeFact | SettlementFact | RequestFact | EndFact;
