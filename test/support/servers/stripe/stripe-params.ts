import { randomBytes } from 'node:crypto';
import { type FormValue, textOf } from './form.js';
import { invalidRequest } from './stripe-objects.js';

export type Params = Record<string, FormValue>;
/** Sends an event of the account. */
export type Emit = (type: string, object: object) => void;

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
/** In seconds, as Stripe counts. */
export const now = (): number => Math.floor(Date.now() / 1_000);

const WHOLE_HUNDREDS = new Set(['isk', 'ugx']);
const WHOLE_TENS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

/** Refuses parameters that the fake does not have, as Stripe refuses those that it does not know. */
export function checkNames(params: Params, known: ReadonlySet<string>): void {
  const unknown = Object.keys(params).find((name) => !known.has(name) && name !== 'expand');
  if (unknown)
    throw invalidRequest(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
}

/** An amount in the currency's minor units; refuses what Stripe refuses. */
export function amountOf(text: FormValue | undefined, currency: string, param = 'amount'): number {
  const amount = Number(text);
  const step = WHOLE_HUNDREDS.has(currency) ? 100 : WHOLE_TENS.has(currency) ? 10 : 1;
  if (!Number.isInteger(amount))
    throw invalidRequest(`Invalid integer: ${textOf(text)}`, { code: 'parameter_invalid_integer', param });
  if (amount < 1) throw invalidRequest('Amount must be at least 1', { code: 'amount_too_small', param });
  if (amount > 99_999_999)
    throw invalidRequest('Amount must be no more than 99999999', { code: 'amount_too_large', param });
  if (amount % step > 0) throw invalidRequest(`Invalid amount in ${currency}`, { param });
  if (currency === 'xyz') throw invalidRequest('Invalid currency: xyz', { param: 'currency' });
  return amount;
}
