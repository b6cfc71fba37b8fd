import { createHash } from 'node:crypto';
import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import type { ChargeAnswer, ChargeRequest, NextAction } from '../payment-provider.js';
import { authorizedUntil } from './adyen-authorization.js';
import { readAdyenDecline, refusalDetails } from './adyen-decline.js';

type Answer = PaymentResponse | PaymentDetailsResponse;

/**
 * Adyen requires a return address. A request without one has no payer to redirect, so this name, which never exists
 * (RFC 2606), is not visited.
 */
const NO_RETURN_URL = 'https://no-return-url.invalid/';
const TOKEN = /^(?<shopper>[\x21-\x7e]{3,190})\/(?<stored>[A-Za-z0-9]{1,64})$/;

/** A stored payment method of Adyen and the `shopperReference` that it is stored for. */
interface StoredMethod {
  shopper: string;
  stored: string;
}

/** Parses `<shopperReference>/<storedPaymentMethodId>`: Adyen finds the second only under the first. */
export const readToken = (token: string | undefined): StoredMethod | undefined =>
  TOKEN.exec(token ?? '')?.groups as StoredMethod | undefined;

/**
 * Captures at once or only when asked, regardless of the account's settings. With a return address the payer is present and may be
 * redirected to authenticate. Without it a card that requires authentication is refused with `Authentication required`.
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
    ...(request.capture === 'manual' ? { additionalData: { manualCapture: 'true' } } : { captureDelayHours: 0 }),
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

/** The request, to which an answer is compared; `now`: the time of the answer. */
interface Sent {
  value: number;
  currency: string;
  capture: ChargeRequest['capture'];
  now: Date;
}

/** Converts an answer of `/payments` or `/payments/details`. Throws for an impossible one, such as a partial amount. */
export function answerOf(answer: Answer, sent: Sent): ChargeAnswer {
  const { resultCode, amount, pspReference, paymentMethod } = answer;
  const transaction = pspReference === undefined ? {} : { transactionId: pspReference };
  switch (resultCode as string | undefined) {
    case 'Authorised':
      if (amount && (amount.value !== sent.value || amount.currency !== sent.currency)) {
        throw new Error(`Adyen authorised a different amount than requested (${String(pspReference)})`);
      }
      if (sent.capture === 'automatic') return { ...transaction, outcome: 'approved' };
      return { ...transaction, outcome: 'authorized', captureBefore: authorizedUntil(sent.now, paymentMethod?.brand) };
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
      // after the payer's step the payment may have another pspReference, and this one would not be found again
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

/** Only redirects: other actions need Adyen's own script in the payer's browser. */
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

/** The fields of the query after a redirect. */
export const RETURN_FIELDS = ['redirectResult', 'payload'] as const;

/** The same key for the same return, so that a reload of the page changes nothing. At most 64 characters. */
export const returnKey = (reference: string, result: string): string =>
  createHash('sha256').update(`${reference}\n${result}`).digest('hex');

/** Throws unless the answer is about this payment, because a payer may bring the return of another one. */
export function requireSame(
  { merchantReference, pspReference }: Answer,
  reference: string,
  transactionId: string | null,
): void {
  if (merchantReference !== undefined ? merchantReference === reference : pspReference === transactionId) return;
  throw new Error(`Adyen's answer is not about ${reference} (${String(pspReference)})`);
}
