import type { ProviderEvent } from '../../providers/payment-provider.js';
import type { AlarmReason } from '../../shared/alarm.js';
import type { PaymentStatus } from './payment-state.js';
import type { PaymentRow } from './payment.queries.js';

/** A provider's word that is about a payment. */
export type ReportedStatus = Exclude<ProviderEvent['status'], 'ignored'>;

/** What a notification says, as it is stored. */
export interface ReportedEvent {
  provider: string;
  status: ReportedStatus;
  transactionId: string | null;
  reference: string | null;
  amount: string | null;
  currency: string | null;
  declineCode: string | null;
  operationId: string | null;
  data: Record<string, unknown>;
  receivedAt: Date;
}

/** Why a notification is not applied; of one that waits, what it waits for. */
export type NotificationReason =
  | 'unknown_payment'
  | 'status_unchanged'
  | 'attempt_superseded'
  | 'other_content'
  | AlarmReason
  | `payment_is_${PaymentStatus}`;

/** The fate of a notification, by the present state of its payment. `payment`: as it is afterwards, where it was changed. */
export type NotificationVerdict = { payment?: PaymentRow } & (
  | { outcome: 'applied'; reason: null }
  /** Not legal yet. */
  | { outcome: 'waiting'; reason: NotificationReason }
  /** Contradicts what is known, or is no news. */
  | { outcome: 'ignored'; reason: NotificationReason }
  /** A person must act. */
  | { outcome: 'alarm'; reason: AlarmReason }
);
