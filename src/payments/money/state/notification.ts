import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import type { AlarmReason, MoneyAlarmReason } from '../../../shared/alarm.js';
import type { DisputeReason, DisputeReport } from './dispute.js';
import type { PaymentStatus } from './payment-state.js';

/** Statuses of notifications about a payment. */
export type ReportedStatus = Exclude<ProviderEvent['status'], 'ignored'>;

/** A provider's notification about a payment, as it is stored. */
export interface ReportedEvent {
  provider: string;
  status: ReportedStatus;
  transactionId: string | null;
  reference: string | null;
  amount: string | null;
  currency: string | null;
  declineCode: string | null;
  operationId: string | null;
  /** When the authorisation ends; not stored, because the charge's answer has it as well. */
  captureBefore?: Date | undefined;
  /** With `disputed`. */
  dispute: DisputeReport | null;
  data: Record<string, unknown>;
  receivedAt: Date;
}

/** Why a notification is not applied, or what a waiting notification waits for. */
export type NotificationReason =
  | 'unknown_payment'
  | 'status_unchanged'
  | 'attempt_superseded'
  | 'other_content'
  | DisputeReason
  | 'dispute_is_closed' // stored by earlier versions
  | AlarmReason
  | `payment_is_${PaymentStatus}`;

/** The result of a fact for the present state of its payment. */
export type NotificationVerdict =
  | { outcome: 'applied'; reason: null }
  /** Not a legal change yet. */
  | { outcome: 'waiting'; reason: NotificationReason }
  /** Contradicts what is known, or has nothing new. */
  | { outcome: 'ignored'; reason: NotificationReason }
  /** A person must act. */
  | { outcome: 'alarm'; reason: MoneyAlarmReason };

/** Whether the report has the amount and currency of what it is about, as far as it has any. */
export const isSame = (
  { amount, currency }: Pick<ReportedEvent, 'amount' | 'currency'>,
  known: { amount: string; currency: string },
): boolean =>
  (amount === null || Number(amount) === Number(known.amount)) &&
  (currency === null || currency.toUpperCase() === known.currency);
