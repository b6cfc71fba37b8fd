/** Reasons why a person must look at a provider's notification. The runbook explains each in its section ProviderAlarmOpen. */
export const ALARM_REASONS = [
  'amount_differs',
  'other_refund',
  'void_failed',
  'refund_failed',
  'capture_failed',
] as const;

export type AlarmReason = (typeof ALARM_REASONS)[number];
