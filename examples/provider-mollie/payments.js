import { toMinorAmount } from '@payment-orchestrator/provider-kit';

/** https://docs.mollie.com/docs/multicurrency: all have two decimal places, except ISK and JPY. */
const TWO_PLACES =
  'AED AUD BGN BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR';
const EXPONENTS = new Map([...TWO_PLACES.split(' ').map((currency) => [currency, 2]), ['ISK', 0], ['JPY', 0]]);
export const CURRENCIES = [...EXPONENTS.keys()];

/** Mollie takes decimal text with all places of the currency. Returns `{ value }`, or `{ refusal, reason }`. */
export function mollieAmount(amount, currency) {
  const exponent = EXPONENTS.get(currency);
  const converted = toMinorAmount(
    amount,
    currency,
    exponent === undefined ? undefined : { exponent, step: 1 },
    'Mollie',
  );
  if ('refusal' in converted) return converted;
  const digits = String(converted.minor).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return { value: { currency, value: exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}` } };
}

/** Counts in the smallest unit of the currency. */
const minor = ({ value }) => Number(value.replace('.', ''));
const NOTHING = { value: '0.00' };
const textOf = (count, currency) => {
  const exponent = EXPONENTS.get(currency) ?? 2;
  return (count / 10 ** exponent).toFixed(exponent);
};

/** Codes of https://docs.mollie.com/docs/handling-errors-with-mollie-components; the others are passed through. */
const DECLINE_CODES = {
  authentication_abandoned: 'authentication_failed',
  authentication_unavailable_acs: 'authentication_failed',
  card_expired: 'expired_card',
  inactive_card: 'restricted_card',
  invalid_cvv: 'invalid_cvc',
  invalid_card_number: 'invalid_number',
  invalid_card_type: 'card_not_supported',
  possible_fraud: 'fraudulent',
  refused_by_issuer: 'card_declined',
  unknown_reason: 'card_declined',
};
/** No other shop can charge these cards. */
const HARD = new Set(['card_expired', 'inactive_card', 'invalid_card_number', 'possible_fraud']);

const reasonOf = (payment) => payment.details?.failureReason ?? 'unknown_reason';
const declineCodeOf = (payment) => DECLINE_CODES[reasonOf(payment)] ?? reasonOf(payment);

export const referenceOf = (payment) => payment.metadata?.reference;

/** The payer's step, as long as the payment is open. */
function nextActionOf({ status, _links: links }) {
  if (status !== 'open' || !links.checkout) return {};
  return { nextAction: { type: 'redirect', url: links.checkout.href, method: 'GET' } };
}

/** The answer to a charge. Throws for a payment that has no known status, because its outcome is unknown. */
export function chargeAnswer(payment, capture) {
  const known = { transactionId: payment.id };
  switch (payment.status) {
    case 'open':
      return { ...known, outcome: 'processing', ...nextActionOf(payment) };
    case 'pending':
      return { ...known, outcome: 'processing' };
    case 'authorized':
      // an automatic charge is captured by Mollie, and reported then
      if (capture === 'automatic') return { ...known, outcome: 'processing' };
      return { ...known, outcome: 'authorized', captureBefore: captureBeforeOf(payment) };
    case 'paid':
      return { ...known, outcome: 'approved' };
    case 'failed': {
      const outcome = HARD.has(reasonOf(payment)) ? 'declined' : 'soft_declined';
      return { ...known, outcome, declineCode: declineCodeOf(payment) };
    }
    case 'canceled':
    case 'expired':
      return { ...known, outcome: 'soft_declined', declineCode: 'cancelled_by_payer' };
    default:
      throw new Error('Mollie answered an unknown status');
  }
}

function captureBeforeOf({ captureBefore }) {
  const date = new Date(captureBefore);
  if (Number.isNaN(date.getTime())) throw new Error('Mollie answered an authorisation without captureBefore');
  return date;
}

const STATUSES = {
  open: 'open',
  pending: 'open',
  authorized: 'authorized',
  paid: 'captured',
  failed: 'declined',
  canceled: 'voided',
  expired: 'voided',
};

/** Refunds that reached the payer: `amountRefunded` of the payment also counts those that may still fail. */
const refundedOf = (payment) =>
  (payment._embedded?.refunds ?? [])
    .filter(({ status }) => status === 'refunded')
    .reduce((sum, { amount }) => sum + minor(amount), 0);

/** The captured count: all of an automatic charge, for which Mollie sends no `amountCaptured`. */
const capturedOf = (payment) => minor(payment.amountCaptured ?? payment.amount);

export function statusOf(payment) {
  const status = STATUSES[payment.status];
  if (status === undefined) throw new Error('Mollie answered an unknown status');
  // a method with several captures stays authorised after the first, which is our only one
  const isCaptured = status === 'captured' || (status === 'authorized' && minor(payment.amountCaptured ?? NOTHING) > 0);
  if (!isCaptured) return status;
  return refundedOf(payment) >= capturedOf(payment) ? 'refunded' : 'captured';
}

export function stateOf(payment) {
  const { amount, amountCaptured } = payment;
  const status = statusOf(payment);
  const isCaptured = status === 'captured' || status === 'refunded';
  return {
    status,
    transactionId: payment.id,
    amount: amount.value,
    currency: amount.currency,
    ...(isCaptured && amountCaptured && { capturedAmount: amountCaptured.value }),
    ...(isCaptured && { refundedAmount: textOf(refundedOf(payment), amount.currency) }),
    ...(status === 'authorized' && { captureBefore: captureBeforeOf(payment) }),
    ...(status === 'declined' && { declineCode: declineCodeOf(payment) }),
    ...nextActionOf(payment),
  };
}

/**
 * The amount that the payment still keeps; `undefined`: nothing. Not `amountRemaining`, which for some methods is 25 EUR
 * more than was paid.
 */
export function restOf(payment) {
  const back = [payment.amountRefunded, payment.amountChargedBack].reduce(
    (sum, one) => sum + (one ? minor(one) : 0),
    0,
  );
  const rest = capturedOf(payment) - back;
  const { currency } = payment.amount;
  return rest > 0 ? { currency, value: textOf(rest, currency) } : undefined;
}

const OPERATIONS = { succeeded: 'confirmed', refunded: 'confirmed', failed: 'refused', canceled: 'refused' };

/** The answer to a capture or a refund. Both may be under way for days. */
export function operationAnswer({ id, status }) {
  const outcome = OPERATIONS[status] ?? 'pending';
  if (outcome === 'refused') return { outcome, operationId: id, reason: `Mollie answered ${status}`, retryable: true };
  return { outcome, operationId: id };
}

/** A chargeback has taken the money already; Mollie reports only that, and its reversal. */
export function disputeEvent(payment, { id, amount, createdAt, reversedAt, reason }) {
  const status = reversedAt ? 'won' : 'open';
  return {
    id: `${id}:${status}`,
    match: { transactionId: payment.id, reference: referenceOf(payment) },
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
