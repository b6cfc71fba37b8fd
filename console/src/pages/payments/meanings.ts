import type { Schema } from '@payment-orchestrator/client';

/** Explanations of the API's codes. The types come from the API: a new code does not compile until it is added here. */

export const CAUSES: Record<Schema<'ChangeCause'>, string> = {
  provider_answer: 'The provider answered the request.',
  provider_unavailable: 'No shop could take the payment: the last provider was unavailable.',
  provider_notification: 'The provider sent a notification.',
  provider_lookup: 'The service asked the provider for the outcome.',
  cancel_requested: 'A person or program of yours requested the cancellation.',
  capture_requested: 'A person or program of yours requested the capture.',
  refund_requested: 'A person or program of yours requested the refund.',
  refund_failed: 'A refund failed after the provider had reported its success.',
  declined_by_rule: 'A rule of the flow declined the payment. No shop was asked.',
  expired: 'The payment had no outcome before it expired.',
  authorization_expired: 'The authorisation ended before it was captured.',
  settled_by_operator: 'A person decided the outcome.',
  charged_after_end:
    'A provider charged the payment after it had ended or moved to another shop. The charge is refunded.',
  late_charge_reversed: 'The late charge was refunded.',
};

export const OUTCOMES: Record<Schema<'AttemptOutcome'>, string> = {
  approved: 'The provider charged the payment.',
  processing: 'The provider accepted the payment and reports the outcome later.',
  declined: 'Declined permanently: no other shop is tried.',
  soft_declined: 'Declined by this shop. Another shop may accept it.',
  unavailable: 'The provider was unavailable and did not charge the payment.',
  unknown: 'No answer in time. The payment may be charged, so no other shop is tried until the outcome is known.',
};

/** An approved attempt of a payment that is captured later. */
export const AUTHORIZED = 'The provider holds the amount. The capture charges it.';

export const REFUND_STATUSES: Record<Schema<'RefundStatus'>, string> = {
  pending: 'The outcome is not known yet.',
  succeeded: 'The provider gave the amount back.',
  failed: 'The payer did not get the amount. It can be refunded again.',
};

export const DISPUTE_STATUSES: Record<Schema<'DisputeStatus'>, string> = {
  open: 'Submit evidence at the provider.',
  under_review: 'The evidence was submitted.',
  won: 'The amount stays with you.',
  lost: 'The amount went back to the payer.',
  accepted: 'You accepted it: the amount went back to the payer.',
};

export const STATES: Record<Schema<'OperationState'>, string> = {
  open: 'Recorded. A call to the provider may be running.',
  unknown: 'The provider did not answer. The service asks for the outcome.',
  pending: 'The provider has accepted it and reports the outcome later.',
  confirmed: 'The provider has done it.',
  refused: 'It was definitely not done.',
};

export const OPERATION_CAUSES: Record<Schema<'OperationCause'>, string> = {
  payment: 'to charge the payment',
  cancel_requested: 'because your side requested the cancellation',
  capture_requested: 'because your side requested the capture',
  refund_requested: 'because your side requested the refund',
  expired: 'because the payment expired',
  authorization_expired: 'because the authorisation ended without a capture',
  charged_after_end: 'because the payment was charged after it had ended',
};

export const NOTIFICATION_OUTCOMES: Record<Schema<'NotificationOutcome'>, string> = {
  applied: 'The notification was applied.',
  waiting: 'It does not fit the payment’s status yet. It is applied as soon as it fits, within three days.',
  ignored: 'Ignored: it is not new, or contradicts the known outcome.',
  conflict: 'A notification with the same id but other content came before.',
  alarm: 'Check the payment at its provider.',
};

export const NOTIFICATION_REASONS: Partial<Record<Schema<'NotificationReason'>, string>> = {
  unknown_payment: 'No matching payment is known yet.',
  status_unchanged: 'The payment already had this status.',
  attempt_superseded: 'The payment has moved to another shop.',
  other_content: 'The same id came with other content.',
  amount_differs: 'The amount or currency differs from the payment.',
  other_refund:
    'More was refunded than was captured, or someone refunded at the provider while a refund here had no answer.',
  void_failed: 'The provider could not void the payment.',
  refund_failed: 'The provider could not refund the payment.',
  capture_failed: 'The provider could not capture the payment.',
};

export const TESTS: Record<Schema<'RoutingTest'>, string> = {
  disabled: 'it is disabled',
  currency: 'it does not accept the currency',
  country: 'it does not accept the country',
  min_amount: 'the amount is below its minimum',
  max_amount: 'the amount is above its maximum',
  no_payment_method: 'the payer had no payment method in its account',
  capability_missing: 'its provider takes no such currency or payment method, or cannot capture later',
  unhealthy: 'it was not healthy',
  rule: 'it is not in the rule that applied',
};

export const DELIVERY_STATUSES: Record<Schema<'DeliveryStatus'>, string> = {
  pending: 'Waiting for the next attempt.',
  delivered: 'The receiver answered 2xx.',
  failed: 'Every attempt failed. Send it again when the receiver works.',
};
