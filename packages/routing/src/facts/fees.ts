import { amountBoundError, currencyError, percentError } from './money.js';
import type { FieldError } from '../field-error.js';
import { METHOD_TYPE, type PaymentMethodFacts } from './payment-method.js';

/** The fee that a shop's provider charges for some payments. */
export interface FeeEntry {
  /** The share of the amount, 0 to 100, at most four decimals. */
  percent: number;
  /** In major units of `currency`, at most four decimals; above 0 only with a currency. */
  fixed: number;
  /** Absent: any currency. */
  currency?: string;
  /** Absent: any card, and payments without a card. */
  scheme?: string;
  /** A value of `payment_method.type`; absent: any, and payments without a type. */
  payment_method_type?: string;
}

/** A fee as a request gives it. */
export type GivenFee = Omit<FeeEntry, 'fixed'> & { fixed?: number | undefined };

export const MAX_FEES = 50;

/** The names of card schemes, as payments have them. */
export const SCHEME = /^[a-z0-9_-]{1,32}$/;

/** The facts of a payment that its fee depends on. */
export interface FeeFacts {
  amount: number;
  currency: string;
  /** `undefined`: unknown, or no card. */
  scheme: string | undefined;
  /** `payment_method.type`; `undefined`: unknown. */
  type: string | undefined;
}

/** The facts of a payment, from its request. */
export const feeFactsOf = ({
  amount,
  currency,
  paymentMethod,
}: {
  amount: number;
  currency: string;
  paymentMethod?: PaymentMethodFacts | undefined;
}): FeeFacts => ({ amount, currency, scheme: paymentMethod?.card?.scheme, type: paymentMethod?.type });

/** Fees are exact multiples of this part of the major unit: an amount has three decimals, a percent four. */
export const FEE_UNITS = 1e9;

/**
 * The fee in major units, not rounded to the currency's digits; `undefined`: no entry is for such payments. Fees below
 * nine million are exact. So equal fees are equal numbers, and `2.9 % + 0.30` costs as much as `3.2 %` of 100.
 */
export function feeOf(
  fees: readonly FeeEntry[] | null | undefined,
  { amount, ...facts }: FeeFacts,
): number | undefined {
  const entry = fees ? entryFor(fees, facts) : undefined;
  if (entry === undefined) return undefined;
  return (Math.round(amount * 1e3) * Math.round(entry.percent * 1e4) + Math.round(entry.fixed * 1e4) * 1e5) / FEE_UNITS;
}

/**
 * The most specific entry. An entry for a scheme is more specific than one for a type of payment method, and this than one for a
 * currency.
 */
export function entryFor(
  fees: readonly FeeEntry[],
  { currency, scheme, type }: Omit<FeeFacts, 'amount'>,
): FeeEntry | undefined {
  let best: FeeEntry | undefined;
  let bestRank = -1;
  for (const entry of fees) {
    if (entry.scheme !== undefined && entry.scheme !== scheme) continue;
    if (entry.currency !== undefined && entry.currency !== currency) continue;
    if (entry.payment_method_type !== undefined && entry.payment_method_type !== type) continue;
    const rank =
      (entry.scheme === undefined ? 0 : 4) +
      (entry.payment_method_type === undefined ? 0 : 2) +
      (entry.currency === undefined ? 0 : 1);
    if (rank > bestRank) [best, bestRank] = [entry, rank];
  }
  return best;
}

/** The exact fee of payments together, in billionths of the major unit; `amount`: their sum in thousandths of it. */
export const totalFee = (
  { percent, fixed }: FeeEntry,
  { payments, amount }: { payments: number; amount: bigint },
): bigint => amount * BigInt(Math.round(percent * 1e4)) + BigInt(payments * Math.round(fixed * 1e4)) * 100_000n;

/** The errors of a list whose entries are valid: two entries for the same payments, and fixed fees without a currency. */
export function feeErrors(fees: readonly FeeEntry[], field: string): FieldError[] {
  const firstIndexes = new Map<string, number>();
  return fees.flatMap(({ fixed, currency, scheme, payment_method_type: type }, index) => {
    if (fixed > 0 && currency === undefined) {
      return [{ field: `${field}[${index}].currency`, message: 'is required with a fixed fee' }];
    }
    const key = JSON.stringify([scheme, type, currency]);
    const first = firstIndexes.get(key);
    if (first === undefined) firstIndexes.set(key, index);
    if (first === undefined) return [];
    return [{ field: `${field}[${index}]`, message: `is for the same payments as ${field}[${first}]` }];
  });
}

/** The errors of a list that no DTO has checked; without errors it is a list of `GivenFee`. */
export function feeListErrors(value: unknown, field: string): FieldError[] {
  if (!Array.isArray(value) || value.length > MAX_FEES) {
    return [{ field, message: `must be a list of at most ${MAX_FEES} fees` }];
  }
  const errors = value.flatMap((fee: unknown, index) => entryErrors(fee, `${field}[${index}]`));
  return errors.length > 0 ? errors : feeErrors((value as GivenFee[]).map(withFixed), field);
}

const orNumber = (value: unknown, errorOf: (value: number) => string | undefined): string | undefined =>
  typeof value === 'number' ? errorOf(value) : 'must be a number';

const ENTRY_RULES: Readonly<Record<keyof FeeEntry, (value: unknown) => string | undefined>> = {
  percent: (value) => orNumber(value, percentError),
  fixed: (value) => (value === undefined ? undefined : orNumber(value, amountBoundError)),
  currency: (value) => (value === undefined ? undefined : currencyError(value)),
  scheme: (value) =>
    value === undefined || (typeof value === 'string' && SCHEME.test(value))
      ? undefined
      : `must match ${SCHEME.source}`,
  payment_method_type: (value) =>
    value === undefined || (typeof value === 'string' && METHOD_TYPE.test(value))
      ? undefined
      : 'must be text of 1 to 32 characters',
};

function entryErrors(fee: unknown, field: string): FieldError[] {
  if (typeof fee !== 'object' || fee === null) return [{ field, message: 'must be an object' }];
  const unknown = Object.keys(fee).filter((name) => !Object.hasOwn(ENTRY_RULES, name));
  const known = Object.entries(ENTRY_RULES).flatMap(([name, errorOf]) => {
    const message = errorOf((fee as Record<string, unknown>)[name]);
    return message === undefined ? [] : [{ field: `${field}.${name}`, message }];
  });
  return [...unknown.map((name) => ({ field: `${field}.${name}`, message: 'is not a known field' })), ...known];
}

/** The fee as it is stored: without absent fields. */
export const withFixed = ({ percent, fixed = 0, currency, scheme, payment_method_type: type }: GivenFee): FeeEntry => ({
  percent,
  fixed,
  ...(currency !== undefined && { currency }),
  ...(scheme !== undefined && { scheme }),
  ...(type !== undefined && { payment_method_type: type }),
});
