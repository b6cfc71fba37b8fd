/** Reasons that follow from a payment's money. */
export const MONEY_ALARM_REASONS = [
  'amount_differs',
  'other_refund',
  'void_failed',
  'refund_failed',
  'capture_failed',
] as const;

/** Reasons why a person must look at a provider's notification. The runbook explains each in its section ProviderAlarmOpen. */
export const ALARM_REASONS = [...MONEY_ALARM_REASONS, 'payment_archived'] as const;

export type MoneyAlarmReason = (typeof MONEY_ALARM_REASONS)[number];
export type AlarmReason = (typeof ALARM_REASONS)[number];
