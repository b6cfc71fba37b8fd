// A connector to "Acme", an invented provider: PROVIDER_MODULES=@payment-orchestrator/provider-kit/example
import {
  type CaptureRequest,
  type ChargeAnswer,
  type ChargeRequest,
  type ConnectorContext,
  type Credential,
  credentialErrors,
  credentialFields,
  type CredentialsAnswer,
  type DetachAnswer,
  type IncomingNotification,
  type OperationAnswer,
  type OperationLookup,
  type OperationReference,
  type OperationRequest,
  type OperationState,
  type ParsedNotification,
  PAYMENT_METHOD_UNUSABLE,
  type PaymentProvider,
  PORT_VERSION,
  type ProviderCapabilities,
  type ProviderFactory,
  type ProviderState,
  type RefundRequest,
  type SavedMethodReference,
  toMinorAmount,
  type VoidRequest,
} from '@payment-orchestrator/provider-kit';
import { AcmeApi, AcmeRefusal, unavailableReason } from './api.js';
import { type AcmeCharge, type AcmeOperation, chargeAnswer, operationAnswer, stateOf, UNITS } from './charges.js';
import { readEvent } from './events.js';

const CREDENTIALS = {
  api_key: { pattern: /^acme_[a-z0-9]{8,64}$/, takes: 'an API key of Acme, such as acme_0123abcd', required: true },
  signing_secret: {
    pattern: /^sign_[a-z0-9]{8,64}$/,
    takes: 'the secret with which Acme signs notifications, such as sign_0123abcd',
    required: false,
    verifies: true,
  },
} satisfies Record<string, Credential>;

/** Acme keeps keys for a day; an hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = 23 * 3_600_000;

class AcmeProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'acme';
  readonly accountsAreShared = false;
  readonly credentialFields = credentialFields(CREDENTIALS);

  constructor(
    private readonly api: AcmeApi,
    private readonly context: ConnectorContext,
  ) {}

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'by_reference',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      operationLookup: ['capture', 'refund'],
      currencies: [...UNITS.keys()],
    };
  }

  validateCredentials(credentials: Record<string, unknown>) {
    return credentialErrors('Acme', CREDENTIALS, credentials);
  }

  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      const id = await this.accountId(credentials, signal);
      return id === null ? { outcome: 'unknown', reason: 'Acme named no account' } : { outcome: 'accepted' };
    } catch (error) {
      if (error instanceof AcmeRefusal && error.status === 401)
        return { outcome: 'refused', errors: [{ field: 'api_key', message: 'is not a key that Acme knows' }] };
      return { outcome: 'unknown', reason: unavailableReason(error) ?? 'Acme gave no answer' };
    }
  }

  async accountId(credentials: Record<string, unknown>, signal: AbortSignal): Promise<string | null> {
    const { id } = await this.api.call(credentials, { method: 'GET', path: '/account' }, signal);
    return typeof id === 'string' ? id : null;
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const amount = minorOf(request);
    if ('refusal' in amount)
      return { outcome: 'soft_declined', declineCode: amount.refusal, metadata: { reason: amount.reason } };
    const { currency, reference, paymentMethod, capture, save, initiator, returnUrl, notificationUrl } = request;
    const body = {
      reference,
      amount: amount.minor,
      currency,
      source: paymentMethod?.token ?? '',
      capture: capture === 'automatic',
      save: save === true,
      merchant_initiated: initiator === 'merchant',
      return_url: returnUrl,
      notify_url: notificationUrl,
    };
    const { credentials, idempotencyKey: key } = request;
    try {
      const answer = await this.api.call(credentials, { method: 'POST', path: '/charges', body, key }, signal);
      return chargeAnswer(answer as unknown as AcmeCharge);
    } catch (error) {
      return notCharged(error);
    }
  }

  async lookup({ credentials, reference }: OperationReference, signal: AbortSignal): Promise<ProviderState> {
    const path = `/charges?reference=${encodeURIComponent(reference)}`;
    const { charges } = await this.api.call(credentials, { method: 'GET', path }, signal);
    if (!Array.isArray(charges)) throw new Error('Acme answered no list of charges');
    return charges.length === 0 ? { status: 'not_found' } : stateOf(charges[0] as AcmeCharge);
  }

  /** By our reference: Acme refuses a later charge under it. */
  async void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer> {
    const answer = await operate(async () => {
      const body = { reference: request.reference };
      const { status } = await this.post(request, '/cancellations', body, signal);
      if (status !== 'cancelled') throw new Error('Acme did not say that it is cancelled');
      return { outcome: 'confirmed' };
    });
    if (answer.outcome !== 'refused' || answer.isUnavailable) return answer;
    const charge = await this.lookup(request, signal);
    return charge.status === 'not_found' ? answer : { ...answer, charge };
  }

  capture(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return this.operateOn(request, 'captures', true, signal);
  }

  /** Without an amount Acme refunds the rest. */
  refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return this.operateOn(request, 'refunds', !request.isRest, signal);
  }

  async lookupOperation(request: OperationLookup, signal: AbortSignal): Promise<OperationState> {
    const { credentials, kind, operationId, idempotencyKey } = request;
    const wanted = operationId === null ? `key=${idempotencyKey}` : `id=${encodeURIComponent(operationId)}`;
    const path = `/operations?${wanted}`;
    const { operations } = await this.api.call(credentials, { method: 'GET', path }, signal);
    if (!Array.isArray(operations)) throw new Error('Acme answered no list of operations');
    const found = (operations as AcmeOperation[]).find((one) => one.kind === kind);
    if (operations.length > 0 && !found) throw new Error('Acme answered an operation of another kind');
    return found ? operationAnswer(found) : { outcome: 'not_found' };
  }

  async detach({ token, credentials }: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer> {
    try {
      const path = `/sources/${encodeURIComponent(token)}`;
      await this.api.call(credentials, { method: 'DELETE', path }, signal);
      return { outcome: 'confirmed' };
    } catch (error) {
      if (error instanceof AcmeRefusal && error.status === 404) return { outcome: 'not_found' };
      throw error;
    }
  }

  async parseNotification(
    incoming: IncomingNotification,
    credentials: Record<string, unknown>,
  ): Promise<ParsedNotification> {
    const event = readEvent(incoming, credentials['signing_secret'], this.context.parseJson);
    return Promise.resolve({ events: [event] });
  }

  private operateOn(
    request: OperationRequest,
    kind: 'captures' | 'refunds',
    hasAmount: boolean,
    signal: AbortSignal,
  ): Promise<OperationAnswer> {
    return operate(async () => {
      const amount = minorOf(request);
      if ('refusal' in amount)
        return { outcome: 'refused', code: amount.refusal, reason: amount.reason, retryable: false };
      const path = `/charges/${encodeURIComponent(String(request.transactionId))}/${kind}`;
      const answer = await this.post(request, path, hasAmount ? { amount: amount.minor } : {}, signal);
      return operationAnswer(answer as unknown as AcmeOperation);
    });
  }

  private post(
    { credentials, idempotencyKey: key }: OperationRequest,
    path: string,
    body: object,
    signal: AbortSignal,
  ) {
    return this.api.call(credentials, { method: 'POST', path, body, key }, signal);
  }
}

const minorOf = ({ amount, currency }: OperationRequest) =>
  toMinorAmount(amount, currency, UNITS.get(currency), 'Acme');

/** Rethrows an error after which the outcome is unknown. */
function notCharged(error: unknown): ChargeAnswer {
  const reason = unavailableReason(error);
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  if (!(error instanceof AcmeRefusal)) throw error;
  if (error.code === 'unknown_source') return PAYMENT_METHOD_UNUSABLE;
  return { outcome: 'soft_declined', declineCode: 'request_refused', metadata: { reason: error.message } };
}

/** Rethrows an error after which the outcome is unknown. */
async function operate(call: () => Promise<OperationAnswer>): Promise<OperationAnswer> {
  try {
    return await call();
  } catch (error) {
    const reason = unavailableReason(error);
    if (reason !== undefined)
      return { outcome: 'refused', code: 'provider_error', reason, retryable: true, isUnavailable: true };
    if (error instanceof AcmeRefusal) return { outcome: 'refused', reason: error.message, retryable: false };
    throw error;
  }
}

const createProvider: ProviderFactory = (context) =>
  new AcmeProvider(new AcmeApi(context.http, context.settings['ACME_API_BASE'] ?? 'https://api.acme.example'), context);

export default createProvider;
