export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'] as const;

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The cause of a change of status, in the payment's history. */
export const CHANGE_CAUSES = [
  'provider_answer',
  'provider_unavailable',
  'provider_notification',
  'provider_lookup',
  'cancel_requested',
  'capture_requested',
  'refund_requested',
  'refund_failed',
  'declined_by_rule',
  'expired',
  'authorization_expired',
  'settled_by_operator',
  // the status stays: events at the provider after the payment's end
  'charged_after_end',
  'late_charge_reversed',
] as const;
export type ChangeCause = (typeof CHANGE_CAUSES)[number];

/** The transition table: all other transitions are refused. */
const ALLOWED: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'completed', 'failed', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: ['refunded'],
  failed: [],
  cancelled: [],
  // a refund failed after its success was reported
  refunded: ['completed'],
};

/**
 * The statuses from `from` to `to`: none if it has that status already, `null` if the table does not allow it. `via` is
 * a status to pass on the way if the table allows it, such as `processing` before a provider's first answer.
 */
export function stepsTo(from: PaymentStatus, to: PaymentStatus, via?: PaymentStatus): PaymentStatus[] | null {
  if (from === to) return [];
  if (via !== undefined && ALLOWED[from].includes(via) && ALLOWED[via].includes(to)) return [via, to];
  return ALLOWED[from].includes(to) ? [to] : null;
}
