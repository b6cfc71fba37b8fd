export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'] as const;

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Why a status changed, as the payment's history tells it. */
export type ChangeCause =
  | 'provider_answer'
  | 'provider_unavailable'
  | 'provider_notification'
  | 'provider_lookup'
  | 'cancel_requested'
  | 'refund_requested'
  | 'expired'
  // the status stays: what happens at the provider after the payment's end
  | 'charged_after_end'
  | 'late_charge_reversed';

/** The table of transitions: everything that is not in it is refused. */
const ALLOWED: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'completed', 'failed', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: ['refunded'],
  failed: [],
  cancelled: [],
  refunded: [],
};

/**
 * The statuses to go through from `from` to `to`: none when it is there already, `null` when the way is not allowed.
 * `via` is a status to pass on the way where the table allows it, such as `processing` for a provider's first answer.
 */
export function stepsTo(from: PaymentStatus, to: PaymentStatus, via?: PaymentStatus): PaymentStatus[] | null {
  if (from === to) return [];
  if (via !== undefined && ALLOWED[from].includes(via) && ALLOWED[via].includes(to)) return [via, to];
  return ALLOWED[from].includes(to) ? [to] : null;
}
