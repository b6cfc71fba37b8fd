import { createHmac, timingSafeEqual } from 'node:crypto';
import { NotificationRefused, type ProviderEvent, type SignedRequest } from '@payment-orchestrator/provider-kit';
import { NO_KEY, type ParseJson } from './item.js';
import { savedMethod } from './saved-method.js';

const HEADER = 'hmacsignature';
/** Types that tell the stored payment method of a charge. Those that change or disable one tell nothing about a payment. */
const STORED: ReadonlySet<unknown> = new Set(['recurring.token.created', 'recurring.token.alreadyExisting']);
const TEXT = /^[^]{1,255}$/;

/** Types of tokens. Others, such as `ach.notificationOfChange`, have another form and tell nothing about a payment. */
const TOKEN_TYPE = /^recurring\.token\./;

/** A webhook of tokens has its signature in a header; a standard webhook has one in each item. */
export const isTokenEvent = ({ headers, rawBody }: SignedRequest): boolean =>
  headers[HEADER] !== undefined && !rawBody.includes('"notificationItems"');

/**
 * Reads the event of a "Recurring tokens life cycle events" webhook; none for another type. `eventId` is the `pspReference`
 * of the charge. Throws `invalid_signature`, `malformed_json` and `validation_failed`.
 * https://docs.adyen.com/api-explorer/Tokenization-webhooks/1/post/recurring.token.created
 */
export function readTokenEvents(
  { headers, rawBody }: SignedRequest,
  { hmac_key: key, merchant_account: account }: Record<string, unknown>,
  parseJson: ParseJson,
): ProviderEvent[] {
  verify(rawBody, headers[HEADER], key);
  const event = objectOf(parseJson(rawBody));
  const type = text(event, 'type');
  if (!TOKEN_TYPE.test(type)) return [];
  const { storedPaymentMethodId: stored, shopperReference: shopper, merchantAccount } = objectOf(event['data']);
  const eventId = text(event, 'eventId');
  const read: ProviderEvent = {
    id: `${eventId}:${type}:${String(stored)}`,
    match: { transactionId: eventId },
    status: 'ignored',
    ...(STORED.has(type) && merchantAccount === account && savedMethod(stored, shopper)),
    data: { event_code: type },
  };
  return [read];
}

/** Compares with some key in any case, so that the time of a refusal reveals nothing about shops. */
function verify(rawBody: Buffer, signature: unknown, key: unknown): void {
  const isKnown = typeof key === 'string';
  const expected = createHmac('sha256', Buffer.from(isKnown ? key : NO_KEY, 'hex'))
    .update(rawBody)
    .digest();
  const given = Buffer.from(String(signature), 'base64');
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isKnown || !isEqual) throw new NotificationRefused('invalid_signature');
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function text(event: Record<string, unknown>, field: string): string {
  const value = event[field];
  if (typeof value === 'string' && TEXT.test(value)) return value;
  const errors = [{ field, message: 'must be a string of 1 to 255 characters' }];
  throw new NotificationRefused('validation_failed', { errors });
}
