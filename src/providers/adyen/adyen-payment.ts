import { createHash } from 'node:crypto';
import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import type { ChargeAnswer, ChargeRequest, NextAction } from '../payment-provider.js';
import { readAdyenDecline, refusalDetails } from './adyen-decline.js';

type Answer = PaymentResponse | PaymentDetailsResponse;

/**
 * Adyen requires a place to return to. A request without one has no payer to be sent anywhere: nobody is redirected then, and
 * this name, which never exists (RFC 2606), is not visited.
 */
const NO_RETURN_URL = 'https://no-return-url.invalid/';
const TOKEN = /^(?<shopper>[\x21-\x7e]{3,190})\/(?<stored>[A-Za-z0-9]{1,64})$/;

/** A stored payment method of Adyen and the `shopperReference` that it is stored for. */
interface StoredMethod {
  shopper: string;
  stored: string;
}

/** Of `<shopperReference>/<storedPaymentMethodId>`: Adyen finds the second under the first alone. */
export const readToken = (token: string | undefined): StoredMethod | undefined =>
  TOKEN.exec(token ?? '')?.groups as StoredMethod | undefined;

/**
 * Charged at once, whatever the account's capture delay. With a place to return to the payer is there and may be asked to
 * authenticate by redirect, without it nobody can be asked: a card that insists on it is refused with `Authentication required`.
 */
export function paymentRequest(
  request: ChargeRequest,
  { shopper, stored }: StoredMethod,
  value: number,
  merchantAccount: string,
): PaymentRequest {
  const { reference, currency, country, customer, returnUrl } = request;
  const isPayerThere = returnUrl !== undefined;
  const fields = {
    amount: { currency, value },
    merchantAccount,
    reference,
    returnUrl: returnUrl ?? NO_RETURN_URL,
    captureDelayHours: 0,
    paymentMethod: { type: 'scheme', storedPaymentMethodId: stored },
    shopperReference: shopper,
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: isPayerThere ? 'CardOnFile' : 'UnscheduledCardOnFile',
    authenticationData: isPayerThere
      ? { threeDSRequestData: { nativeThreeDS: 'disabled' } }
      : { attemptAuthentication: 'never' },
    ...(isPayerThere && { channel: 'Web', redirectToIssuerMethod: 'GET', redirectFromIssuerMethod: 'GET' }),
    ...(country !== null && { countryCode: country }),
    ...(customer?.email && { shopperEmail: customer.email }),
    ...(customer?.firstName &&
      customer.lastName && { shopperName: { firstName: customer.firstName, lastName: customer.lastName } }),
  };
  return fields as PaymentRequest; // its enums are TypeScript's, whose values these are
}

/** What `/payments` or `/payments/details` says. Throws for what cannot come of such a payment, as of a part of the amount. */
export function answerOf(answer: Answer, sent: { value: number; currency: string }): ChargeAnswer {
  const { resultCode, amount, pspReference } = answer;
  const transaction = pspReference === undefined ? {} : { transactionId: pspReference };
  switch (resultCode as string | undefined) {
    case 'Authorised':
      if (amount && (amount.value !== sent.value || amount.currency !== sent.currency)) {
        throw new Error(`Adyen authorised another amount than was asked for (${String(pspReference)})`);
      }
      return { ...transaction, outcome: 'approved' };
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return { ...transaction, ...declined(answer, String(resultCode)) };
    case 'RedirectShopper':
    case 'ChallengeShopper':
    case 'IdentifyShopper':
    case 'PresentToShopper':
    case 'Pending':
    case 'Received':
      // once the payer has acted the payment may have another pspReference: this one would not be found again
      return { ...(answer.action ? {} : transaction), outcome: 'processing', ...waitingFor(answer.action) };
    default:
      throw new Error(`Adyen answered with the result ${String(resultCode)} (${String(pspReference)})`);
  }
}

function declined(answer: Answer, resultCode: string) {
  const isCancelled = resultCode === 'Cancelled' && !answer.refusalReasonCode && !answer.refusalReason;
  const refusal = isCancelled ? { refusalReason: 'Cancelled' } : answer;
  const metadata = { result_code: resultCode, ...refusalDetails(answer) };
  return { ...readAdyenDecline(refusal, resultCode === 'Error'), metadata };
}

/** Redirects alone: what else Adyen may want done takes its own script in the payer's browser. */
function waitingFor(action: Answer['action']): { nextAction?: NextAction; metadata?: Record<string, unknown> } {
  if (!action) return {};
  if (String(action.type) !== 'redirect' || !('url' in action) || !action.url)
    return { metadata: { action: action.type } };
  const isPost = 'method' in action && action.method === 'POST';
  const data = isPost && 'data' in action ? action.data : undefined;
  return {
    nextAction: { type: 'redirect', url: action.url, method: isPost ? 'POST' : 'GET' },
    ...(data && { metadata: { redirect_data: data } }),
  };
}

/** The fields of the query that the payer comes back with from a redirect. */
export const RETURN_FIELDS = ['redirectResult', 'payload'] as const;

/** The same for the same return, so that a payer who reloads the page changes nothing. At most 64 characters. */
export const returnKey = (reference: string, result: string): string =>
  createHash('sha256').update(`${reference}\n${result}`).digest('hex');

/** A payer may bring the return of another payment. Throws unless the answer says that it is this one's. */
export function requireSame(
  { merchantReference, pspReference }: Answer,
  reference: string,
  transactionId: string | null,
): void {
  if (merchantReference !== undefined ? merchantReference === reference : pspReference === transactionId) return;
  throw new Error(`what Adyen answered is not about ${reference} (${String(pspReference)})`);
}
