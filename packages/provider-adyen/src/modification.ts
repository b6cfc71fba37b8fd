import type {
  CaptureRequest,
  OperationAnswer,
  OperationRequest,
  RefundRequest,
} from '@payment-orchestrator/provider-kit';
import { toAdyenAmount } from './amount.js';
import type { AdyenCheckout } from './client.js';
import { type AdyenRefusal, knownRefusal } from './failure.js';

/** The shop's account, opened for one call. */
export interface AdyenSession extends AdyenCheckout {
  merchantAccount: string;
}

/**
 * Cancels by Adyen's id, else by our reference. Never `confirmed`: a notification reports the result, also if it was
 * too late.
 */
export function cancelPayment(
  { modifications, merchantAccount }: AdyenSession,
  { reference, transactionId, idempotencyKey }: OperationRequest,
): Promise<OperationAnswer> {
  const options = { idempotencyKey };
  const body = { merchantAccount, reference };
  return answerTo(() =>
    transactionId === null
      ? modifications.cancelAuthorisedPayment({ ...body, paymentReference: reference }, options)
      : modifications.cancelAuthorisedPaymentByPspReference(transactionId, body, options),
  );
}

/** Captures once; Adyen releases the rest. Needs Adyen's id, which an answer or a notification brings. */
export const capturePayment = ({ modifications, merchantAccount }: AdyenSession, request: CaptureRequest) =>
  withAmount(request, (id, amount) => {
    const { reference, idempotencyKey } = request;
    return modifications.captureAuthorisedPayment(id, { merchantAccount, amount, reference }, { idempotencyKey });
  });

/** Refunds the amount, which may be a part. Needs Adyen's id, which an answer or a notification brings. */
export const refundPayment = ({ modifications, merchantAccount }: AdyenSession, request: RefundRequest) =>
  withAmount(request, (id, amount) => {
    const { reference, idempotencyKey } = request;
    return modifications.refundCapturedPayment(id, { merchantAccount, amount, reference }, { idempotencyKey });
  });

type Received = Promise<{ pspReference?: unknown }>;

async function withAmount(
  { transactionId, amount, currency }: OperationRequest,
  call: (transactionId: string, amount: { currency: string; value: number }) => Received,
): Promise<OperationAnswer> {
  const minor = toAdyenAmount(amount, currency);
  if ('refusal' in minor) return { outcome: 'refused', code: minor.refusal, reason: minor.reason, retryable: false };
  if (transactionId === null) return NOT_KNOWN_YET;
  return answerTo(() => call(transactionId, { currency, value: minor.minor }));
}

const NOT_KNOWN_YET: OperationAnswer = {
  outcome: 'refused',
  code: 'transaction_not_found',
  reason: 'Adyen knows a payment by its own reference, which is unknown here until a notification arrives',
  retryable: true,
};

async function answerTo(call: () => Received): Promise<OperationAnswer> {
  try {
    return pendingUnder((await call()).pspReference);
  } catch (thrown) {
    return refusedOperation(knownRefusal(thrown));
  }
}

const refusedOperation = ({ kind, reason }: AdyenRefusal): OperationAnswer => ({
  outcome: 'refused',
  reason,
  code: kind === 'unavailable' ? 'provider_error' : 'request_refused',
  retryable: kind === 'unavailable',
  ...(kind === 'unavailable' && { isUnavailable: true }),
});

function pendingUnder(pspReference: unknown): OperationAnswer {
  if (typeof pspReference !== 'string' || pspReference === '')
    throw new Error('Adyen accepted a call without a reference');
  return { outcome: 'pending', operationId: pspReference };
}
