import type { Schema } from '@payment-orchestrator/client';

type Fee = Schema<'Fee'>;

/** The texts of one fee's inputs. */
export interface FeeForm {
  /** Keeps the inputs of the row when another row is removed. */
  key: string;
  percent: string;
  fixed: string;
  currency: string;
  scheme: string;
  type: string;
}

let keys = 0;
const newKey = (): string => `fee ${++keys}`;

export const newFee = (): FeeForm => ({ key: newKey(), percent: '', fixed: '', currency: '', scheme: '', type: '' });

export const feeForms = (fees: readonly Fee[]): FeeForm[] =>
  fees.map(({ percent, fixed = 0, currency = '', scheme = '', payment_method_type: type = '' }) => ({
    key: newKey(),
    percent: String(percent),
    fixed: fixed === 0 ? '' : String(fixed),
    currency,
    scheme,
    type,
  }));

/** The fees in the format of the API. A text that is no number is sent unchanged, so that the API reports it at its field. */
export const feesOf = (forms: readonly FeeForm[]): Fee[] =>
  forms.map(({ percent, fixed, currency, scheme, type }) => ({
    percent: numberOf(percent),
    ...(fixed.trim() !== '' && { fixed: numberOf(fixed) }),
    ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
    ...(scheme.trim() !== '' && { scheme: scheme.trim().toLowerCase() }),
    ...(type.trim() !== '' && { payment_method_type: type.trim() }),
  }));

function numberOf(text: string): number {
  const isNumber = /^-?\d+(\.\d*)?$/.test(text.trim());
  return isNumber ? Number(text) : (text as unknown as number);
}

/** Such as `Maestro cards in EUR`. */
export function paymentsOf({ currency, scheme, payment_method_type: type }: Fee): string {
  const payments = scheme === undefined ? (type ?? 'all payments') : `${scheme} cards`;
  const typed = scheme === undefined || type === undefined ? payments : `${payments} by ${type}`;
  return currency === undefined ? typed : `${typed} in ${currency}`;
}

/** Such as `1.4 % + 0.25 EUR`. */
export const priceOf = ({ percent, fixed = 0, currency }: Fee): string =>
  fixed === 0 ? `${percent} %` : `${percent} % + ${fixed} ${currency}`;
