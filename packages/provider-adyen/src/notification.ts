import type { ParsedNotification, ProviderEvent, SignedRequest } from '@payment-orchestrator/provider-kit';
import { fromAdyenAmount } from './amount.js';
import { authorizedUntil } from './authorization.js';
import { readAdyenDecline } from './decline.js';
import { disputeData, disputeTime, isDispute, reportedDispute } from './dispute.js';
import { type Item, type ParseJson, readSignedItems, requireAmount } from './item.js';
import { savedIn } from './saved-method.js';
import { isTokenEvent, readTokenEvents } from './token-event.js';

const MAX_REASON = 200;
/** Our references are UUIDs; other payments of the account have other references. */
const OUR_REFERENCE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ACKNOWLEDGE = { contentType: 'text/plain', body: '[accepted]' };

type Outcome = Pick<ProviderEvent, 'status' | 'declineCode' | 'captureBefore' | 'dispute' | 'savedMethod'>;

const IGNORED: Outcome = { status: 'ignored' };
const only =
  (status: ProviderEvent['status']) =>
  (item: Item): Outcome =>
    item.success ? { status } : IGNORED;
const either =
  (done: ProviderEvent['status'], failed: ProviderEvent['status']) =>
  (item: Item): Outcome => ({
    status: item.success ? done : failed,
  });

/**
 * Adyen's event codes that say something about a payment.
 * https://docs.adyen.com/development-resources/webhooks/webhook-types
 */
const EVENTS = new Map<string, (item: Item) => Outcome>(
  Object.entries({
    AUTHORISATION: authorisation,
    RECURRING_CONTRACT: ({ success, additionalData }: Item): Outcome => ({
      ...IGNORED,
      ...(success && savedIn(additionalData)),
    }),
    CAPTURE: either('completed', 'capture_failed'),
    CAPTURE_FAILED: only('capture_failed'),
    CANCELLATION: either('cancelled', 'void_failed'),
    TECHNICAL_CANCEL: either('cancelled', 'void_failed'),
    EXPIRE: only('authorization_expired'),
    MANUAL_REVIEW_REJECT: only('cancelled'),
    // not `cancelled`: an authorisation that was made after all stays
    OFFER_CLOSED: (item: Item): Outcome =>
      item.success ? { status: 'failed', declineCode: 'cancelled_by_payer' } : IGNORED,
    POSTPONED_REFUND: only('refund_pending'),
    REFUND: either('refunded', 'refund_failed'),
    REFUND_FAILED: only('refund_failed'),
    REFUNDED_REVERSED: only('refund_failed'),
    CANCEL_OR_REFUND: (item: Item): Outcome => {
      if (!item.success) return IGNORED; // we never request it
      return { status: item.additionalData['modification.action'] === 'cancel' ? 'cancelled' : 'refunded' };
    },
  }),
);

/** Events about our voids, captures and refunds, and their later failures. */
const MODIFICATIONS = new Set([
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'CAPTURE',
  'CAPTURE_FAILED',
  'POSTPONED_REFUND',
  'REFUND',
  'CANCEL_OR_REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
]);

/** Throws `invalid_signature`, and `validation_failed` for a signed item that is none. */
export async function parseAdyenNotification(
  incoming: SignedRequest,
  credentials: Record<string, unknown>,
  parseJson: ParseJson,
): Promise<ParsedNotification> {
  if (isTokenEvent(incoming))
    return { events: readTokenEvents(incoming, credentials, parseJson), acknowledge: ACKNOWLEDGE };
  const items = await readSignedItems(incoming.rawBody, credentials['hmac_key'], parseJson);
  const account = credentials['merchant_account'];
  return { events: items.map((item) => eventOf(item, account)), acknowledge: ACKNOWLEDGE };
}

/**
 * Adyen does not say whether a payment is captured by itself: the service knows, and completes an automatic payment that
 * is authorised.
 */
function authorisation({ success, reason, occurredAt, paymentMethod, additionalData }: Item): Outcome {
  if (!success) return { status: 'failed', declineCode: readAdyenDecline({ refusalReason: reason }).declineCode };
  return {
    status: 'authorized',
    ...(occurredAt && { captureBefore: authorizedUntil(occurredAt, paymentMethod) }),
    ...savedIn(additionalData),
  };
}

function eventOf(item: Item, account: unknown): ProviderEvent {
  const { pspReference, eventCode } = item;
  const occurredAt = isDispute(eventCode) ? disputeTime(item) : item.occurredAt;
  if (EVENTS.has(eventCode) || isDispute(eventCode)) requireAmount(item);
  return {
    id: idOf(item),
    match: matchOf(item),
    ...(isForeign(item, account) ? IGNORED : outcomeOf(item)),
    ...(MODIFICATIONS.has(eventCode) && { operationId: pspReference }),
    ...(item.amount && money(item.amount)),
    ...(occurredAt && { occurredAt }),
    data: { ...dataOf(item), ...disputeData(item) },
  };
}

function outcomeOf(item: Item): Outcome {
  const dispute = item.success ? reportedDispute(item) : undefined;
  if (dispute) return { status: 'disputed', dispute };
  return EVENTS.get(item.eventCode)?.(item) ?? IGNORED;
}

/** One dispute can have the same event several times, each time with other news. */
function idOf({ pspReference, eventCode, success, eventDate }: Item): string {
  const id = `${pspReference}:${eventCode}:${success}`;
  return isDispute(eventCode) ? `${id}:${eventDate}` : id;
}

/**
 * Belongs to another merchant account (a webhook may cover a whole company), or to a payment that we did not make. A
 * dispute may name only the payment's `pspReference`: the account's settings may leave out the original one.
 */
function isForeign({ eventCode, merchantAccountCode, merchantReference, originalReference }: Item, account: unknown) {
  if (merchantAccountCode !== account) return true;
  return originalReference === '' && !OUR_REFERENCE.test(merchantReference) && !isDispute(eventCode);
}

/** A modification or dispute has its own `pspReference`; the payment's is the original one, if Adyen knows it. */
function matchOf({ eventCode, pspReference, originalReference, merchantReference }: Item): ProviderEvent['match'] {
  const reference = OUR_REFERENCE.test(merchantReference) ? { reference: merchantReference } : {};
  if (originalReference !== '') return { transactionId: originalReference, ...reference };
  const isOwn = MODIFICATIONS.has(eventCode) || isDispute(eventCode);
  return isOwn && 'reference' in reference ? reference : { transactionId: pspReference, ...reference };
}

/** Omits the amount for a currency that we never send, or none: it differs from the payment's and completes nothing. */
function money({ value, currency }: NonNullable<Item['amount']>): { amount?: string; currency: string } {
  const amount = fromAdyenAmount(value, currency);
  return { ...(amount !== undefined && { amount }), currency };
}

/** Data for the merchant: nothing about the payer, although `additionalData` has much. */
function dataOf({ eventCode, success, pspReference, originalReference, reason }: Item): Record<string, unknown> {
  return {
    event_code: eventCode,
    success,
    psp_reference: pspReference,
    ...(originalReference !== '' && { original_reference: originalReference }),
    ...(!success && reason !== '' && { reason: reason.slice(0, MAX_REASON) }),
  };
}
