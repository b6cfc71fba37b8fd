import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { ProviderHttp } from '../http/provider-http.service.js';
import type { FieldError } from '../../shared/problem.js';
import type {
  ChargeAnswer,
  ChargeRequest,
  CredentialsAnswer,
  IncomingNotification,
  OperationAnswer,
  OperationReference,
  OperationRequest,
  ParsedNotification,
  PaymentProvider,
  ProviderCapabilities,
  RefundRequest,
} from '../payment-provider.js';
import { UNKNOWN_TOKEN } from '../decline-code.js';
import { toAdyenAmount } from './adyen-amount.js';
import { adyenCheckout, type AdyenCheckout } from './adyen-client.js';
import {
  ADYEN_CREDENTIAL_FIELDS,
  adyenCredentialErrors,
  type AdyenCredentials,
  readAdyenCredentials,
} from './adyen-credentials.js';
import { ADYEN_CARD_ERRORS, UNKNOWN_TOKEN_ERRORS } from './adyen-decline.js';
import { type AdyenRefusal, credentialsRefusal, readRefusal } from './adyen-failure.js';
import { parseAdyenNotification } from './adyen-notification.js';
import { answerOf, paymentRequest, readToken, requireSame, RETURN_FIELDS, returnKey } from './adyen-payment.js';

/** Adyen keeps keys for at least seven days; one hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = (7 * 24 - 1) * 3_600_000;

interface Session extends AdyenCheckout {
  credentials: AdyenCredentials;
}

/**
 * Adyen's Checkout API with immediate capture. It has no look-up of payments: after a lost answer the call is repeated,
 * or a notification brings the outcome. Voids and refunds are requests whose outcome a notification reports. Mapping of
 * its codes: docs/integrate/providers.md.
 */
@Injectable()
export class AdyenProvider implements PaymentProvider {
  readonly name = 'adyen';
  readonly accountsAreShared = true;
  readonly credentialFields = ADYEN_CREDENTIAL_FIELDS;
  private readonly base: URL | undefined;

  constructor(
    @InjectConfig() config: Pick<Config, 'adyenApiBase'>,
    private readonly http: ProviderHttp,
  ) {
    this.base = config.adyenApiBase === undefined ? undefined : new URL(config.adyenApiBase);
  }

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'none',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: false,
      partialCapture: false,
      partialRefund: false,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return adyenCredentialErrors(credentials);
  }

  /** Asks for the account's payment methods: changes nothing, and needs the same role and account as a charge. */
  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      const session = await this.open({ credentials }, signal);
      await session.payments.paymentMethods({ merchantAccount: session.credentials.merchantAccount });
      return { outcome: 'accepted' };
    } catch (thrown) {
      return credentialsRefusal(thrown);
    }
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const { currency, idempotencyKey } = request;
    const amount = toAdyenAmount(request.amount, currency);
    if ('refusal' in amount) return notCharged(amount.refusal, amount.reason);
    const method = readToken(request.paymentMethodToken);
    if (!method) return NO_TOKEN_OF_ADYEN;
    const { payments, credentials } = await this.open(request, signal);
    const body = paymentRequest(request, method, amount.minor, credentials.merchantAccount);
    try {
      const answer = await payments.payments(body, { idempotencyKey });
      return answerOf(answer, { value: amount.minor, currency });
    } catch (thrown) {
      return refusedCharge(known(thrown));
    }
  }

  /** Rejects if the call is refused, because that says nothing about the payment, which waits for its notification. */
  async completeRedirect(
    request: OperationReference & { amount: string; currency: string },
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    const { reference, currency, transactionId } = request;
    const amount = toAdyenAmount(request.amount, currency);
    const field = RETURN_FIELDS.find((name) => query[name]);
    if ('refusal' in amount || field === undefined)
      throw new Error(`the payer's return from Adyen for ${reference} is incomplete`);
    const result = query[field]!;
    const { payments } = await this.open(request, signal);
    const idempotencyKey = returnKey(reference, result);
    const answer = await payments.paymentsDetails({ details: { [field]: result } }, { idempotencyKey });
    requireSame(answer, reference, transactionId);
    return answerOf(answer, { value: amount.minor, currency });
  }

  /**
   * Voids by Adyen's id, else by our reference. Never `confirmed`: a notification reports the result, also if it was
   * too late.
   */
  async void(request: OperationRequest, signal: AbortSignal): Promise<OperationAnswer> {
    const { reference, transactionId, idempotencyKey } = request;
    if (transactionId === null && 'refusal' in toAdyenAmount(request.amount, request.currency)) return CONFIRMED;
    const { modifications, credentials } = await this.open(request, signal);
    const { merchantAccount } = credentials;
    try {
      const options = { idempotencyKey };
      const { pspReference } =
        transactionId === null
          ? await modifications.cancelAuthorisedPayment(
              { merchantAccount, paymentReference: reference, reference },
              options,
            )
          : await modifications.cancelAuthorisedPaymentByPspReference(
              transactionId,
              { merchantAccount, reference },
              options,
            );
      return pendingUnder(pspReference);
    } catch (thrown) {
      return refusedOperation(known(thrown));
    }
  }

  /** Refunds the whole amount. Needs Adyen's id, which an answer or a notification brings. */
  async refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    const { reference, transactionId, currency, idempotencyKey } = request;
    const amount = toAdyenAmount(request.amount, currency);
    if ('refusal' in amount) return { outcome: 'refused', reason: amount.reason, retryable: false };
    if (transactionId === null) return NOT_KNOWN_YET;
    const { modifications, credentials } = await this.open(request, signal);
    const { merchantAccount } = credentials;
    const body = { merchantAccount, amount: { currency, value: amount.minor }, reference };
    try {
      const { pspReference } = await modifications.refundCapturedPayment(transactionId, body, { idempotencyKey });
      return pendingUnder(pspReference);
    } catch (thrown) {
      return refusedOperation(known(thrown));
    }
  }

  parseNotification(incoming: IncomingNotification, credentials: Record<string, unknown>): Promise<ParsedNotification> {
    return parseAdyenNotification(incoming, credentials);
  }

  private async open(reference: Pick<OperationReference, 'credentials'>, signal: AbortSignal): Promise<Session> {
    const credentials = readAdyenCredentials(reference.credentials);
    return { credentials, ...(await adyenCheckout(this.http, this.base, credentials, signal)) };
  }
}

const CONFIRMED: OperationAnswer = { outcome: 'confirmed' }; // such an amount was never charged

const NOT_KNOWN_YET: OperationAnswer = {
  outcome: 'refused',
  reason: 'Adyen refunds by its own reference, which is unknown until its notification arrives',
  retryable: true,
};

const NO_TOKEN_OF_ADYEN: ChargeAnswer = {
  ...UNKNOWN_TOKEN,
  metadata: { reason: 'payment_method.token must be <shopperReference>/<storedPaymentMethodId> for Adyen' },
};

const notCharged = (declineCode: string, reason: string): ChargeAnswer => ({
  outcome: 'soft_declined',
  declineCode,
  metadata: { reason },
});

/** Rethrows an error after which the outcome is unknown. */
function known(thrown: unknown): AdyenRefusal {
  const refusal = readRefusal(thrown);
  if (!refusal) throw thrown;
  return refusal;
}

function refusedCharge({ kind, reason, errorCode }: AdyenRefusal): ChargeAnswer {
  if (kind === 'unavailable') return { outcome: 'unavailable', reason };
  if (UNKNOWN_TOKEN_ERRORS.has(errorCode)) return { ...UNKNOWN_TOKEN, metadata: { reason } };
  const declineCode = Object.hasOwn(ADYEN_CARD_ERRORS, errorCode) ? ADYEN_CARD_ERRORS[errorCode] : undefined;
  if (declineCode === undefined) return notCharged('configuration_error', reason);
  return { outcome: 'declined', declineCode, metadata: { reason } };
}

const refusedOperation = ({ kind, reason }: AdyenRefusal): OperationAnswer => ({
  outcome: 'refused',
  reason,
  retryable: kind === 'unavailable',
  ...(kind === 'unavailable' && { isUnavailable: true }),
});

function pendingUnder(pspReference: unknown): OperationAnswer {
  if (typeof pspReference !== 'string' || pspReference === '')
    throw new Error('Adyen accepted a call without a reference');
  return { outcome: 'pending', operationId: pspReference };
}
