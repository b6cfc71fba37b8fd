import type { FieldError, PaymentMethodInput } from '@payment-orchestrator/provider-kit';
import type { NewPayment } from './documents.js';

/** Our names of kinds of payment methods, and Mollie's. Of others the payer chooses on Mollie's page. */
const METHODS = {
  card: 'creditcard',
  ideal: 'ideal',
  bancontact: 'bancontact',
  sepa_debit: 'directdebit',
  bank_transfer: 'banktransfer',
  eps: 'eps',
  kbc: 'kbc',
  belfius: 'belfius',
  przelewy24: 'przelewy24',
  paypal: 'paypal',
} as const;
export const METHOD_TYPES: readonly string[] = Object.keys(METHODS);

/** The fields of `payment_method.data`: none of them changes the amount, the addresses or the reference. */
const FIELDS: ReadonlySet<string> = new Set([
  'method',
  'issuer',
  'cardToken',
  'applePayPaymentToken',
  'googlePayPaymentToken',
  'locale',
]);

export const methodErrors = (data: Readonly<Record<string, unknown>>): FieldError[] =>
  Object.entries(data).flatMap(([field, value]) => {
    if (!FIELDS.has(field)) return [{ field, message: `is not one of ${[...FIELDS].join(', ')}` }];
    return typeof value === 'string' ? [] : [{ field, message: 'must be a string' }];
  });

/** `cst_…/mdt_…`: a mandate that an earlier payment has created. */
const MANDATE = /^(cst_\w{1,60})\/(mdt_\w{1,60})$/;

export const mandateOf = (token: string): { customerId: string; mandateId: string } | undefined => {
  const [, customerId, mandateId] = MANDATE.exec(token) ?? [];
  return customerId === undefined || mandateId === undefined ? undefined : { customerId, mandateId };
};

/**
 * Mollie's fields of a payment method; without any the payer chooses on Mollie's page. A mandate charges without the
 * payer; any other token is one of Mollie Components.
 */
export function methodFields({ type = '', token, data }: PaymentMethodInput = {}): Partial<NewPayment> {
  const mandate = token === undefined ? undefined : mandateOf(token);
  if (mandate) return { ...mandate, sequenceType: 'recurring' };
  if (token !== undefined) return { method: 'creditcard', cardToken: token };
  return { ...(Object.hasOwn(METHODS, type) && { method: METHODS[type as keyof typeof METHODS] }), ...data };
}
