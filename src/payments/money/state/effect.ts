import type { MoneyAlarmReason } from '../../../shared/alarm.js';
import type { CardFacts } from '../../../shared/payment-method.js';
import type { AttemptEnd } from './attempt.js';
import type { DisputeDecision, DisputeReport } from './dispute.js';
import type { NotificationVerdict, ReportedEvent } from './notification.js';
import type { OperationCause, OperationState } from './operation.js';
import type { PaymentRow } from './payment.js';
import type { NewRefund } from './refund.js';
import type { StatusChange } from './status-change.js';

/** One change of a payment's money. Nothing else writes it. Ids of rows that a decision opens are below 0 until they are written. */
export type Effect =
  /** The payment passes `states`, one webhook each. It may end the attempt. */
  | { do: 'status'; states: PaymentRow[]; change: StatusChange }
  | { do: 'end_attempt'; end: AttemptEnd; transactionId: string | undefined }
  /** Keeps the facts that only this answer has, without a change of status. */
  | {
      do: 'keep_answer';
      attempt: number;
      transactionId: string | undefined;
      after: PaymentRow;
      card: CardFacts | undefined;
    }
  | { do: 'keep_authorization'; after: PaymentRow }
  | { do: 'open'; id: number; operation: OpenedOperation }
  /** One more call of an open operation, which the caller makes. */
  | { do: 'call'; operation: number }
  | { do: 'record'; operation: number; record: RecordedResult }
  /** Requested again under another key, later. */
  | { do: 'repeat'; operation: number; lastAnswer: string; reason: string; isUnavailable: boolean }
  /** Stops all tries for the attempt: a person must act. */
  | { do: 'stop'; attempt: number; reason: string }
  | { do: 'create_refund'; id: number; refund: NewRefund }
  | {
      do: 'end_refund';
      refund: number;
      status: 'succeeded' | 'failed';
      failureCode?: string;
      providerRefundId?: string | null | undefined;
    }
  | { do: 'identify_refund'; refund: number; providerRefundId: string }
  | {
      do: 'dispute';
      attempt: number;
      provider: string;
      report: DisputeReport;
      decision: DisputeDecision;
    }
  /** Tells once that a charge came after the end. */
  | { do: 'late_charge'; attempt: number; provider: string; amount: string | undefined }
  | { do: 'late_charge_reversed' }
  | { do: 'capture_failed'; operation: number }
  /** `amount`: of the refund at the provider that a look-up found, and that waits like a reported one. */
  | {
      do: 'alarm';
      reason: MoneyAlarmReason;
      attempt: number;
      key: string;
      event: ReportedEvent | null;
      amount?: string;
    }
  | { do: 'amount_mismatch'; attempt: number }
  /** The early facts about a transaction id have found their payment. */
  | { do: 'link'; attempt: number; transactionId: string }
  /** Refunds at the provider that exceeded the captured amount wait again. */
  | { do: 'unpark' }
  | { do: 'settle_waiting'; id: number; verdict: Exclude<NotificationVerdict, { outcome: 'waiting' }> };

export interface OpenedOperation {
  attempt: number;
  kind: 'void' | 'capture' | 'refund';
  cause: OperationCause;
  /** Decimal text; absent: the payment's amount. */
  amount?: string | undefined;
  refund_id: number | null;
  /** The caller calls the provider right after its commit; otherwise recovery does. */
  isCalledNow: boolean;
  /** The client that asked for it; absent: none did. */
  requestedBy?: string | undefined;
}

export interface RecordedResult {
  state: Exclude<OperationState, 'open'>;
  lastAnswer: string;
  reason?: string | undefined;
  providerOperationId?: string | null | undefined;
  isUnavailable?: boolean | undefined;
  /** A person did: the last answer of the provider stays. */
  isSettled?: boolean;
}
