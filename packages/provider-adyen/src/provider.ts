import {
  type ActionReference,
  type CaptureRequest,
  type ChargeAnswer,
  type ChargeRequest,
  type ConnectorContext,
  type CredentialsAnswer,
  type DetachAnswer,
  type FieldError,
  type OperationAnswer,
  type OperationReference,
  type OperationRequest,
  type ParsedNotification,
  PAYMENT_METHOD_UNUSABLE,
  type PaymentProvider,
  PORT_VERSION,
  type ProviderCapabilities,
  type RefundRequest,
  type SavedMethodReference,
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import { ADYEN_CURRENCIES, toAdyenAmount } from './amount.js';
import { adyenCheckout } from './client.js';
import { collectedErrors } from './collected.js';
import { ADYEN_CREDENTIAL_FIELDS, adyenCredentialErrors, readAdyenCredentials } from './credentials.js';
import { cardOf } from './card.js';
import { detailsKey, isNamed, readDetails, refusedDetails } from './details.js';
import { credentialsRefusal, refusedCharge } from './failure.js';
import { type AdyenSession, cancelPayment, capturePayment, refundPayment } from './modification.js';
import { parseAdyenNotification } from './notification.js';
import { answerOf } from './payment.js';
import { needsReturnUrl, paymentRequest, readMethod } from './request.js';
import { detachStored, savedIn } from './saved-method.js';

/** Adyen keeps keys for at least seven days; one hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = (7 * 24 - 1) * 3_600_000;

/**
 * Adyen's Checkout API. It has no look-up of payments: after a lost answer the call is repeated, or a notification brings
 * the outcome. Voids, captures and refunds are requests whose outcome a notification reports. Mapping of its codes:
 * docs/integrate/providers.md.
 */
export class AdyenProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'adyen';
  readonly accountsAreShared = true;
  readonly completesRedirects = true;
  readonly credentialFields = ADYEN_CREDENTIAL_FIELDS;
  private readonly base: URL | undefined;

  constructor(private readonly context: ConnectorContext) {
    const base = context.settings['ADYEN_API_BASE'];
    this.base = base === undefined ? undefined : new URL(base);
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
      const { merchantAccount } = session;
      const { paymentMethods } = await session.post('/paymentMethods', { merchantAccount });
      if (!Array.isArray(paymentMethods)) throw new Error('the answer has no payment methods');
      return { outcome: 'accepted' };
    } catch (thrown) {
      return credentialsRefusal(thrown);
    }
  }

  paymentMethodErrors(data: Record<string, unknown>): FieldError[] {
    return collectedErrors(data);
  }

  accountId(credentials: Record<string, unknown>): Promise<string> {
    return Promise.resolve(readAdyenCredentials(credentials).merchantAccount);
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const { currency, idempotencyKey, capture } = request;
    const amount = toAdyenAmount(request.amount, currency);
    if ('refusal' in amount) return notCharged(amount.refusal, amount.reason);
    const method = readMethod(request.paymentMethod);
    if (!method) return NO_METHOD_OF_ADYEN;
    if (needsReturnUrl(method) && request.returnUrl === undefined) return NO_RETURN_URL;
    const { post, merchantAccount } = await this.open(request, signal);
    const body = paymentRequest(request, method, amount.minor, merchantAccount);
    try {
      const answer = await post('/payments', body, { idempotencyKey });
      const sent = { value: amount.minor, currency, capture, now: this.context.clock.now() };
      return { ...answerOf(answer, sent), ...cardOf(answer.additionalData), ...savedIn(answer.additionalData) };
    } catch (thrown) {
      return refusedCharge(thrown);
    }
  }

  /** The payer's step may be followed by another one, such as a challenge after a fingerprint. */
  async completeAction(
    request: ActionReference,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    const { reference, currency, transactionId, capture } = request;
    const body = readDetails(data);
    const amount = toAdyenAmount(request.amount, currency);
    if ('refusal' in amount) throw new Error(`nothing was charged for ${reference}`);
    const { post } = await this.open(request, signal);
    const options = { idempotencyKey: detailsKey(reference, body) };
    const answer = await post('/payments/details', body, options).catch(refusedDetails);
    if (!isNamed(answer, reference, transactionId)) return { outcome: 'processing' };
    const sent = { value: amount.minor, currency, capture, now: this.context.clock.now() };
    return { ...answerOf(answer, sent), ...cardOf(answer.additionalData), ...savedIn(answer.additionalData) };
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

  async detach({ token, credentials }: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer> {
    return detachStored(await this.open({ credentials }, signal), token);
  }

  parseNotification(incoming: SignedRequest, credentials: Record<string, unknown>): Promise<ParsedNotification> {
    return parseAdyenNotification(incoming, credentials, this.context.parseJson);
  }

  private async open(reference: Pick<OperationReference, 'credentials'>, signal: AbortSignal): Promise<AdyenSession> {
    const credentials = readAdyenCredentials(reference.credentials);
    const { merchantAccount } = credentials;
    return { merchantAccount, ...(await adyenCheckout(this.context.http, this.base, credentials, signal)) };
  }
}

const CONFIRMED: OperationAnswer = { outcome: 'confirmed' }; // such an amount was never charged

const NO_METHOD_OF_ADYEN: ChargeAnswer = {
  ...PAYMENT_METHOD_UNUSABLE,
  metadata: {
    reason: 'Adyen takes <shopperReference>/<storedPaymentMethodId> as token, or the data of its Components',
  },
};

const notCharged = (declineCode: string, reason: string): ChargeAnswer => ({
  outcome: 'soft_declined',
  declineCode,
  metadata: { reason },
});

const NO_RETURN_URL = notCharged(
  'request_refused',
  'this type of payment method needs a return_url in the request, and PUBLIC_URL in the configuration',
);
