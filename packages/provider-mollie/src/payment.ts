// Mollie’s payments, refunds, captures and chargebacks in our terms.
import {
  type CardFacts,
  type ChargeAnswer,
  type ChargeRequest,
  type ChargeState,
  type NextAction,
  type OperationAnswer,
  type ProviderEvent,
  type SavedMethod,
  validFacts,
} from '@payment-orchestrator/provider-kit';
import { amountOf, minorOf } from './amount.js';
import { declineOf } from './decline.js';
import type { Amount, Capture, Chargeback, Payment, Refund } from './documents.js';

export const referenceOf = ({ metadata }: Payment): string | undefined => metadata?.reference;

/** The payer's step, as long as the payment is open. */
function nextActionOf({ status, _links: links }: Payment): { nextAction?: NextAction } {
  if (status !== 'open' || !links.checkout) return {};
  return { nextAction: { type: 'redirect', url: links.checkout.href, method: 'GET' } };
}

/** A first payment has made a mandate, with which later ones charge without the payer. */
function savedOf({ status, sequenceType, customerId, mandateId }: Payment): { savedMethod?: SavedMethod } {
  const isSaved = sequenceType === 'first' && (status === 'paid' || status === 'authorized');
  return isSaved && customerId && mandateId ? { savedMethod: { token: `${customerId}/${mandateId}` } } : {};
}

function cardOf({ details }: Payment): { card?: CardFacts } {
  const card = validFacts({
    scheme: details?.cardLabel?.toLowerCase().replaceAll(' ', '_'),
    bin: details?.cardBin,
    last4: details?.cardNumber,
    funding: details?.cardFunding,
    issuer_country: details?.cardCountryCode,
  });
  return card ? { card } : {};
}

/** The answer to a charge. Throws for a payment that has no known status, because its outcome is unknown. */
export function chargeAnswer(payment: Payment, capture: ChargeRequest['capture']): ChargeAnswer {
  const known = { transactionId: payment.id, ...cardOf(payment), ...savedOf(payment) };
  switch (payment.status) {
    case 'open':
    case 'pending':
      return { ...known, outcome: 'processing', ...nextActionOf(payment) };
    case 'authorized':
      // an automatic charge is captured by Mollie, and reported then
      if (capture === 'automatic') return { ...known, outcome: 'processing' };
      return { ...known, outcome: 'authorized', captureBefore: captureBeforeOf(payment) };
    case 'paid':
      return { ...known, outcome: 'approved' };
    case 'failed':
      return { ...known, ...declineOf(payment) };
    case 'canceled':
    case 'expired':
      return { ...known, outcome: 'declined', declineCode: 'cancelled_by_payer' };
    default:
      throw new Error('Mollie answered an unknown status');
  }
}

function captureBeforeOf({ captureBefore }: Payment): Date {
  const date = new Date(captureBefore ?? NaN);
  if (Number.isNaN(date.getTime())) throw new Error('Mollie answered an authorisation without captureBefore');
  return date;
}

const STATUSES: Readonly<Record<Payment['status'], ChargeState['status']>> = {
  open: 'open',
  pending: 'open',
  authorized: 'authorized',
  paid: 'captured',
  failed: 'declined',
  canceled: 'voided',
  expired: 'voided',
};

/** Refunds that reached the payer: `amountRefunded` of the payment also counts those that may still fail. */
const refundedOf = (payment: Payment): number =>
  (payment._embedded?.refunds ?? [])
    .filter(({ status }) => status === 'refunded')
    .reduce((sum, { amount }) => sum + minorOf(amount), 0);

/** The captured count: all of an automatic charge, for which Mollie sends no `amountCaptured`. */
const capturedOf = (payment: Payment): number => minorOf(payment.amountCaptured ?? payment.amount);

export function statusOf(payment: Payment): ChargeState['status'] {
  const status = STATUSES[payment.status] as ChargeState['status'] | undefined;
  if (status === undefined) throw new Error('Mollie answered an unknown status');
  const { amountCaptured } = payment;
  // a method with several captures stays authorised after the first, which is our only one
  const isPartCaptured = status === 'authorized' && amountCaptured !== undefined && minorOf(amountCaptured) > 0;
  if (status !== 'captured' && !isPartCaptured) return status;
  return refundedOf(payment) >= capturedOf(payment) ? 'refunded' : 'captured';
}

export function stateOf(payment: Payment): ChargeState {
  const { amount, amountCaptured } = payment;
  const status = statusOf(payment);
  const isCaptured = status === 'captured' || status === 'refunded';
  return {
    status,
    transactionId: payment.id,
    amount: amount.value,
    currency: amount.currency,
    ...(isCaptured && amountCaptured && { capturedAmount: amountCaptured.value }),
    ...(isCaptured && { refundedAmount: amountOf(refundedOf(payment), amount.currency).value }),
    ...(status === 'authorized' && { captureBefore: captureBeforeOf(payment) }),
    ...(status === 'declined' && { declineCode: declineOf(payment).declineCode }),
    ...nextActionOf(payment),
    ...savedOf(payment),
  };
}

/**
 * The amount that the payment still keeps; `undefined`: nothing. Not `amountRemaining`, which for some methods is 25 EUR
 * more than was paid.
 */
export function restOf(payment: Payment): Amount | undefined {
  const gone = [payment.amountRefunded, payment.amountChargedBack];
  const rest = gone.reduce((left, one) => left - (one ? minorOf(one) : 0), capturedOf(payment));
  return rest > 0 ? amountOf(rest, payment.amount.currency) : undefined;
}

const OPERATIONS: Readonly<Partial<Record<Capture['status'] | Refund['status'], 'confirmed' | 'refused'>>> = {
  succeeded: 'confirmed',
  refunded: 'confirmed',
  failed: 'refused',
  canceled: 'refused',
};

/** The answer to a capture or a refund. Both may be under way for days. */
export function operationAnswer({ id, status }: Capture | Refund): OperationAnswer {
  const outcome = OPERATIONS[status] ?? 'pending';
  if (outcome === 'refused') return { outcome, operationId: id, reason: `Mollie answered ${status}`, retryable: true };
  return { outcome, operationId: id };
}

/** A chargeback has taken the money already; Mollie reports only that, and its reversal. */
export function disputeEvent(payment: Payment, chargeback: Chargeback): ProviderEvent {
  const { id, amount, createdAt, reversedAt, reason } = chargeback;
  const status = reversedAt ? 'won' : 'open';
  const reference = referenceOf(payment);
  return {
    id: `${id}:${status}`,
    match: { transactionId: payment.id, ...(reference !== undefined && { reference }) },
    status: 'disputed',
    occurredAt: new Date(reversedAt ?? createdAt),
    dispute: {
      id,
      kind: 'chargeback',
      status,
      amount: amount.value,
      currency: amount.currency,
      ...(reason && { reasonCode: reason.code }),
      openedAt: new Date(createdAt),
    },
    data: { id, status, amount },
  };
}
