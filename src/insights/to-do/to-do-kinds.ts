/** The kinds of work for a person. */
export const TO_DO_KINDS = [
  ...(['evidence_overdue', 'evidence_due', 'lapses_in_24_hours', 'lapses_in_3_days', 'operations_to_settle'] as const),
  ...(['alarms', 'shop_down', 'approvals_fell', 'endpoints_failing', 'approval_waiting'] as const),
] as const;
export type ToDoKind = (typeof TO_DO_KINDS)[number];
