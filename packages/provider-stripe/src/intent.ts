import {
  ActionDataRefused,
  type ChargeAnswer,
  type ChargeState,
  type ListedCharge,
  type NextAction,
  type SavedMethod,
  validFacts,
} from '@payment-orchestrator/provider-kit';
import type { Stripe } from 'stripe';
import { amountText } from './amount.js';
import { declineDetails, readStripeDecline } from './decline.js';

type Intent = Stripe.PaymentIntent;
/** An event about an intent has its charge's id only. */
type SavingIntent = Partial<Pick<Intent, 'setup_future_usage' | 'customer' | 'payment_method' | 'latest_charge'>>;

/** Stripe's default: "Uncaptured PaymentIntents are cancelled a set number of days (7 by default) after their creation." */
const AUTHORIZATION_DAYS = 7;
const DAY_SECONDS = 86_400;

/**
 * The answer of a PaymentIntent that was created and confirmed at once. Throws for an impossible state, and for one whose
 * confirmation may be under way: the outcome is unknown.
 */
export function answerOf(intent: Intent): ChargeAnswer {
  const card = cardOf(
    chargeOf(intent)?.payment_method_details?.card ?? intent.last_payment_error?.payment_method?.card,
  );
  const answer = { transactionId: intent.id, metadata: metadataOf(intent), ...card, ...savedIn(intent) };
  switch (intent.status) {
    case 'succeeded':
      return { ...answer, outcome: 'approved' };
    case 'requires_capture':
      return { ...answer, outcome: 'authorized', captureBefore: captureBefore(intent) };
    case 'processing':
      return { ...answer, outcome: 'processing' };
    case 'requires_action':
      return { ...answer, outcome: 'processing', ...nextActionOf(intent) };
    case 'requires_payment_method':
      if (!intent.last_payment_error) throw new Error(`Stripe returned ${intent.id}, which was not confirmed yet`);
      return { ...answer, ...readStripeDecline(intent.last_payment_error) };
    case 'canceled':
      return { ...answer, outcome: 'declined', declineCode: 'voided' };
    default:
      throw new Error(`Stripe returned ${intent.id} with the unexpected status ${intent.status}`);
  }
}

interface StripeCard {
  brand: string | null;
  last4?: string | null;
  funding?: string | null;
  country: string | null;
  exp_month: number;
  exp_year: number;
}

/** The facts of a charge's or a payment method's card; no `card` if it is another kind. */
export const cardOf = (card: StripeCard | null | undefined): Pick<ChargeAnswer, 'card'> =>
  card
    ? {
        card: validFacts({
          scheme: card.brand,
          last4: card.last4,
          funding: card.funding,
          issuer_country: card.country,
          expiry_month: card.exp_month,
          expiry_year: card.exp_year,
        }),
      }
    : {};

/**
 * The answer after Stripe.js has acted; `undefined`: the search does not find the intent yet. Throws `ActionDataRefused`
 * for data of another intent.
 */
export function answerAfterAction(
  intent: Intent | undefined,
  { payment_intent: named }: Readonly<Record<string, unknown>>,
): ChargeAnswer {
  if (!intent) throw new Error("Stripe's search does not find the intent yet");
  if (named === undefined || named === intent.id) return answerOf(intent);
  throw new ActionDataRefused([{ field: 'payment_intent', message: 'is of another payment' }]);
}

/** The state of an intent with expanded `latest_charge.refunds`. */
export function stateOf(intent: Intent): ChargeState {
  const state = { transactionId: intent.id, ...amountsOf(intent), metadata: metadataOf(intent), ...savedIn(intent) };
  switch (intent.status) {
    case 'succeeded':
      return { ...state, status: isRefunded(intent) ? 'refunded' : 'captured' };
    case 'requires_capture':
      return { ...state, status: 'authorized', captureBefore: captureBefore(intent) };
    case 'canceled':
      return { ...state, status: 'voided' };
    case 'requires_payment_method': {
      const error = intent.last_payment_error;
      if (!error) return { ...state, status: 'open' }; // never confirmed: left by an interrupted void
      return { ...state, status: 'declined', declineCode: readStripeDecline(error).declineCode };
    }
    default:
      return { ...state, status: 'open', ...nextActionOf(intent) };
  }
}

/** The list entry of an intent with expanded `latest_charge.refunds`; its amount is what was captured, if anything was. */
export function listedCharge(intent: Intent): ListedCharge {
  const { status, transactionId, amount, capturedAmount, currency } = stateOf(intent);
  const { reference = null, payment_id: paymentId } = intent.metadata;
  return {
    reference,
    paymentId: paymentId === undefined ? null : Number(paymentId),
    transactionId,
    status,
    amount: capturedAmount ?? amount,
    currency,
    createdAt: fromSeconds(intent.created),
  };
}

/** Newest first, of an intent with expanded `latest_charge.refunds`. */
export const refundsIn = (intent: Intent): Stripe.Refund[] => chargeOf(intent)?.refunds?.data ?? [];

/**
 * The end of an authorisation: the card's, if the charge is expanded and has one, else by Stripe's default.
 * https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
 */
export function captureBefore(intent: Intent): Date {
  const charge = chargeOf(intent);
  const cardLimit = charge?.payment_method_details?.card?.capture_before;
  return fromSeconds(cardLimit ?? (charge ?? intent).created + AUTHORIZATION_DAYS * DAY_SECONDS);
}

export const fromSeconds = (seconds: number): Date => new Date(seconds * 1_000);

/** The captured and the refunded sum, if there are any. */
function amountsOf(intent: Intent): Pick<ChargeState, 'amount' | 'currency' | 'capturedAmount' | 'refundedAmount'> {
  const { amount, amount_received: received, currency } = intent;
  const refunded = refundedMinor(intent);
  return {
    amount: amountText(amount, currency),
    currency: currency.toUpperCase(),
    ...(received > 0 && { capturedAmount: amountText(received, currency) }),
    ...(refunded > 0 && { refundedAmount: amountText(refunded, currency) }),
  };
}

const isRefunded = (intent: Intent): boolean =>
  intent.amount_received > 0 && refundedMinor(intent) >= intent.amount_received;

/** Counts only successful refunds; Stripe's `amount_refunded` and `refunded` count pending ones too. */
const refundedMinor = (intent: Intent): number =>
  refundsIn(intent)
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount }) => sum + amount, 0);

function chargeOf({ latest_charge: charge }: SavingIntent): Stripe.Charge | undefined {
  return typeof charge === 'string' ? undefined : (charge ?? undefined);
}

/** The method that Stripe attaches to the Customer when the charge succeeds, if it was to. */
export function savedIn(intent: SavingIntent): { savedMethod?: SavedMethod } {
  const { setup_future_usage: usage, customer, payment_method: method } = intent;
  if (!usage || !customer || !method) return {};
  const networkTransactionId = chargeOf(intent)?.payment_method_details?.card?.network_transaction_id;
  const token = `${idOf(customer)}/${idOf(method)}`;
  return { savedMethod: { token, ...(networkTransactionId && { networkTransactionId }) } };
}

const idOf = (object: string | { id: string }): string => (typeof object === 'string' ? object : object.id);

/** Stripe's pages with what the payer has to do: the provider's, else Stripe's own. */
const PAGES = ['url', 'hosted_instructions_url', 'hosted_voucher_url', 'hosted_verification_url'];

/**
 * The payer's step by its type: the page of the type, else its details for Stripe.js, which needs the intent's client
 * secret. https://docs.stripe.com/api/payment_intents/object#payment_intent_object-next_action
 */
function nextActionOf({ client_secret, next_action: action }: Intent): { nextAction?: NextAction } {
  if (!action) return {};
  const details = (action as unknown as Record<string, Record<string, unknown> | undefined>)[action.type] ?? {};
  // other than `use_stripe_sdk`, whose contents only Stripe.js understands
  const pages = action.type === 'use_stripe_sdk' ? [] : PAGES.map((name) => details[name]);
  const url = pages.find((page) => typeof page === 'string' && /^https?:/.test(page));
  if (typeof url === 'string') return { nextAction: { type: 'redirect', url, method: 'GET' } };
  const data = { client_secret, [action.type]: details };
  return { nextAction: { type: 'provider_action', provider: 'stripe', data } };
}

function metadataOf(intent: Intent): Record<string, unknown> {
  const charge = intent.latest_charge;
  const chargeId = typeof charge === 'string' ? charge : charge?.id;
  const declined = intent.status === 'requires_payment_method' || intent.status === 'canceled';
  return {
    ...(chargeId !== undefined && { charge: chargeId }),
    ...(declined && intent.last_payment_error && declineDetails(intent.last_payment_error)),
  };
}
