import type { MoneyAlarmReason } from '../../../shared/alarm.js';
import type { NotificationReason, NotificationVerdict } from './notification.js';
import type { PaymentStatus } from './payment-state.js';

export const APPLIED: NotificationVerdict = { outcome: 'applied', reason: null };
export const ignored = (reason: NotificationReason): NotificationVerdict => ({ outcome: 'ignored', reason });
export const waiting = (reason: NotificationReason): NotificationVerdict => ({ outcome: 'waiting', reason });
export const alarm = (reason: MoneyAlarmReason): NotificationVerdict => ({ outcome: 'alarm', reason });

/** Why a fact cannot be applied now. */
export const blockedBy = (status: PaymentStatus, isCurrent: boolean) =>
  isCurrent ? (`payment_is_${status}` as const) : 'attempt_superseded';
