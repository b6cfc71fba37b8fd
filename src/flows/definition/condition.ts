import type { CaptureMode } from '../../shared/capture-mode.js';
import type { PaymentMethodFacts } from '../../shared/payment-method.js';

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
}

/** `metadata.<path>`: the keys of the path joined by dots; for an array, the index. */
type MetadataField = `metadata.${string}`;
export type FieldName = 'currency' | 'country' | 'amount' | 'customer_id' | MetadataField;

/** A test of a request, as definitions store it. All fields must match, so `{}` matches everything. */
export interface Condition {
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

/** Whether a value is in a list. */
type IsIn = (list: readonly Scalar[], value: unknown) => boolean;

const isIn: IsIn = (list, value) => list.includes(value as Scalar);

/**
 * Whether a field with this value passes; `undefined`: the field is absent. `among`: the function that searches a list.
 */
export function passes(test: FieldTest, value: unknown, among: IsIn = isIn): boolean {
  if (test.exists !== undefined && test.exists !== (value !== undefined)) return false;
  if (test.equals !== undefined && value !== test.equals) return false;
  if (test.in !== undefined && !among(test.in, value)) return false;
  if (test.not !== undefined && (Array.isArray(test.not) ? among(test.not, value) : value === test.not)) return false;
  if (test.min !== undefined && !(typeof value === 'number' && value >= test.min)) return false;
  return test.max === undefined || (typeof value === 'number' && value <= test.max);
}

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
