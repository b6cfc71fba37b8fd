// PayPal's orders and their payments in our terms.
import type {
  ChargeAnswer,
  ChargeRequest,
  ChargeState,
  NextAction,
  OperationAnswer,
  SavedMethod,
} from '@payment-orchestrator/provider-kit';
import { minorOf, moneyOf } from './amount.js';
import { isMoney, linkOf } from './client.js';
import { codeOf } from './decline.js';
import type { Authorization, Capture, Order, Refund } from './documents.js';

const CAPTURED: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);

export const referenceOf = ({ purchase_units: [unit] }: Order): string | undefined => unit.custom_id;
export const authorizationOf = ({ purchase_units: [unit] }: Order): Authorization | undefined =>
  unit.payments?.authorizations?.[0];
export const refundsOf = ({ purchase_units: [unit] }: Order): readonly Refund[] => unit.payments?.refunds ?? [];

/** The capture that counts: one that was made, otherwise the last one tried. */
export function captureOf({ purchase_units: [unit] }: Order): Capture | undefined {
  const captures = unit.payments?.captures ?? [];
  return captures.find(({ status }) => CAPTURED.has(status)) ?? captures.at(-1);
}

function nextActionOf(order: Order): { nextAction?: NextAction } {
  const url = linkOf(order, ['payer-action', 'approve']);
  return url === undefined ? {} : { nextAction: { type: 'redirect', url, method: 'GET' } };
}

/** The wallet that the order has saved, if it was to. */
function savedOf({ id: transactionId, payment_source: source }: Order): { savedMethod?: SavedMethod } {
  const vault = source?.paypal?.attributes?.vault;
  return vault?.id && vault.status === 'VAULTED' ? { savedMethod: { token: vault.id, transactionId } } : {};
}

const CAPTURE_STATUSES: Readonly<Record<string, ChargeState['status']>> = {
  COMPLETED: 'captured',
  PARTIALLY_REFUNDED: 'captured',
  REFUNDED: 'captured',
  PENDING: 'open',
  DECLINED: 'declined',
  FAILED: 'declined',
};
const AUTHORIZATION_STATUSES: Readonly<Record<string, ChargeState['status']>> = {
  CREATED: 'authorized',
  CAPTURED: 'captured',
  PARTIALLY_CAPTURED: 'captured',
  DENIED: 'declined',
  EXPIRED: 'voided',
  PENDING: 'open',
  VOIDED: 'voided',
};
const ORDER_STATUSES: Readonly<Record<string, ChargeState['status']>> = {
  CREATED: 'open',
  SAVED: 'open',
  PAYER_ACTION_REQUIRED: 'open',
  APPROVED: 'open',
  VOIDED: 'voided',
};

/** A capture that failed leaves its authorisation. Throws for an unknown status, because the outcome is unknown. */
function statusOf(order: Order): ChargeState['status'] {
  const [authorization, capture] = [authorizationOf(order), captureOf(order)];
  const made = capture && CAPTURE_STATUSES[capture.status];
  if (capture && (made === undefined || !isMoney(capture.amount)))
    throw new Error('PayPal answered an unknown capture');
  if (made && (made === 'captured' || !authorization)) return made;
  const status = authorization ? AUTHORIZATION_STATUSES[authorization.status] : ORDER_STATUSES[order.status];
  if (status === undefined || (status === 'captured' && !capture)) throw new Error('PayPal answered an unknown status');
  return status;
}

/** Refunds that are done: the rest of PayPal's sums counts those that may still fail. */
const refundedOf = (order: Order): number =>
  refundsOf(order)
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((sum, { amount }) => sum + minorOf(amount), 0);

export function stateOf(order: Order): ChargeState {
  const { amount } = order.purchase_units[0];
  const [status, capture, refunded] = [statusOf(order), captureOf(order), refundedOf(order)];
  return {
    status: status === 'captured' && capture && refunded >= minorOf(capture.amount) ? 'refunded' : status,
    transactionId: order.id,
    amount: amount.value,
    currency: amount.currency_code,
    ...(status === 'captured' && { capturedAmount: capture!.amount.value }),
    ...(status === 'captured' && { refundedAmount: moneyOf(refunded, amount.currency_code).value }),
    ...(status === 'authorized' && { captureBefore: captureBeforeOf(order) }),
    ...(status === 'declined' && { declineCode: reasonOf(captureOf(order)) }),
    ...(status === 'open' && (order.status === 'APPROVED' ? { isApproved: true } : nextActionOf(order))),
    ...savedOf(order),
  };
}

function captureBeforeOf(order: Order): Date {
  const date = new Date(authorizationOf(order)?.expiration_time ?? NaN);
  if (Number.isNaN(date.getTime())) throw new Error('PayPal answered an authorisation without its end');
  return date;
}

export const reasonOf = (payment: Pick<Capture, 'status_details'> | undefined): string =>
  codeOf(payment?.status_details?.reason ?? 'payment_attempt_failed');

/** The answer to a charge; a pending capture is decided by PayPal within some days. */
export function chargeAnswer(order: Order, capture: ChargeRequest['capture']): ChargeAnswer {
  const { status, nextAction, savedMethod, captureBefore, declineCode } = stateOf(order);
  const known = { transactionId: order.id, ...(savedMethod && { savedMethod }) };
  if (status === 'captured' || status === 'refunded') return { ...known, outcome: 'approved' };
  if (status === 'authorized' && capture === 'manual')
    return { ...known, outcome: 'authorized', captureBefore: captureBefore! };
  if (status === 'voided') return { ...known, outcome: 'declined', declineCode: 'cancelled_by_payer' };
  if (status === 'declined') return { ...known, outcome: 'soft_declined', declineCode: declineCode! };
  return { ...known, outcome: 'processing', ...(nextAction && { nextAction }) };
}

/** The answer to a capture or a refund. */
export function operationAnswer({ id, status }: Pick<Capture, 'id'> & { status: string }): OperationAnswer {
  if (CAPTURED.has(status)) return { outcome: 'confirmed', operationId: id };
  if (status === 'PENDING') return { outcome: 'pending', operationId: id };
  if (!['DECLINED', 'FAILED', 'CANCELLED'].includes(status)) throw new Error('PayPal answered an unknown status');
  return { outcome: 'refused', operationId: id, reason: `PayPal answered ${status}`, retryable: true };
}
