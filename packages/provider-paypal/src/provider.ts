import {
  ActionDataRefused,
  type ActionReference,
  type CaptureRequest,
  type ChargeAnswer,
  type ChargeRequest,
  type ChargeState,
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
  type PaymentProvider,
  PORT_VERSION,
  type ProviderCapabilities,
  type ProviderState,
  type RefundRequest,
  type SavedMethodReference,
  type VoidRequest,
} from '@payment-orchestrator/provider-kit';
import { PAYPAL_CURRENCIES, toMoney } from './amount.js';
import { PayPalApi, PayPalRefusal, unavailableReason } from './client.js';
import { accountOf, PAYPAL_CREDENTIALS } from './credentials.js';
import { codeOf } from './decline.js';
import type { Capture, Money, NewCapture, NewRefund, Order } from './documents.js';
import { completeOrder, createOrder, notCharged } from './new-order.js';
import { parseEvent, refundIdOf } from './notification.js';
import { refundOf } from './refund.js';
import { authorizationOf, captureOf, chargeAnswer, operationAnswer, referenceOf, refundsOf, stateOf } from './order.js';
import { Signatures } from './signature.js';

/** PayPal keeps keys of orders for 6 hours, and those of captures and refunds for 45 days; minutes are left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = (6 * 60 - 5) * 60_000;

type Opened = Pick<OperationReference, 'credentials'>;

/**
 * PayPal's Orders v2 and Payments v2: https://developer.paypal.com/docs/api/orders/v2/. The order is the transaction. PayPal
 * takes no money by itself after the payer's approval: `completeAction` does. Limits: README.md.
 */
export class PayPalProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'paypal';
  /** Shop systems and the dashboard take payments in the same account; ours have our reference. */
  readonly accountsAreShared = true;
  readonly completesRedirects = true;
  readonly credentialFields = credentialFields(PAYPAL_CREDENTIALS);
  private readonly base: string | undefined;
  private readonly signatures: Signatures;

  constructor(
    private readonly context: Pick<ConnectorContext, 'http' | 'accessTokens' | 'clock' | 'parseJson' | 'settings'>,
  ) {
    this.base = context.settings['PAYPAL_API_BASE'];
    this.signatures = new Signatures(context);
  }

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'by_transaction_id', // there is no search by our reference
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      operationLookup: ['refund'], // a capture has no field for our key
      voidsUnfinished: false,
      paymentMethodTypes: ['paypal'],
      currencies: PAYPAL_CURRENCIES,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return credentialErrors('PayPal', PAYPAL_CREDENTIALS, credentials);
  }

  paymentMethodErrors(data: Readonly<Record<string, unknown>>): FieldError[] {
    return Object.keys(data).map((field) => ({ field, message: 'is not known: PayPal takes no data' }));
  }

  /** Requests a new access token: one that is kept would be accepted after its app was removed. */
  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      await this.open({ credentials }, signal).issueToken();
      return { outcome: 'accepted' };
    } catch (error) {
      const message = `is not one that PayPal knows in this environment`;
      if (error instanceof PayPalRefusal && error.status === 401)
        return { outcome: 'refused', errors: ['client_id', 'client_secret'].map((field) => ({ field, message })) };
      return { outcome: 'unknown', reason: unavailableReason(error) ?? 'PayPal gave no answer' };
    }
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const amount = toMoney(request.amount, request.currency);
    if ('refusal' in amount)
      return { outcome: 'soft_declined', declineCode: amount.refusal, metadata: { reason: amount.reason } };
    if (request.paymentMethod?.token === undefined && request.returnUrl === undefined) {
      const reason = 'the payer needs an address to come back to: return_url, and the setting PUBLIC_URL';
      return { outcome: 'soft_declined', declineCode: 'request_refused', metadata: { reason } };
    }
    try {
      return chargeAnswer(await createOrder(this.open(request, signal), request, amount.value), request.capture);
    } catch (error) {
      return notCharged(error);
    }
  }

  /** `data`: the query of the payer's way back, with the order as `token`; empty after PayPal's notification of the approval. */
  async completeAction(
    request: ActionReference,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    const { token = request.transactionId } = data;
    if (token !== request.transactionId)
      throw new ActionDataRefused([{ field: 'token', message: 'is not the order of this payment' }]);
    const api = this.open(request, signal);
    return completeOrder(api, await this.orderOf(request, api), request.capture);
  }

  async lookup(request: OperationReference, signal: AbortSignal): Promise<ProviderState> {
    const order = await this.open(request, signal).findOrder(idOf(request));
    return order ? stateOf(ours(order, request)) : { status: 'not_found' };
  }

  async findReference(transactionId: string, account: Opened, signal: AbortSignal): Promise<string | undefined> {
    const order = await this.open(account, signal).findOrder(transactionId);
    return order && referenceOf(order);
  }

  /** Without the order's id no payer can approve it. An authorisation is released; an order that waits expires. */
  void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return operation(async () => {
      const api = this.open(request, signal);
      const order = request.transactionId === null ? undefined : await api.findOrder(request.transactionId);
      if (!order) return { outcome: 'confirmed' };
      if (stateOf(ours(order, request)).status !== 'authorized') return voided(order);
      try {
        const { id } = authorizationOf(order)!;
        const path = `/v2/payments/authorizations/${id}/void`;
        const made = (await api.call('POST', path, { key: request.idempotencyKey })) as
          { status?: unknown } | undefined;
        if (made && made.status !== 'VOIDED') throw new Error('PayPal answered no whole object');
        return { outcome: 'confirmed' };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return voided(await api.order(order.id)); // its state has changed, perhaps by an earlier call
      }
    });
  }

  capture(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return operation(async () => {
      const api = this.open(request, signal);
      const order = await this.orderOf(request, api);
      const authorization = authorizationOf(order);
      const body: NewCapture = { amount: exactly(request), final_capture: true };
      const path = `/v2/payments/authorizations/${authorization?.id}/capture`;
      if (!authorization) return refusedAs(order, 'nothing is authorised');
      return this.operate(api, request, path, body);
    });
  }

  refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return operation(async () => {
      const api = this.open(request, signal);
      const order = await this.orderOf(request, api);
      const capture = captureOf(order);
      if (!capture) return refusedAs(order, 'nothing is captured');
      const id = refundIdOf(request.reference, request.idempotencyKey);
      // without an amount PayPal refunds the rest
      const body: NewRefund = { custom_id: id, ...(!request.isRest && { amount: exactly(request) }) };
      try {
        return await this.operate(api, request, `/v2/payments/captures/${capture.id}/refund`, body);
      } catch (error) {
        const isDone = error instanceof PayPalRefusal && error.issue === 'CAPTURE_FULLY_REFUNDED';
        const made = isRefusal(error) && refundOf(order, request); // after PayPal forgot the key
        if (made) return operationAnswer(made);
        if (request.isRest && isDone) return { outcome: 'confirmed' };
        throw error;
      }
    });
  }

  async lookupOperation(request: OperationLookup, signal: AbortSignal): Promise<OperationState> {
    if (request.kind !== 'refund') throw new Error(`PayPal does not find a ${request.kind} by its key`);
    const order = await this.orderOf(request, this.open(request, signal));
    const made = refundOf(order, request);
    const capture = captureOf(order);
    // PayPal gave the id, or shows the sum of refunds without them
    const isAbsent =
      request.operationId !== null || (capture?.status.includes('REFUNDED') && refundsOf(order).length === 0);
    if (!capture || (!made && isAbsent)) throw new Error('PayPal answered no whole order');
    return made ? operationAnswer(made) : { outcome: 'not_found' };
  }

  async detach({ token, credentials }: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer> {
    try {
      await this.open({ credentials }, signal).call('DELETE', `/v3/vault/payment-tokens/${encodeURIComponent(token)}`);
      return { outcome: 'confirmed' };
    } catch (error) {
      if (error instanceof PayPalRefusal && error.status === 404) return { outcome: 'not_found' };
      throw error;
    }
  }

  async parseNotification(
    incoming: IncomingNotification,
    credentials: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ParsedNotification> {
    await this.signatures.verify(incoming, accountOf(credentials, this.base), signal);
    return parseEvent(this.context.parseJson(incoming.rawBody), () => this.open({ credentials }, signal));
  }

  private open({ credentials }: Opened, signal: AbortSignal): PayPalApi {
    return new PayPalApi(this.context, accountOf(credentials, this.base), signal);
  }

  private async orderOf(request: OperationReference, api: PayPalApi): Promise<Order> {
    return ours(await api.order(idOf(request)), request);
  }

  private async operate(
    api: PayPalApi,
    request: OperationRequest,
    path: string,
    body: object,
  ): Promise<OperationAnswer> {
    const made = (await api.call('POST', path, { body, key: request.idempotencyKey })) as Partial<Capture> | undefined;
    if (typeof made?.id !== 'string' || made.status === undefined) throw new Error('PayPal answered no whole object');
    return operationAnswer({ id: made.id, status: made.status });
  }
}

function idOf({ transactionId, reference }: OperationReference): string {
  if (transactionId === null) throw new Error(`PayPal's order of ${reference} is not known`);
  return transactionId;
}

function ours(order: Order, { reference }: OperationReference): Order {
  if (referenceOf(order) !== reference) throw new Error('PayPal answered an order of another reference');
  return order;
}

/** Never refused: the same amount or more was charged. */
function exactly({ amount, currency }: OperationRequest): Money {
  const converted = toMoney(amount, currency);
  if ('refusal' in converted) throw new PayPalRefusal(0, converted.refusal.toUpperCase());
  return converted.value;
}

function voided(order: Order): OperationAnswer {
  const { status } = stateOf(order);
  if (status === 'voided' || status === 'declined') return { outcome: 'confirmed' };
  return refusedAs(order, `PayPal does not cancel an order that is ${status}`);
}

function refusedAs(order: Order, reason: string): OperationAnswer {
  const charge: ChargeState = stateOf(order);
  return { outcome: 'refused', reason, retryable: charge.status === 'open' || charge.status === 'authorized', charge };
}

/** PayPal processed the call and refused it. */
const isRefusal = (error: unknown): error is PayPalRefusal =>
  error instanceof PayPalRefusal && unavailableReason(error) === undefined;

/** Refusals that pass: the account gets money, the capture is settled, the case is closed. */
const PASSING: ReadonlySet<string> = new Set([
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
  'PENDING_CAPTURE',
  'TRANSACTION_DISPUTED',
]);

/** Rethrows an error after which the outcome is unknown. */
async function operation(call: () => Promise<OperationAnswer>): Promise<OperationAnswer> {
  try {
    return await call();
  } catch (error) {
    const reason = unavailableReason(error);
    if (reason !== undefined) return { outcome: 'refused', reason, retryable: true, isUnavailable: true };
    if (!(error instanceof PayPalRefusal)) throw error;
    const { issue, message } = error;
    return {
      outcome: 'refused',
      reason: message,
      ...(issue && { code: codeOf(issue) }),
      retryable: PASSING.has(issue ?? ''),
    };
  }
}
