import type { CaptureMode } from '../facts/capture-mode.js';
import type { PaymentMethodFacts } from '../facts/payment-method.js';

/**
 * The fields of a payment that routing uses. `amount` is in the currency's major unit, with at most 15 significant
 * digits.
 */
export interface RoutingRequest {
  amount: number;
  currency: string;
  country?: string;
  customerId?: number;
  metadata?: Record<string, unknown>;
  /** Absent: the flow's default. */
  capture?: CaptureMode;
  /** Absent: none, or one whose account the merchant did not name. */
  paymentMethod?: PaymentMethodFacts;
  /** A token whose account the merchant did not name: an account that lacks such tokens should be chosen less often. */
  hasBareToken?: boolean;
}

/** A value to compare a field with. Equality is strict: `"1"` is not `1`. */
export type Scalar = string | number | boolean | null;

/** The tests of one field; all of them must pass. An absent field equals no value: it passes only `not`. */
export interface FieldTest {
  equals?: Scalar;
  in?: Scalar[];
  /** The value or the values that the field must not have. */
  not?: Scalar | Scalar[];
  exists?: boolean;
  /** Inclusive; only for `amount`. */
  min?: number;
  /** Inclusive; only for `amount`. */
  max?: number;
  /** The text begins with one of these; only for `card.bin`. */
  starts_with?: string[];
}

/** Facts about the payer's payment method, as the merchant tells them. */
type PaymentMethodField = 'payment_method.type' | 'card.scheme' | 'card.bin' | 'card.funding' | 'card.issuer_country';
/** `metadata.<path>`: the keys of the path joined by dots; for an array, the index. */
type MetadataField = `metadata.${string}`;
export type FieldName = 'currency' | 'country' | 'amount' | 'customer_id' | PaymentMethodField | MetadataField;

/** A test of a request, as definitions store it. All fields must match, so `{}` matches everything. */
export interface Condition extends Partial<Record<PaymentMethodField, FieldTest>> {
  all?: Condition[];
  any?: Condition[];
  not?: Condition;
  currency?: FieldTest;
  country?: FieldTest;
  amount?: FieldTest;
  customer_id?: FieldTest;
  [metadata: MetadataField]: FieldTest;
}

export type Predicate = (request: RoutingRequest) => boolean;

/** Compiles a condition, for use with many requests. */
export function predicateOf(condition: Condition): Predicate {
  const parts = Object.entries(condition).map(([key, part]) => partOf(key, part as unknown));
  const [first, second] = parts;
  if (!first) return () => true;
  if (!second) return first;
  return (request) => parts.every((part) => part(request));
}

/** Whether the request meets the condition. */
export const matches = (condition: Condition, request: RoutingRequest): boolean => predicateOf(condition)(request);

function partOf(key: string, part: unknown): Predicate {
  switch (key) {
    case 'all': {
      const parts = (part as Condition[]).map(predicateOf);
      return (request) => parts.every((each) => each(request));
    }
    case 'any': {
      const parts = (part as Condition[]).map(predicateOf);
      return (request) => parts.some((each) => each(request));
    }
    case 'not': {
      const inner = predicateOf(part as Condition);
      return (request) => !inner(request);
    }
    default: {
      const test = part as FieldTest;
      const value = readerOf(key as FieldName);
      return (request) => passes(test, value(request));
    }
  }
}

/** How the lists of tests are searched. */
export interface ListSearch {
  includes(list: readonly Scalar[], value: unknown): boolean;
  /** Whether the text begins with one of the list. */
  hasPrefixOf(list: readonly string[], text: string): boolean;
}

const LINEAR: ListSearch = {
  includes: (list, value) => list.includes(value as Scalar),
  hasPrefixOf: (list, text) => list.some((prefix) => text.startsWith(prefix)),
};

/** Whether a field with this value passes; `undefined`: the field is absent. */
export function passes(test: FieldTest, value: unknown, lists: ListSearch = LINEAR): boolean {
  if (test.exists !== undefined && test.exists !== (value !== undefined)) return false;
  if (test.equals !== undefined && value !== test.equals) return false;
  if (test.in !== undefined && !lists.includes(test.in, value)) return false;
  if (test.not !== undefined && isNamedBy(test.not, value, lists)) return false;
  if (test.min !== undefined && !(typeof value === 'number' && value >= test.min)) return false;
  if (test.max !== undefined && !(typeof value === 'number' && value <= test.max)) return false;
  return test.starts_with === undefined || (typeof value === 'string' && lists.hasPrefixOf(test.starts_with, value));
}

const isNamedBy = (not: Scalar | Scalar[], value: unknown, lists: ListSearch): boolean =>
  Array.isArray(not) ? lists.includes(not, value) : value === not;

function readerOf(field: FieldName): (request: RoutingRequest) => unknown {
  switch (field) {
    case 'currency':
      return ({ currency }) => currency;
    case 'country':
      return ({ country }) => country;
    case 'amount':
      return ({ amount }) => amount;
    case 'customer_id':
      return ({ customerId }) => customerId;
    case 'payment_method.type':
      return ({ paymentMethod }) => paymentMethod?.type;
    case 'card.scheme':
      return ({ paymentMethod }) => paymentMethod?.card?.scheme;
    case 'card.bin':
      return ({ paymentMethod }) => paymentMethod?.card?.bin;
    case 'card.funding':
      return ({ paymentMethod }) => paymentMethod?.card?.funding;
    case 'card.issuer_country':
      return ({ paymentMethod }) => paymentMethod?.card?.issuer_country;
    default: {
      const keys = field.split('.').slice(1);
      return ({ metadata }) => valueAt(metadata, keys);
    }
  }
}

/**
 * The value at a path; `undefined`: there is none. Only values that the caller sent count: own properties and array
 * items, never inherited properties.
 */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let inner = value;
  for (const key of keys) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    if (Array.isArray(inner) ? !isIndex(key) : !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return inner;
}

const isIndex = (key: string): boolean => /^\d+$/.test(key);

/**
 * Whether the path can be set to `to` (`undefined`: removed) without changing anything else. Each value on the path
 * must be an object, be absent, or be an array that already has the item.
 */
export function isSettable(value: unknown, [key, ...deeper]: readonly string[], to: unknown): boolean {
  if (key === undefined || value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && !(isIndex(key) && Number(key) < value.length)) return false;
  if (deeper.length > 0) return isSettable(valueAt(value, [key]), deeper, to);
  return to !== undefined || !Array.isArray(value);
}

/** Returns a copy with `to` at the path. Requires `isSettable`. */
export function withValueAt(value: unknown, [key, ...deeper]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  const changed = withValueAt(valueAt(value, [key]), deeper, to);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...(value as object | undefined), [key]: changed };
}
