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
  type ListedCharges,
  NotificationRefused,
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
import { MOLLIE_CURRENCIES, toMollieAmount } from './amount.js';
import { isRefusal, MollieApi, MollieRefusal, unavailableReason } from './client.js';
import { MOLLIE_CREDENTIALS } from './credentials.js';
import type { Amount, Capture, Payment, Refund } from './documents.js';
import { mandateOf, METHOD_TYPES, methodErrors } from './method.js';
import { chargeAnswer, disputeEvent, operationAnswer, referenceOf, restOf, stateOf, statusOf } from './payment.js';
import { createPayment, notCharged } from './new-payment.js';
import { cancelPayment } from './void.js';

/** Mollie keeps keys for an hour; five minutes are left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = 55 * 60_000;
/** How far Mollie's clock may be behind ours when a payment is searched by its time. */
const CLOCK_MARGIN_MS = 5 * 60_000;
const PAYMENT_ID = /^tr_\w{1,60}$/;

/**
 * Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api. Its notifications are not signed and only name
 * a payment, which is looked up. Mapping: docs/integrate/mollie.md.
 */
export class MollieProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'mollie';
  /** A shop system or the dashboard makes payments under the same key; ours have our reference. */
  readonly accountsAreShared = true;
  readonly credentialFields = credentialFields(MOLLIE_CREDENTIALS);
  private readonly base: string;

  constructor(private readonly context: Pick<ConnectorContext, 'http' | 'settings'>) {
    this.base = context.settings['MOLLIE_API_BASE'] ?? 'https://api.mollie.com';
  }

  capabilities(): ProviderCapabilities {
    return {
      lookup: 'by_transaction_id', // there is no search by metadata
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      operationLookup: ['capture', 'refund'],
      voidsUnfinished: false,
      paymentMethodTypes: METHOD_TYPES,
      currencies: MOLLIE_CURRENCIES,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return credentialErrors('Mollie', MOLLIE_CREDENTIALS, credentials);
  }

  paymentMethodErrors(data: Readonly<Record<string, unknown>>): FieldError[] {
    return methodErrors(data);
  }

  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      if ((await this.accountId(credentials, signal)) !== null) return { outcome: 'accepted' };
      return { outcome: 'unknown', reason: 'Mollie gave an answer without a profile' };
    } catch (error) {
      if (error instanceof MollieRefusal && error.status === 401)
        return { outcome: 'refused', errors: [{ field: 'api_key', message: 'is not a key that Mollie knows' }] };
      return { outcome: 'unknown', reason: unavailableReason(error) ?? 'Mollie gave no answer' };
    }
  }

  /** Card tokens and mandates are valid in one profile. */
  async accountId(credentials: Record<string, unknown>, signal: AbortSignal): Promise<string | null> {
    const { id } = (await this.open({ credentials }, signal).call('GET', '/profiles/me')) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const amount = toMollieAmount(request.amount, request.currency);
    if ('refusal' in amount)
      return { outcome: 'soft_declined', declineCode: amount.refusal, metadata: { reason: amount.reason } };
    try {
      return chargeAnswer(await createPayment(this.open(request, signal), request, amount.value), request.capture);
    } catch (error) {
      return notCharged(error);
    }
  }

  async lookup(request: OperationReference, signal: AbortSignal): Promise<ProviderState> {
    const { transactionId, reference } = request;
    if (transactionId === null) throw new Error('Mollie finds a payment only by its id');
    const payment = await this.open(request, signal).payment(transactionId);
    if (referenceOf(payment) !== reference) throw new Error('Mollie answered a payment of another reference');
    return stateOf(payment);
  }

  async findReference(
    transactionId: string,
    account: Pick<OperationReference, 'credentials'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const payment = await this.open(account, signal).findPayment(transactionId);
    return payment && referenceOf(payment);
  }

  async listCharges(
    account: Pick<OperationReference, 'credentials'>,
    since: Date,
    after: string | null,
    signal: AbortSignal,
  ): Promise<ListedCharges> {
    const { payments, next } = await this.open(account, signal).page(after);
    const charges = payments.filter(({ createdAt }) => new Date(createdAt) >= since).map(listed);
    return { charges, next: charges.length < payments.length ? null : next };
  }

  void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return operation(async () => {
      const api = this.open(request, signal);
      const since = new Date(request.attemptedAt.getTime() - CLOCK_MARGIN_MS);
      const id = request.transactionId ?? (await api.search(request.reference, since))?.id;
      // Mollie has no payment with the reference
      return id === undefined ? { outcome: 'confirmed' } : cancelPayment(api, id, request.idempotencyKey);
    });
  }

  capture(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return operation(() => this.operate(request, 'captures', exactly(request), signal));
  }

  refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return operation(async () => {
      if (!request.isRest) return this.operate(request, 'refunds', exactly(request), signal);
      const made = await this.find(request, 'refunds', signal);
      if (made) return operationAnswer(made);
      const rest = restOf(await this.open(request, signal).payment(idOf(request)));
      return rest ? this.operate(request, 'refunds', rest, signal) : { outcome: 'confirmed' };
    });
  }

  /** A cancellation has no object at Mollie: the payment shows it. */
  async lookupOperation(request: OperationLookup, signal: AbortSignal): Promise<OperationState> {
    const { kind, operationId } = request;
    if (kind === 'void') throw new Error('Mollie has no object for a cancellation');
    const made = await this.find(request, `${kind}s`, signal, operationId);
    return made ? operationAnswer(made) : { outcome: 'not_found' };
  }

  async detach({ token, credentials }: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer> {
    const mandate = mandateOf(token);
    if (!mandate) return { outcome: 'not_found' };
    try {
      const path = `/customers/${mandate.customerId}/mandates/${mandate.mandateId}`;
      await this.open({ credentials }, signal).call('DELETE', path);
      return { outcome: 'confirmed' };
    } catch (error) {
      if (error instanceof MollieRefusal && [404, 410].includes(error.status)) return { outcome: 'not_found' };
      throw error;
    }
  }

  /** A look-up shows no chargeback, so this asks Mollie for them. */
  async parseNotification(
    { rawBody }: IncomingNotification,
    credentials: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ParsedNotification> {
    const id = new URLSearchParams(rawBody.toString()).get('id');
    if (id === null || !PAYMENT_ID.test(id))
      throw new NotificationRefused('validation_failed', {
        errors: [{ field: 'id', message: 'must be the id of a payment, such as tr_7UhSN1zuXS' }],
      });
    const payment = await this.open({ credentials }, signal).findPayment(id);
    const chargebacks = payment && referenceOf(payment) ? (payment._embedded?.chargebacks ?? []) : [];
    return { events: chargebacks.map((chargeback) => disputeEvent(payment!, chargeback)), ask: [id] };
  }

  private open({ credentials }: Pick<OperationReference, 'credentials'>, signal: AbortSignal): MollieApi {
    return new MollieApi(this.context.http, this.base, credentials, signal);
  }

  /** The capture or refund of an earlier call: by its id, or by the key in its metadata. */
  private async find(
    request: OperationRequest,
    kind: Kind,
    signal: AbortSignal,
    operationId: string | null = null,
  ): Promise<Capture | Refund | undefined> {
    const made = await this.open(request, signal).operations(idOf(request), kind);
    return made.find(({ id, metadata }) => id === operationId || metadata?.key === request.idempotencyKey);
  }

  /** A refusal may be of a repeat after Mollie forgot the key, so an earlier call is looked for. */
  private async operate(
    request: OperationRequest,
    kind: Kind,
    amount: Amount,
    signal: AbortSignal,
  ): Promise<OperationAnswer> {
    const { idempotencyKey: key } = request;
    const body = { amount, description: `Payment ${request.paymentId}`, metadata: { key } };
    try {
      const made = await this.open(request, signal).call(
        'POST',
        `/payments/${encodeURIComponent(idOf(request))}/${kind}`,
        { body, key },
      );
      return operationAnswer(made as Capture | Refund);
    } catch (error) {
      const made = isRefusal(error) && (await this.find(request, kind, signal));
      if (made) return operationAnswer(made);
      throw error;
    }
  }
}

type Kind = 'captures' | 'refunds';

function idOf({ transactionId, reference }: OperationReference): string {
  if (transactionId === null) throw new Error(`Mollie's id of ${reference} is not known`);
  return transactionId;
}

/** Never refused: the same amount or more was charged. */
function exactly({ amount, currency }: OperationRequest): Amount {
  const converted = toMollieAmount(amount, currency);
  if ('refusal' in converted) throw new AmountRefused(converted.reason);
  return converted.value;
}

class AmountRefused extends Error {}

const listed = (payment: Payment): ListedCharges['charges'][number] => ({
  reference: referenceOf(payment) ?? null,
  paymentId: payment.metadata?.payment_id ?? null,
  transactionId: payment.id,
  status: statusOf(payment),
  amount: payment.amount.value,
  currency: payment.amount.currency,
  createdAt: new Date(payment.createdAt),
});

/** Rethrows an error after which the outcome is unknown. */
async function operation(call: () => Promise<OperationAnswer>): Promise<OperationAnswer> {
  try {
    return await call();
  } catch (error) {
    const reason = unavailableReason(error);
    if (reason !== undefined) return { outcome: 'refused', reason, retryable: true, isUnavailable: true };
    if (error instanceof MollieRefusal || error instanceof AmountRefused)
      return { outcome: 'refused', reason: error.message, retryable: false };
    throw error;
  }
}
