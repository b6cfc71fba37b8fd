import { isISO31661Alpha2 } from 'class-validator';

/**
 * Kosovo has no code of ISO 3166-1. `XK`, one of the codes that ISO leaves to its users, is what the European Union, CLDR,
 * Stripe and Adyen call it.
 */
const KOSOVO = 'XK';

/** Whether `value` is an ISO 3166-1 alpha-2 code in capitals, or `XK`. */
export const isCountry = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) && (value === KOSOVO || isISO31661Alpha2(value));
