// A connector to "Acme", an invented provider: PROVIDER_MODULES=@payment-orchestrator/provider-kit/example
import {
  ApiCallError,
  type ApiClient,
  type ChargeAnswer,
  type ChargeRequest,
  type Credential,
  credentialErrors,
  credentialFields,
  type CredentialsAnswer,
  fromMinorAmount,
  type IncomingNotification,
  isApiCallError,
  type MinorUnits,
  NotificationRefused,
  type OperationAnswer,
  type OperationReference,
  type ParsedNotification,
  type PaymentProvider,
  PORT_VERSION,
  type ProviderCapabilities,
  type ProviderFactory,
  type ProviderState,
  type RefundRequest,
  toMinorAmount,
  type VoidRequest,
} from '@payment-orchestrator/provider-kit';

const CREDENTIALS = {
  api_key: { pattern: /^acme_[a-z0-9]{8,64}$/, takes: 'an API key of Acme, such as acme_0123abcd', required: true },
} satisfies Record<string, Credential>;

const UNITS: Readonly<Record<string, MinorUnits>> = { EUR: { exponent: 2, step: 1 }, JPY: { exponent: 0, step: 1 } };
/** Acme keeps keys for a day; an hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = 23 * 3_600_000;
const CHARGE_ID = /^ch_\d{1,18}$/;

/** A charge as Acme answers it. */
export interface AcmeCharge {
  id: string;
  reference: string;
  status: 'pending' | 'waiting_for_payer' | 'paid' | 'declined' | 'cancelled' | 'refunded';
  /** Minor units, also below. */
  amount: number;
  refunded: number;
  currency: string;
  reason?: string;
  redirect?: string;
}

const STATUSES = {
  pending: 'open',
  waiting_for_payer: 'open',
  paid: 'captured',
  declined: 'declined',
  cancelled: 'voided',
  refunded: 'refunded',
} as const satisfies Record<AcmeCharge['status'], string>;

/** A definite answer that the call was not executed. */
class AcmeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(`Acme answered ${status} ${code}`);
  }
}

class AcmeProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'acme';
  readonly accountsAreShared = false;
  readonly credentialFields = credentialFields(CREDENTIALS);

  constructor(
    private readonly http: ApiClient,
    private readonly base: string,
  ) {}

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'by_reference',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: false,
      partialCapture: false,
      partialRefund: true,
      currencies: Object.keys(UNITS),
    };
  }

  validateCredentials(credentials: Record<string, unknown>) {
    return credentialErrors('Acme', CREDENTIALS, credentials);
  }

  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      const { id } = (await this.call(credentials, 'GET', '/account', signal)) as { id?: unknown };
      if (typeof id === 'string') return { outcome: 'accepted' };
      return { outcome: 'unknown', reason: 'Acme gave an answer without an account' };
    } catch (error) {
      if (error instanceof AcmeRefusal && error.status === 401)
        return { outcome: 'refused', errors: [{ field: 'api_key', message: 'is not a key that Acme knows' }] };
      return { outcome: 'unknown', reason: 'Acme gave no answer' };
    }
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const amount = toMinorAmount(request.amount, request.currency, UNITS[request.currency], 'Acme');
    if ('refusal' in amount)
      return { outcome: 'soft_declined', declineCode: amount.refusal, metadata: { reason: amount.reason } };
    const body = {
      reference: request.reference,
      amount: amount.minor,
      currency: request.currency,
      source: request.paymentMethod?.token ?? '',
      return_url: request.returnUrl,
      notify_url: request.notificationUrl,
    };
    try {
      const path = '/charges';
      return chargeAnswer((await this.call(request.credentials, 'POST', path, signal, body, request)) as AcmeCharge);
    } catch (error) {
      return notCharged(error);
    }
  }

  async lookup(reference: OperationReference, signal: AbortSignal): Promise<ProviderState> {
    const path = `/charges?reference=${encodeURIComponent(reference.reference)}`;
    const { charges } = (await this.call(reference.credentials, 'GET', path, signal)) as { charges: AcmeCharge[] };
    return charges[0] ? stateOf(charges[0]) : { status: 'not_found' };
  }

  async void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer> {
    const answer = await this.operate(request, '/cancellations', { reference: request.reference }, signal);
    if (answer.outcome !== 'refused' || answer.isUnavailable) return answer;
    const charge = await this.lookup(request, signal);
    return charge.status === 'not_found' ? answer : { ...answer, charge };
  }

  async refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    const amount = toMinorAmount(request.amount, request.currency, UNITS[request.currency], 'Acme');
    if ('refusal' in amount)
      return { outcome: 'refused', code: amount.refusal, reason: amount.reason, retryable: false };
    // without an amount Acme refunds the rest
    const body = { reference: request.reference, ...(!request.isRest && { amount: amount.minor }) };
    return this.operate(request, '/refunds', body, signal);
  }

  /** Acme's notifications are not signed and only name the charge: the service looks it up. */
  parseNotification({ rawBody }: IncomingNotification): Promise<ParsedNotification> {
    const id = new URLSearchParams(rawBody.toString()).get('id');
    if (id === null || !CHARGE_ID.test(id))
      return Promise.reject(
        new NotificationRefused('validation_failed', {
          errors: [{ field: 'id', message: 'must be the id of a charge' }],
        }),
      );
    return Promise.resolve({ events: [], ask: [id] });
  }

  private async operate(
    request: VoidRequest | RefundRequest,
    path: string,
    body: object,
    signal: AbortSignal,
  ): Promise<OperationAnswer> {
    try {
      const { id } = (await this.call(request.credentials, 'POST', path, signal, body, request)) as { id?: string };
      return { outcome: 'confirmed', ...(id !== undefined && { operationId: id }) };
    } catch (error) {
      const reason = unavailableReason(error);
      if (reason !== undefined)
        return { outcome: 'refused', code: 'provider_error', reason, retryable: true, isUnavailable: true };
      if (error instanceof AcmeRefusal) return { outcome: 'refused', reason: error.message, retryable: false };
      throw error;
    }
  }

  /** Returns the body of a 2xx answer. Throws an `AcmeRefusal`; any other error: the outcome is unknown. */
  private async call(
    { api_key: key }: Record<string, unknown>,
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    body?: object,
    operation?: { idempotencyKey: string },
  ): Promise<unknown> {
    const answer = await this.http.call(
      {
        method,
        url: new URL(path, this.base),
        headers: {
          authorization: `Bearer ${String(key)}`,
          'content-type': 'application/json',
          ...(operation && { 'idempotency-key': operation.idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      signal,
    );
    const { statusCode: status } = answer;
    const json = JSON.parse(answer.body.toString()) as { code?: unknown };
    if (status >= 200 && status < 300) return json;
    // 5xx and a key that is in use or was reused say nothing about the first call
    if (status >= 500 || /^key_/.test(String(json.code))) throw new ApiCallError(true, `Acme answered ${status}`);
    throw new AcmeRefusal(status, String(json.code));
  }
}

/** The reason if the call was certainly not processed, and another one may be. */
function unavailableReason(error: unknown): string | undefined {
  if (isApiCallError(error)) return error.sent ? undefined : `Acme could not be reached: ${error.message}`;
  return error instanceof AcmeRefusal && [401, 403, 429].includes(error.status) ? error.message : undefined;
}

/** Rethrows an error after which the outcome is unknown. */
function notCharged(error: unknown): ChargeAnswer {
  const reason = unavailableReason(error);
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  if (!(error instanceof AcmeRefusal)) throw error;
  return error.code === 'unknown_source'
    ? { outcome: 'soft_declined', declineCode: 'payment_method_unusable' }
    : { outcome: 'soft_declined', declineCode: 'request_refused', metadata: { reason: error.message } };
}

function chargeAnswer({ id: transactionId, status, reason, redirect }: AcmeCharge): ChargeAnswer {
  if (status === 'paid') return { outcome: 'approved', transactionId };
  if (status === 'waiting_for_payer' && redirect !== undefined)
    return { outcome: 'processing', transactionId, nextAction: { type: 'redirect', url: redirect, method: 'GET' } };
  if (status === 'pending') return { outcome: 'processing', transactionId };
  const outcome = reason === 'lost_card' ? 'declined' : 'soft_declined';
  return { outcome, transactionId, declineCode: reason ?? 'card_declined' };
}

function stateOf({ id, status, amount, refunded, currency, reason, redirect }: AcmeCharge): ProviderState {
  const units = UNITS[currency];
  if (!units) throw new Error(`Acme answered a charge in ${currency}`);
  return {
    status: STATUSES[status],
    transactionId: id,
    amount: fromMinorAmount(amount, units),
    refundedAmount: fromMinorAmount(refunded, units),
    currency,
    ...(reason !== undefined && { declineCode: reason }),
    ...(redirect !== undefined && { nextAction: { type: 'redirect', url: redirect, method: 'GET' } }),
  };
}

const createProvider: ProviderFactory = ({ http, settings }) =>
  new AcmeProvider(http, settings['ACME_API_BASE'] ?? 'https://api.acme.example');

export default createProvider;
