import type HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator.js';
import { type ConnectorContext, isObject, NotificationRefused } from '@payment-orchestrator/provider-kit';

export type ParseJson = ConnectorContext['parseJson'];

type Validated = Parameters<HmacValidator.default['validateHMAC']>[0];

/** Key for the check of a shop without a key; its signatures are refused anyway. */
export const NO_KEY = '00'.repeat(32);
/** Adyen sends one item per JSON batch, and at most six by SOAP. */
const MAX_ITEMS = 100;
const MAX_LENGTH = 255;

/** A NotificationRequestItem: the signed fields first, then the others. */
export interface Item {
  pspReference: string;
  originalReference: string;
  merchantAccountCode: string;
  merchantReference: string;
  /** `undefined`: a notice about an account, which has none. */
  amount: { value: number; currency: string } | undefined;
  eventCode: string;
  success: boolean;
  reason: string;
  /** `undefined`: absent or unreadable. */
  occurredAt: Date | undefined;
  /** The eventDate as it was sent. */
  eventDate: string;
  paymentMethod: string;
  additionalData: Record<string, unknown>;
}

/**
 * Reads the signed items of a notification. Throws `invalid_signature` unless each is signed with the key: signatures
 * are in the body, so an unreadable body has none. Throws `validation_failed` for a signed item that is none.
 */
export async function readSignedItems(rawBody: Buffer, key: unknown, parseJson: ParseJson): Promise<Item[]> {
  const items = readItems(rawBody, parseJson);
  await verify(items, key);
  return items.map(readItem);
}

/** A text of `additionalData`, which is unsigned; `undefined` if absent or too long. */
export function additionalText({ additionalData }: Item, name: string): string | undefined {
  const value = additionalData[name];
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > MAX_LENGTH ? undefined : text;
}

export function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Finds the items without interpreting them, because they hold the signatures. */
function readItems(rawBody: Buffer, parseJson: ParseJson): Record<string, unknown>[] {
  const items = property(jsonOf(rawBody, parseJson), 'notificationItems');
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS)
    throw new NotificationRefused('invalid_signature');
  return items.map((item: unknown) => {
    const found = property(item, 'NotificationRequestItem');
    const hasAmount = isObject(found) && (isObject(found['amount']) || isAbsent(found['amount']));
    if (hasAmount && isObject(found['additionalData'])) return found;
    throw new NotificationRefused('invalid_signature');
  });
}

function jsonOf(rawBody: Buffer, parseJson: ParseJson): unknown {
  try {
    return parseJson(rawBody);
  } catch (cause) {
    throw new NotificationRefused('invalid_signature', { cause });
  }
}

async function verify(items: Record<string, unknown>[], key: unknown): Promise<void> {
  const { default: sdk } = await import('@adyen/api-library/lib/src/utils/hmacValidator.js');
  const validator = new sdk.default();
  const isKnown = typeof key === 'string';
  // same work for a shop without a key, so that the time of a refusal reveals nothing about shops
  const isSigned = items.map((item) => isSignedWith(validator, item, isKnown ? key : NO_KEY));
  if (!isKnown || !isSigned.every(Boolean)) throw new NotificationRefused('invalid_signature');
}

function isSignedWith(validator: HmacValidator.default, item: Record<string, unknown>, key: string): boolean {
  try {
    // absent fields are signed as empty ones
    const amount = item['amount'] ?? { value: '', currency: '' };
    return validator.validateHMAC({ ...item, amount } as unknown as Validated, key);
  } catch {
    return false; // no signature, or nothing to sign
  }
}

/** Reads a signed item. Throws `validation_failed`. */
function readItem(item: Record<string, unknown>): Item {
  return {
    pspReference: text(item, 'pspReference', 1),
    originalReference: text(item, 'originalReference'),
    merchantAccountCode: text(item, 'merchantAccountCode', 1),
    merchantReference: text(item, 'merchantReference'),
    amount: isAbsent(item['amount']) ? undefined : amountOf(item['amount'] as Record<string, unknown>),
    eventCode: text(item, 'eventCode', 1),
    success: flag(item, 'success'),
    reason: text(item, 'reason', 0, 10_000),
    occurredAt: dateOf(text(item, 'eventDate')),
    eventDate: text(item, 'eventDate'),
    paymentMethod: text(item, 'paymentMethod'),
    additionalData: item['additionalData'] as Record<string, unknown>,
  };
}

function amountOf(amount: Record<string, unknown>): Item['amount'] {
  const { value } = amount;
  if (!Number.isSafeInteger(value)) throw invalid('amount.value', 'must be an integer');
  return { value: value as number, currency: text(amount, 'currency') };
}

/** Throws `validation_failed` for an item without an amount. */
export function requireAmount({ amount }: Item): NonNullable<Item['amount']> {
  if (amount === undefined) throw invalid('amount.value', 'must be an integer');
  return amount;
}

function flag(item: Record<string, unknown>, field: string): boolean {
  const value = String(item[field]);
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalid(field, 'must be true or false');
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const property = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** `null` and absent fields are empty. */
function text(object: Record<string, unknown>, field: string, min = 0, max = MAX_LENGTH): string {
  const value = object[field] ?? '';
  if (typeof value === 'string' && value.length >= min && value.length <= max) return value;
  throw invalid(field, `must be a string of ${min} to ${max} characters`);
}

const invalid = (field: string, message: string): NotificationRefused =>
  new NotificationRefused('validation_failed', { errors: [{ field, message }] });
