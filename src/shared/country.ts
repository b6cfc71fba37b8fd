import { isISO31661Alpha2 } from 'class-validator';

/**
 * The code for Kosovo, which has none in ISO 3166-1. `XK` is in the range that ISO reserves for users. The European Union,
 * CLDR, Stripe and Adyen use it.
 */
const KOSOVO = 'XK';

/** Returns whether `value` is an ISO 3166-1 alpha-2 code in capital letters, or `XK`. */
export const isCountry = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) && (value === KOSOVO || isISO31661Alpha2(value));
