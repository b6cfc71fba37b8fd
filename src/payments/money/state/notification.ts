import { EVENT_STATUSES, type ProviderEvent } from '@payment-orchestrator/provider-kit';
import { ALARM_REASONS, type MoneyAlarmReason } from '../../../shared/alarm.js';
import { DISPUTE_REASONS, type DisputeReport } from './dispute.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-state.js';

/** Statuses of notifications about a payment. */
export type ReportedStatus = Exclude<ProviderEvent['status'], 'ignored'>;
export const REPORTED_STATUSES = EVENT_STATUSES.filter((status): status is ReportedStatus => status !== 'ignored');

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
export const NOTIFICATION_REASONS = [
  ...ALARM_REASONS,
  ...PAYMENT_STATUSES.map((status) => `payment_is_${status}` as const),
  ...DISPUTE_REASONS,
  'unknown_payment',
  'status_unchanged',
  'attempt_superseded',
  'other_content',
  'dispute_is_closed', // stored by earlier versions
] as const;
export type NotificationReason = (typeof NOTIFICATION_REASONS)[number];

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

export const APPLIED: NotificationVerdict = { outcome: 'applied', reason: null };
export const ignored = (reason: NotificationReason): NotificationVerdict => ({ outcome: 'ignored', reason });
export const waiting = (reason: NotificationReason): NotificationVerdict => ({ outcome: 'waiting', reason });
export const alarm = (reason: MoneyAlarmReason): NotificationVerdict => ({ outcome: 'alarm', reason });

/** Why a fact cannot be applied now. */
export const blockedBy = (status: PaymentStatus, isCurrent: boolean) =>
  isCurrent ? (`payment_is_${status}` as const) : 'attempt_superseded';
