import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import type { ChargeAnswer, ChargeRequest, NextAction } from '@payment-orchestrator/provider-kit';
import { authorizedUntil } from './authorization.js';
import { readAdyenDecline, refusalDetails } from './decline.js';

type Answer = PaymentResponse | PaymentDetailsResponse;

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
      if (answer.action) return { outcome: 'processing', nextAction: nextActionOf(answer.action) };
      return { ...transaction, outcome: 'processing' };
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

/** A redirect with fields and all other actions need Adyen's script in the payer's page, which takes them unchanged. */
function nextActionOf(action: NonNullable<Answer['action']>): NextAction {
  const { type, url, method, data } = action as { type: unknown; url?: unknown; method?: unknown; data?: unknown };
  const isPost = method === 'POST';
  if (type === 'redirect' && typeof url === 'string' && !(isPost && data)) {
    return { type: 'redirect', url, method: isPost ? 'POST' : 'GET' };
  }
  return { type: 'provider_action', provider: 'adyen', data: { ...action } };
}
