import { Injectable } from '@nestjs/common';
import {
  type ParsedNotification,
  PAYMENT_METHOD_UNUSABLE,
  PORT_VERSION,
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { ProviderHttp } from '../http/provider-http.service.js';
import { Clock } from '../../shared/clock.js';
import type { FieldError } from '../../shared/problem.js';
import type {
  CaptureRequest,
  ChargeAnswer,
  ChargeRequest,
  CredentialsAnswer,
  OperationAnswer,
  OperationReference,
  OperationRequest,
  PaymentProvider,
  ProviderCapabilities,
  ActionReference,
  RefundRequest,
} from '../payment-provider.js';
import { ADYEN_CURRENCIES, toAdyenAmount } from './adyen-amount.js';
import { adyenCheckout } from './adyen-client.js';
import { ADYEN_CREDENTIAL_FIELDS, adyenCredentialErrors, readAdyenCredentials } from './adyen-credentials.js';
import { ADYEN_CARD_ERRORS, PAYMENT_METHOD_UNUSABLE_ERRORS } from './adyen-decline.js';
import { type AdyenRefusal, credentialsRefusal, knownRefusal } from './adyen-failure.js';
import { type AdyenSession, cancelPayment, capturePayment, refundPayment } from './adyen-modification.js';
import { parseAdyenNotification } from './adyen-notification.js';
import { answerOf, paymentRequest, readToken, requireSame, RETURN_FIELDS, returnKey } from './adyen-payment.js';

/** Adyen keeps keys for at least seven days; one hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = (7 * 24 - 1) * 3_600_000;

/**
 * Adyen's Checkout API. It has no look-up of payments: after a lost answer the call is repeated, or a notification brings
 * the outcome. Voids, captures and refunds are requests whose outcome a notification reports. Mapping of its codes:
 * docs/integrate/providers.md.
 */
@Injectable()
export class AdyenProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'adyen';
  readonly accountsAreShared = true;
  readonly completesRedirects = true;
  readonly credentialFields = ADYEN_CREDENTIAL_FIELDS;
  private readonly base: URL | undefined;

  constructor(
    @InjectConfig() config: Pick<Config, 'adyenApiBase'>,
    private readonly http: ProviderHttp,
    private readonly clock: Clock,
  ) {
    this.base = config.adyenApiBase === undefined ? undefined : new URL(config.adyenApiBase);
  }

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'none',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      currencies: ADYEN_CURRENCIES,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return adyenCredentialErrors(credentials);
  }

  /** Asks for the account's payment methods: changes nothing, and needs the same role and account as a charge. */
  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      const session = await this.open({ credentials }, signal);
      await session.payments.paymentMethods({ merchantAccount: session.merchantAccount });
      return { outcome: 'accepted' };
    } catch (thrown) {
      return credentialsRefusal(thrown);
    }
  }

  accountId(credentials: Record<string, unknown>): Promise<string> {
    return Promise.resolve(readAdyenCredentials(credentials).merchantAccount);
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const { currency, idempotencyKey, capture } = request;
    const amount = toAdyenAmount(request.amount, currency);
    if ('refusal' in amount) return notCharged(amount.refusal, amount.reason);
    const method = readToken(request.paymentMethod?.token);
    if (!method) return NO_TOKEN_OF_ADYEN;
    const { payments, merchantAccount } = await this.open(request, signal);
    const body = paymentRequest(request, method, amount.minor, merchantAccount);
    try {
      const answer = await payments.payments(body, { idempotencyKey });
      return answerOf(answer, { value: amount.minor, currency, capture, now: this.clock.now() });
    } catch (thrown) {
      return refusedCharge(knownRefusal(thrown));
    }
  }

  /** Rejects if the call is refused, because that says nothing about the payment, which waits for its notification. */
  async completeAction(
    request: ActionReference,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    const { reference, currency, transactionId, capture } = request;
    const amount = toAdyenAmount(request.amount, currency);
    const field = RETURN_FIELDS.find((name) => typeof data[name] === 'string' && data[name] !== '');
    if ('refusal' in amount || field === undefined)
      throw new Error(`the payer's return from Adyen for ${reference} is incomplete`);
    const result = data[field] as string;
    const { payments } = await this.open(request, signal);
    const idempotencyKey = returnKey(reference, result);
    const answer = await payments.paymentsDetails({ details: { [field]: result } }, { idempotencyKey });
    requireSame(answer, reference, transactionId);
    return answerOf(answer, { value: amount.minor, currency, capture, now: this.clock.now() });
  }

  async void(request: OperationRequest, signal: AbortSignal): Promise<OperationAnswer> {
    if (request.transactionId === null && 'refusal' in toAdyenAmount(request.amount, request.currency)) {
      return CONFIRMED;
    }
    return cancelPayment(await this.open(request, signal), request);
  }

  async capture(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return capturePayment(await this.open(request, signal), request);
  }

  async refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return refundPayment(await this.open(request, signal), request);
  }

  parseNotification(incoming: SignedRequest, credentials: Record<string, unknown>): Promise<ParsedNotification> {
    return parseAdyenNotification(incoming, credentials);
  }

  private async open(reference: Pick<OperationReference, 'credentials'>, signal: AbortSignal): Promise<AdyenSession> {
    const credentials = readAdyenCredentials(reference.credentials);
    const { merchantAccount } = credentials;
    return { merchantAccount, ...(await adyenCheckout(this.http, this.base, credentials, signal)) };
  }
}

const CONFIRMED: OperationAnswer = { outcome: 'confirmed' }; // such an amount was never charged

const NO_TOKEN_OF_ADYEN: ChargeAnswer = {
  ...PAYMENT_METHOD_UNUSABLE,
  metadata: { reason: 'payment_method.token must be <shopperReference>/<storedPaymentMethodId> for Adyen' },
};

const notCharged = (declineCode: string, reason: string): ChargeAnswer => ({
  outcome: 'soft_declined',
  declineCode,
  metadata: { reason },
});

function refusedCharge({ kind, reason, errorCode }: AdyenRefusal): ChargeAnswer {
  if (kind === 'unavailable') return { outcome: 'unavailable', reason };
  if (PAYMENT_METHOD_UNUSABLE_ERRORS.has(errorCode)) return { ...PAYMENT_METHOD_UNUSABLE, metadata: { reason } };
  const declineCode = Object.hasOwn(ADYEN_CARD_ERRORS, errorCode) ? ADYEN_CARD_ERRORS[errorCode] : undefined;
  if (declineCode === undefined) return notCharged('configuration_error', reason);
  return { outcome: 'declined', declineCode, metadata: { reason } };
}
