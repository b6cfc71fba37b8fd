import type { FieldError } from './problem.js';

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
}

/** The facts of a payment that its fee depends on. */
export interface FeeFacts {
  amount: number;
  currency: string;
  /** `undefined`: unknown, or no card. */
  scheme: string | undefined;
}

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

/** The most specific entry: for scheme and currency, for the scheme, for the currency, for all payments. */
export function entryFor(
  fees: readonly FeeEntry[],
  { currency, scheme }: Pick<FeeFacts, 'currency' | 'scheme'>,
): FeeEntry | undefined {
  let best: FeeEntry | undefined;
  let bestRank = -1;
  for (const entry of fees) {
    if (entry.scheme !== undefined && entry.scheme !== scheme) continue;
    if (entry.currency !== undefined && entry.currency !== currency) continue;
    const rank = (entry.scheme === undefined ? 0 : 2) + (entry.currency === undefined ? 0 : 1);
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
  return fees.flatMap(({ fixed, currency, scheme }, index) => {
    if (fixed > 0 && currency === undefined) {
      return [{ field: `${field}[${index}].currency`, message: 'is required with a fixed fee' }];
    }
    const key = JSON.stringify([scheme, currency]);
    const first = firstIndexes.get(key);
    if (first === undefined) firstIndexes.set(key, index);
    if (first === undefined) return [];
    return [{ field: `${field}[${index}]`, message: `has the same scheme and currency as ${field}[${first}]` }];
  });
}
