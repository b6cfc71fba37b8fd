/** Why a provider's notification needs a person. Each has a line in the section ProviderAlarmOpen of docs/operate/runbook.md. */
export const ALARM_REASONS = [
  'amount_differs',
  'other_refund',
  'void_failed',
  'refund_failed',
  'capture_failed',
] as const;

export type AlarmReason = (typeof ALARM_REASONS)[number];
