import {
  type CaptureRequest,
  type ChargeAnswer,
  type ChargeRequest,
  type ConnectorContext,
  credentialErrors,
  credentialFields,
  type CredentialsAnswer,
  type DetachAnswer,
  type FieldError,
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
  type ProviderState,
  type RefundRequest,
  type SavedMethodReference,
  type VoidRequest,
} from '@payment-orchestrator/provider-kit';
import { CHECKOUT_CURRENCIES, toCheckoutAmount } from './amount.js';
import { CheckoutApi, CheckoutRefusal, paymentPath, unavailableReason } from './client.js';
import { CHECKOUT_CREDENTIALS } from './credentials.js';
import { readCheckoutDecline } from './decline.js';
import { parseCheckoutNotification } from './notification.js';
import { type Action, chargeAnswer, type Payment, restOf, stateOf } from './payment.js';
import { notCharged, paymentBody } from './request.js';

/** Checkout.com keeps keys for a day; an hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = 23 * 3_600_000;
const KINDS = { capture: 'Capture', void: 'Void', refund: 'Refund' } as const;

/**
 * Checkout.com's payments (NAS accounts): https://api-reference.checkout.com. Captures, voids and refunds are accepted
 * (202) with the id of an action, and a webhook reports their outcome. Mapping: docs/integrate/checkout.md.
 */
export class CheckoutProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'checkout';
  readonly accountsAreShared = true;
  readonly credentialFields = credentialFields(CHECKOUT_CREDENTIALS);
  /** Replaces the host of every account. */
  private readonly base: string | undefined;

  constructor(private readonly context: Pick<ConnectorContext, 'http' | 'settings' | 'clock' | 'parseJson'>) {
    this.base = context.settings['CHECKOUT_API_BASE'];
  }

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'by_transaction_id', // the list by reference may lag behind
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      capturesLater: true,
      voidsUnfinished: false,
      paymentMethodTypes: ['card', 'apple_pay', 'google_pay'],
      currencies: CHECKOUT_CURRENCIES,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return credentialErrors('Checkout.com', CHECKOUT_CREDENTIALS, credentials);
  }

  /** Lists the payments of an unused reference: changes nothing. */
  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      const { data } = await this.open({ credentials }, signal).get<{ data?: unknown }>(
        '/payments?limit=1&reference=none',
      );
      if (Array.isArray(data)) return { outcome: 'accepted' };
      return { outcome: 'unknown', reason: 'Checkout.com gave an answer without a list of payments' };
    } catch (error) {
      if (error instanceof CheckoutRefusal && error.status === 401)
        return {
          outcome: 'refused',
          errors: [{ field: 'secret_key', message: 'is not a key that Checkout.com knows' }],
        };
      return { outcome: 'unknown', reason: unavailableReason(error) ?? 'Checkout.com gave no answer' };
    }
  }

  /** The prefix names the client; its tokens are valid for all of its keys. */
  accountId({ api_prefix: prefix }: Record<string, unknown>): Promise<string> {
    return Promise.resolve(String(prefix));
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const amount = toCheckoutAmount(request.amount, request.currency);
    if ('refusal' in amount)
      return { outcome: 'soft_declined', declineCode: amount.refusal, metadata: { reason: amount.reason } };
    const body = paymentBody(request, amount.minor);
    if (!body)
      return { ...PAYMENT_METHOD_UNUSABLE, metadata: { reason: 'Checkout.com takes tok_… or src_… as token' } };
    try {
      const payment = await this.open(request, signal).post<Payment>('/payments', body, request.idempotencyKey);
      const echoed = { ...payment, metadata: { ...(request.save === true && { save: 'true' }) } };
      return chargeAnswer(echoed, amount.minor, request.capture === 'manual', this.context.clock.now());
    } catch (error) {
      return notCharged(error);
    }
  }

  async lookup(request: OperationReference, signal: AbortSignal): Promise<ProviderState> {
    const { transactionId, reference } = request;
    if (transactionId === null) throw new Error('Checkout.com finds a payment for certain only by its id');
    const api = this.open(request, signal);
    const payment = await api.get<Payment>(paymentPath(transactionId));
    if (payment.reference !== reference) throw new Error('Checkout.com answered a payment of another reference');
    return this.stateOf(api, payment);
  }

  async findReference(
    transactionId: string,
    account: Pick<OperationReference, 'credentials'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      return (await this.open(account, signal).get<Payment>(paymentPath(transactionId))).reference;
    } catch (error) {
      if (error instanceof CheckoutRefusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer> {
    const api = this.open(request, signal);
    if (request.transactionId !== null) return this.operate(api, request, 'voids', {}, request.transactionId);
    const path = `/payments?limit=10&reference=${encodeURIComponent(request.reference)}`;
    try {
      const { data } = await api.get<{ data: Payment[] }>(path);
      const [found] = data;
      // Checkout.com has no payment with the reference
      return found ? await this.operate(api, request, 'voids', {}, found.id) : { outcome: 'confirmed' };
    } catch (error) {
      return notOperated(error);
    }
  }

  capture(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return this.operateExactly(request, 'captures', { capture_type: 'Final' }, signal);
  }

  async refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    if (request.isRest !== true) return this.operateExactly(request, 'refunds', {}, signal);
    const api = this.open(request, signal);
    try {
      const payment = await api.get<Payment>(paymentPath(idOf(request)));
      const actions = await this.actions(api, request);
      const made = actions.find(({ metadata }) => metadata?.key === request.idempotencyKey);
      if (made) return answerOf(made);
      const amount = restOf(payment, actions);
      return amount === 0
        ? { outcome: 'confirmed' }
        : await this.operate(api, request, 'refunds', { amount }, payment.id);
    } catch (error) {
      return notOperated(error);
    }
  }

  /** By the id of the action, else by the key in its metadata. An accepted one may not be listed yet. */
  async lookupOperation(request: OperationLookup, signal: AbortSignal): Promise<OperationState> {
    const { kind, operationId, idempotencyKey } = request;
    const actions = await this.actions(this.open(request, signal), request);
    const found = actions.find(
      ({ id, type, metadata }) => type === KINDS[kind] && (id === operationId || metadata?.key === idempotencyKey),
    );
    if (found) return answerOf(found);
    return operationId === null ? { outcome: 'not_found' } : { outcome: 'pending', operationId };
  }

  async detach({ token, credentials }: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer> {
    try {
      await this.open({ credentials }, signal).delete(`/instruments/${encodeURIComponent(token)}`);
      return { outcome: 'confirmed' };
    } catch (error) {
      if (error instanceof CheckoutRefusal && error.status === 404) return { outcome: 'not_found' };
      throw error;
    }
  }

  parseNotification(
    incoming: IncomingNotification,
    credentials: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ParsedNotification> {
    return parseCheckoutNotification(incoming, this.open({ credentials }, signal), this.context.parseJson);
  }

  private open({ credentials }: Pick<OperationReference, 'credentials'>, signal: AbortSignal): CheckoutApi {
    return new CheckoutApi(this.context.http, this.base, credentials, signal);
  }

  /** At least one: each payment begins with an action. */
  private async actions(api: CheckoutApi, request: OperationReference): Promise<readonly Action[]> {
    const actions = await api.get<readonly Action[]>(`${paymentPath(idOf(request))}/actions`);
    if (actions.length === 0) throw new Error('Checkout.com answered no actions');
    return actions;
  }

  private async stateOf(api: CheckoutApi, payment: Payment): Promise<ReturnType<typeof stateOf>> {
    const isDeclined = payment.status === 'Declined';
    const actions = isDeclined ? await api.get<Action[]>(`${paymentPath(payment.id)}/actions`) : [];
    return stateOf(payment, this.context.clock.now(), actions);
  }

  private async operateExactly(
    request: OperationRequest,
    kind: 'captures' | 'refunds',
    fields: object,
    signal: AbortSignal,
  ): Promise<OperationAnswer> {
    const amount = toCheckoutAmount(request.amount, request.currency);
    if ('refusal' in amount) return { outcome: 'refused', reason: amount.reason, retryable: false };
    const api = this.open(request, signal);
    return this.operate(api, request, kind, { amount: amount.minor, ...fields }, idOf(request));
  }

  /** The metadata finds the action after a lost answer, and its webhook has our reference. */
  private async operate(
    api: CheckoutApi,
    { reference, idempotencyKey: key }: OperationRequest,
    kind: 'captures' | 'voids' | 'refunds',
    fields: object,
    id: string,
  ): Promise<OperationAnswer> {
    const body = { ...fields, reference, metadata: { key } };
    try {
      const { action_id: operationId } = await api.post<{ action_id: string }>(`${paymentPath(id)}/${kind}`, body, key);
      return { outcome: 'pending', operationId };
    } catch (error) {
      if (!(error instanceof CheckoutRefusal && error.status === 403)) return notOperated(error);
      return this.refusedByState(api, kind, id);
    }
  }

  /** 403: the payment's state does not allow the action. */
  private async refusedByState(api: CheckoutApi, kind: string, id: string): Promise<OperationAnswer> {
    const charge = await this.stateOf(api, await api.get<Payment>(paymentPath(id)));
    const isVoided = charge.status === 'voided' || charge.status === 'declined';
    if (kind === 'voids' && isVoided) return { outcome: 'confirmed' };
    const reason = `Checkout.com refuses ${kind} of a payment that is ${charge.status}`;
    const retryable = charge.status === 'open' || charge.status === 'authorized';
    return { outcome: 'refused', reason, retryable, charge };
  }
}

function idOf({ transactionId, reference }: OperationReference): string {
  if (transactionId === null) throw new Error(`Checkout.com's id of ${reference} is not known`);
  return transactionId;
}

function answerOf(action: Action): OperationAnswer {
  const { id: operationId, approved } = action;
  if (approved === undefined) return { outcome: 'pending', operationId };
  if (approved) return { outcome: 'confirmed', operationId };
  const { declineCode: code } = readCheckoutDecline(action);
  return { outcome: 'refused', operationId, code, reason: `Checkout.com declined it (${code})`, retryable: true };
}

/** Rethrows an error after which the outcome is unknown. */
function notOperated(error: unknown): OperationAnswer {
  const reason = unavailableReason(error, { isChange: true });
  if (reason !== undefined) return { outcome: 'refused', reason, retryable: true, isUnavailable: true };
  if (error instanceof CheckoutRefusal) return { outcome: 'refused', reason: error.message, retryable: false };
  throw error;
}
