import type HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator.js';
import { parseSignedJson } from '../../platform/http/body/json-body.js';
import { Problem } from '../../shared/problem.js';
import type { IncomingNotification, ParsedNotification, ProviderEvent } from '../payment-provider.js';
import { fromAdyenAmount } from './adyen-amount.js';
import { readAdyenDecline } from './adyen-decline.js';

type Validated = Parameters<HmacValidator.default['validateHMAC']>[0];

/** Key for the check of a shop without a key; its signatures are refused anyway. */
const NO_KEY = '00'.repeat(32);
/** Adyen sends one item per JSON batch, and at most six by SOAP. */
const MAX_ITEMS = 100;
const MAX_LENGTH = 255;
const MAX_REASON = 200;
/** Our references are UUIDs; other payments of the account have other references. */
const OUR_REFERENCE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ACKNOWLEDGE = { contentType: 'text/plain', body: '[accepted]' };

/** A NotificationRequestItem: the signed fields first, then the others. */
interface Item {
  pspReference: string;
  originalReference: string;
  merchantAccountCode: string;
  merchantReference: string;
  amount: { value: number; currency: string };
  eventCode: string;
  success: boolean;
  reason: string;
  eventDate: string;
  additionalData: Record<string, unknown>;
}

type Outcome = Pick<ProviderEvent, 'status' | 'declineCode'>;

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

/** https://docs.adyen.com/development-resources/webhooks/webhook-types */
const EVENTS = new Map<string, (item: Item) => Outcome>(
  Object.entries({
    AUTHORISATION: (item: Item): Outcome =>
      item.success
        ? { status: 'completed' }
        : { status: 'failed', declineCode: readAdyenDecline({ refusalReason: item.reason }).declineCode },
    CANCELLATION: either('cancelled', 'void_failed'),
    TECHNICAL_CANCEL: either('cancelled', 'void_failed'),
    REFUND: either('refunded', 'refund_failed'),
    CANCEL_OR_REFUND: (item: Item): Outcome => {
      if (!item.success) return IGNORED; // we never request it
      return { status: item.additionalData['modification.action'] === 'cancel' ? 'cancelled' : 'refunded' };
    },
    REFUND_FAILED: only('refund_failed'),
    REFUNDED_REVERSED: only('refund_failed'),
    CAPTURE_FAILED: only('capture_failed'),
  }),
);

/** Events about our voids and refunds, and their later failures. */
const MODIFICATIONS = new Set([
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'REFUND',
  'CANCEL_OR_REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
]);

/**
 * Throws `invalid_signature` unless each item is signed: signatures are in the body, so an unreadable body has none.
 */
export async function parseAdyenNotification(
  { rawBody }: IncomingNotification,
  credentials: Record<string, unknown>,
): Promise<ParsedNotification> {
  const items = readItems(rawBody);
  await verify(items, credentials['hmac_key']);
  const account = credentials['merchant_account'];
  return { events: items.map((item) => eventOf(readItem(item), account)), acknowledge: ACKNOWLEDGE };
}

/** Finds the items without interpreting them, because they hold the signatures. */
function readItems(rawBody: Buffer): Record<string, unknown>[] {
  const items = property(jsonOf(rawBody), 'notificationItems');
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS) throw new Problem('invalid_signature');
  return items.map((item: unknown) => {
    const found = property(item, 'NotificationRequestItem');
    if (isObject(found) && isObject(found['additionalData']) && isObject(found['amount'])) return found;
    throw new Problem('invalid_signature');
  });
}

function jsonOf(rawBody: Buffer): unknown {
  try {
    return parseSignedJson(rawBody);
  } catch (cause) {
    throw new Problem('invalid_signature', { cause });
  }
}

async function verify(items: Record<string, unknown>[], key: unknown): Promise<void> {
  const { default: sdk } = await import('@adyen/api-library/lib/src/utils/hmacValidator.js');
  const validator = new sdk.default();
  const isKnown = typeof key === 'string';
  // same work for a shop without a key, so that the time of a refusal reveals nothing about shops
  const isSigned = items.map((item) => isSignedWith(validator, item, isKnown ? key : NO_KEY));
  if (!isKnown || !isSigned.every(Boolean)) throw new Problem('invalid_signature');
}

function isSignedWith(validator: HmacValidator.default, item: Record<string, unknown>, key: string): boolean {
  try {
    return validator.validateHMAC(item as unknown as Validated, key);
  } catch {
    return false; // no signature, or nothing to sign
  }
}

/** Reads a signed item. Throws `validation_failed`. */
function readItem(item: Record<string, unknown>): Item {
  const amount = item['amount'] as Record<string, unknown>;
  const { value } = amount;
  if (!Number.isSafeInteger(value)) throw invalid('amount.value', 'must be an integer');
  return {
    pspReference: text(item, 'pspReference', 1),
    originalReference: text(item, 'originalReference'),
    merchantAccountCode: text(item, 'merchantAccountCode', 1),
    merchantReference: text(item, 'merchantReference'),
    amount: { value: value as number, currency: text(amount, 'currency') },
    eventCode: text(item, 'eventCode', 1),
    success: String(item['success']) === 'true',
    reason: text(item, 'reason', 0, 10_000),
    eventDate: text(item, 'eventDate'),
    additionalData: item['additionalData'] as Record<string, unknown>,
  };
}

function eventOf(item: Item, account: unknown): ProviderEvent {
  const { pspReference, eventCode, success, eventDate, amount } = item;
  const outcome = isForeign(item, account) ? IGNORED : (EVENTS.get(eventCode)?.(item) ?? IGNORED);
  const occurredAt = new Date(eventDate);
  return {
    id: `${pspReference}:${eventCode}:${success}`,
    match: matchOf(item),
    ...outcome,
    ...(MODIFICATIONS.has(eventCode) && { operationId: pspReference }),
    ...money(amount),
    ...(!Number.isNaN(occurredAt.getTime()) && { occurredAt }),
    data: dataOf(item),
  };
}

/** Belongs to another merchant account (a webhook may cover a whole company), or to a payment that we did not make. */
function isForeign({ merchantAccountCode, merchantReference, originalReference }: Item, account: unknown): boolean {
  return merchantAccountCode !== account || (originalReference === '' && !OUR_REFERENCE.test(merchantReference));
}

/** A modification has its own `pspReference`; the payment's is the original one, if Adyen found the payment. */
function matchOf({ eventCode, pspReference, originalReference, merchantReference }: Item): ProviderEvent['match'] {
  const reference = OUR_REFERENCE.test(merchantReference) ? { reference: merchantReference } : {};
  if (originalReference !== '') return { transactionId: originalReference, ...reference };
  return MODIFICATIONS.has(eventCode) && 'reference' in reference
    ? reference
    : { transactionId: pspReference, ...reference };
}

/** Omits the amount for a currency that we never send, or none: it differs from the payment's and completes nothing. */
function money({ value, currency }: Item['amount']): { amount?: string; currency: string } {
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const property = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** `null` and absent fields are empty. */
function text(object: Record<string, unknown>, field: string, min = 0, max = MAX_LENGTH): string {
  const value = object[field] ?? '';
  if (typeof value === 'string' && value.length >= min && value.length <= max) return value;
  throw invalid(field, `must be a string of ${min} to ${max} characters`);
}

const invalid = (field: string, message: string): Problem =>
  new Problem('validation_failed', { errors: [{ field, message }] });
