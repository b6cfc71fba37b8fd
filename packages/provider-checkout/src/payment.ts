// Checkout.com’s payments and actions in our terms.
import {
  type CardFacts,
  type ChargeAnswer,
  type ChargeState,
  type NextAction,
  type SavedMethod,
  validFacts,
} from '@payment-orchestrator/provider-kit';
import { fromCheckoutAmount } from './amount.js';
import { type CheckoutDecline, readCheckoutDecline } from './decline.js';

/** Our metadata of a payment. Its values are texts. */
interface PaymentMetadata {
  payment_id?: string;
  /** The payment method is to be saved. */
  save?: string;
}

interface CardSource {
  /** `src_…` */
  id?: string;
  scheme?: string;
  bin?: string;
  last4?: string;
  card_type?: string;
  issuer_country?: string;
  expiry_month?: number;
  expiry_year?: number;
}

/** A payment as an answer shows it, as far as the connector reads it. */
export interface Payment extends CheckoutDecline {
  id: string;
  status: string;
  amount?: number;
  currency?: string;
  reference?: string;
  approved?: boolean;
  expires_on?: string;
  processed_on?: string;
  scheme_id?: string;
  source?: CardSource;
  balances?: { total_captured?: number; total_refunded?: number };
  metadata?: PaymentMetadata;
  _links?: { redirect?: { href: string } };
}

/** An authorisation, capture, void or refund of a payment. */
export interface Action extends CheckoutDecline {
  id: string;
  type: string;
  amount: number;
  /** Absent while it is under way. */
  approved?: boolean;
  metadata?: { key?: string };
}

/** Without `expires_on`, as for most cards: https://www.checkout.com/docs/payments/accept-payments/authorizations */
const AUTHORIZATION_MS = 7 * 86_400_000;

function captureBeforeOf({ expires_on: end, processed_on: start }: Payment, now: Date): Date {
  const given = new Date(end ?? NaN);
  if (!Number.isNaN(given.getTime())) return given;
  const begun = new Date(start ?? NaN);
  return new Date((Number.isNaN(begun.getTime()) ? now : begun).getTime() + AUTHORIZATION_MS);
}

const nextActionOf = ({ status, _links: links }: Payment): { nextAction?: NextAction } =>
  status === 'Pending' && links?.redirect
    ? { nextAction: { type: 'redirect', url: links.redirect.href, method: 'GET' } }
    : {};

/** The saved method, if the payment was to save it, and what later charges refer to. */
function savedOf({ id, status, source, metadata, scheme_id: schemeId }: Payment): { savedMethod?: SavedMethod } {
  if (metadata?.save === undefined || !source?.id || status === 'Declined' || status === 'Pending') return {};
  return {
    savedMethod: { token: source.id, transactionId: id, ...(schemeId && { networkTransactionId: schemeId }) },
  };
}

function cardOf({ source }: Payment): { card?: CardFacts } {
  const card = validFacts({
    scheme: source?.scheme?.toLowerCase().replaceAll(' ', '_'),
    bin: source?.bin,
    last4: source?.last4,
    funding: source?.card_type?.toLowerCase().replace('deferred debit', 'debit'),
    issuer_country: source?.issuer_country,
    expiry_month: source?.expiry_month,
    expiry_year: source?.expiry_year,
  });
  return card ? { card } : {};
}

/** The answer to a charge of `minor`. Throws for an answer whose outcome is unknown, such as one about another charge. */
export function chargeAnswer(payment: Payment, minor: number, isManual: boolean, now: Date): ChargeAnswer {
  const { id: transactionId, status, amount } = payment;
  if (typeof transactionId !== 'string') throw new Error('Checkout.com answered no payment');
  const known = { transactionId, ...cardOf(payment), ...savedOf(payment) };
  if (status === 'Pending') return { ...known, outcome: 'processing', ...nextActionOf(payment) };
  // a key that was used with another amount gets the first answer
  if (amount !== minor) throw new Error('Checkout.com answered a payment of another amount');
  if (status === 'Declined') return { ...known, ...readCheckoutDecline(payment) };
  if (status !== 'Authorized' && status !== 'Captured') throw new Error('Checkout.com answered an unknown status');
  if (isManual && status === 'Authorized')
    return { ...known, outcome: 'authorized', captureBefore: captureBeforeOf(payment, now) };
  return { ...known, outcome: 'approved' };
}

const STATUSES: Readonly<Record<string, ChargeState['status']>> = {
  Pending: 'open',
  Authorized: 'authorized',
  Captured: 'captured',
  'Partially Captured': 'captured',
  'Partially Refunded': 'captured',
  Refunded: 'refunded',
  Paid: 'captured',
  Voided: 'voided',
  Canceled: 'voided',
  Expired: 'voided',
  Declined: 'declined',
};

/** `actions`: those of a declined payment, which has no code itself. */
export function stateOf(payment: Payment, now: Date, actions: readonly Action[] = []): ChargeState {
  const { id, amount = NaN, currency = '', balances } = payment;
  const status = STATUSES[payment.status];
  if (status === undefined) throw new Error('Checkout.com answered an unknown status');
  const text = (minor: number): string => fromCheckoutAmount(minor, currency);
  const isCaptured = status === 'captured' || status === 'refunded';
  const declined = actions.find(({ approved }) => approved === false);
  return {
    status,
    transactionId: id,
    amount: text(amount),
    currency,
    ...(isCaptured && balances?.total_captured !== undefined && { capturedAmount: text(balances.total_captured) }),
    ...(isCaptured && balances?.total_refunded !== undefined && { refundedAmount: text(balances.total_refunded) }),
    ...(status === 'authorized' && { captureBefore: captureBeforeOf(payment, now) }),
    ...(status === 'declined' && declined && { declineCode: readCheckoutDecline(declined).declineCode }),
    ...nextActionOf(payment),
    ...savedOf(payment),
  };
}

/** The minor units that are neither returned nor on their way back. */
export function restOf({ balances }: Payment, actions: readonly Action[]): number {
  const captured = balances?.total_captured;
  if (typeof captured !== 'number') throw new Error('Checkout.com answered a payment without its balances');
  const refunds = actions.filter(({ type, approved }) => type === 'Refund' && approved !== false);
  return refunds.reduce((left, { amount }) => left - amount, captured);
}
