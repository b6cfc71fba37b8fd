import type { Schema } from '@payment-orchestrator/client';

/** What the API's words mean for this payment. Typed by the API's own lists: a new word does not compile until it is here. */

export const CAUSES: Record<Schema<'ChangeCause'>, string> = {
  provider_answer: 'The provider answered the request.',
  provider_unavailable: 'No shop could take it: the last provider was not available.',
  provider_notification: 'The provider sent a notification.',
  provider_lookup: 'The provider was asked what became of it, and told.',
  cancel_requested: 'Your API client asked to cancel it.',
  refund_requested: 'Your API client asked to refund it.',
  expired: 'It had no outcome in its time.',
  charged_after_end: 'A provider charged it when it was over, or had gone to another shop; the charge is given back.',
  late_charge_reversed: 'The late charge was given back.',
};

export const OUTCOMES: Record<Schema<'AttemptOutcome'>, string> = {
  approved: 'The provider charged it.',
  processing: 'The provider took it and tells the outcome later.',
  declined: 'Declined for good: no other shop is asked.',
  soft_declined: 'Declined by this shop; another one may take it.',
  unavailable: 'The provider certainly did not take it.',
  unknown: 'No answer in time: it may have been charged, so no other shop is asked until that is known.',
};

export const STATES: Record<Schema<'OperationState'>, string> = {
  open: 'On record; a call may be under way.',
  unknown: 'Called, and not answered. It is asked about again.',
  pending: 'The provider has it, and tells the outcome later.',
  confirmed: 'The provider did it.',
  refused: 'Certainly not done.',
};

export const OPERATION_CAUSES: Record<Schema<'OperationCause'>, string> = {
  payment: 'to take the payment',
  cancel_requested: 'because your API client asked to cancel',
  refund_requested: 'because your API client asked to refund',
  expired: 'because the payment expired',
  charged_after_end: 'because it was charged after its end',
};

export const NOTIFICATION_OUTCOMES: Record<Schema<'NotificationOutcome'>, string> = {
  applied: 'It did what it says.',
  waiting: 'Not legal yet: applied as soon as it is, within three days.',
  ignored: 'It is no news, or contradicts what is known.',
  conflict: 'Its id came before with other content.',
  alarm: 'Look at the payment at its provider.',
};

export const NOTIFICATION_REASONS: Partial<Record<Schema<'NotificationReason'>, string>> = {
  unknown_payment: 'No payment is known by it yet.',
  status_unchanged: 'The payment had that status already.',
  attempt_superseded: 'The payment has gone on to another shop.',
  other_content: 'Other content under the same id.',
  amount_differs: 'The amount or currency is not the payment’s.',
  other_refund: 'Somebody else refunded it at the provider while our refund was under way.',
  void_failed: 'The provider could not void it.',
  refund_failed: 'The provider could not refund it.',
  capture_failed: 'The provider could not capture it.',
};

export const TESTS: Record<Schema<'RoutingTest'>, string> = {
  disabled: 'it is disabled',
  currency: 'it does not take the currency',
  country: 'it does not take the country',
  min_amount: 'the amount is below its minimum',
  max_amount: 'the amount is above its maximum',
  unhealthy: 'it was not healthy',
  rule: 'the rule that decided does not name it',
};

export const DELIVERY_STATUSES: Record<Schema<'DeliveryStatus'>, string> = {
  pending: 'Waits for its next attempt.',
  delivered: 'The receiver answered 2xx.',
  failed: 'Every attempt failed. Redeliver it when the receiver works again.',
};
