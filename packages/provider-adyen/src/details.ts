import { createHash } from 'node:crypto';
import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js';
import { ActionDataRefused, type FieldError, isObject } from '@payment-orchestrator/provider-kit';
import { isRefused } from './failure.js';

type Fields = Readonly<Record<string, unknown>>;

/** The body of `/payments/details`. */
export interface AdyenDetails {
  details: Readonly<Record<string, string>>;
  paymentData?: string;
}

/** The fields of the query after a redirect. */
const RETURN_FIELDS = ['redirectResult', 'payload'];
/** Fields of what `onAdditionalDetails` gets. */
const KNOWN = ['details', 'paymentData'];

/**
 * Reads the query of a payer who returned from a redirect, or the `data` that `onAdditionalDetails` of Drop-in got.
 * Other parameters of a query are left out. Throws `ActionDataRefused`.
 */
export function readDetails(data: Fields): AdyenDetails {
  const returned = RETURN_FIELDS.find((name) => isText(data[name]));
  if (returned !== undefined) return { details: { [returned]: data[returned] as string } };
  const { details, paymentData } = data;
  const unknown = Object.keys(data).filter((name) => !KNOWN.includes(name));
  const hasDetails = isObject(details) && Object.keys(details).length > 0;
  const wrong = hasDetails ? Object.keys(details).filter((name) => !isText(details[name])) : [];
  const errors: FieldError[] = [
    ...unknown.map((field) => ({ field, message: `is not passed on to Adyen; it takes ${KNOWN.join(', ')}` })),
    ...(hasDetails ? [] : [{ field: 'details', message: "is required: the details that Adyen's script returned" }]),
    ...wrong.map((name) => ({ field: `details.${name}`, message: 'must be a string' })),
    ...(paymentData === undefined || isText(paymentData)
      ? []
      : [{ field: 'paymentData', message: 'must be a string' }]),
  ];
  if (errors.length > 0) throw new ActionDataRefused(errors);
  return { details: details as AdyenDetails['details'], ...(isText(paymentData) && { paymentData }) };
}

/** The same key for the same details, so that a reload of the page changes nothing. At most 64 characters. */
export const detailsKey = (reference: string, { details, paymentData = '' }: AdyenDetails): string =>
  createHash('sha256')
    .update(JSON.stringify([reference, paymentData, ...Object.entries(details).sort()]))
    .digest('hex');

/** Converts a refusal of the details to `ActionDataRefused`; it says nothing about the payment. Rethrows other errors. */
export function refusedDetails(thrown: unknown): never {
  if (isRefused(thrown)) throw invalid(`were refused: ${thrown.message}`);
  throw thrown;
}

/**
 * Whether the answer names this payment; an answer with a further step may name none, and belongs to it. Without a name
 * the notification decides, because a payer may bring the details of another payment. Throws `ActionDataRefused` for an
 * answer that names another one.
 */
export function isNamed(
  { merchantReference, pspReference, action }: PaymentDetailsResponse,
  reference: string,
  transactionId: string | null,
): boolean {
  if (merchantReference !== undefined && merchantReference !== reference) throw invalid('are about another payment');
  return (
    merchantReference === reference ||
    action !== undefined ||
    (transactionId !== null && pspReference === transactionId)
  );
}

const invalid = (message: string): ActionDataRefused => new ActionDataRefused([{ field: 'details', message }]);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
