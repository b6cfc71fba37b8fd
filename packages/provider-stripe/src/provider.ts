import type { Stripe } from 'stripe';
import {
  type ActionReference,
  type CaptureRequest,
  type ChargeAnswer,
  type ChargeRequest,
  type ConnectorContext,
  type CredentialsAnswer,
  type DetachAnswer,
  type FieldError,
  type ListedCharges,
  NotificationRefused,
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
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import { STRIPE_CURRENCIES, toStripeAmount } from './amount.js';
import { captureIntent } from './capture.js';
import { stripeClient } from './client.js';
import { readStripeCredentials, STRIPE_CREDENTIAL_FIELDS, stripeCredentialErrors } from './credentials.js';
import { chargeRefusal, credentialsRefusal, readRefusal } from './failure.js';
import { answerAfterAction, answerOf, listedCharge, stateOf } from './intent.js';
import { createCharge, findUnrepeatable, listIntents, retrieveIntent, searchIntent } from './intents.js';
import { detachMethod, readStripeToken, withCustomer } from './method.js';
import { parseStripeNotification } from './notification.js';
import { refundIntent, stateOfRefund } from './refund.js';
import { voidIntent } from './void.js';

/** Stripe keeps keys for at least a day; one hour is left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = 23 * 3_600_000;
const API_BASE = 'https://api.stripe.com';
const INTENT = /^pi_[A-Za-z0-9_]{1,200}$/;

/** Stripe PaymentIntents, created and confirmed at once. Mapping of Stripe's codes: docs/integrate/providers.md. */
export class StripeProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'stripe';
  readonly accountsAreShared = true;
  readonly credentialFields = STRIPE_CREDENTIAL_FIELDS;
  private readonly base: URL;

  constructor(private readonly context: ConnectorContext) {
    this.base = new URL(context.settings['STRIPE_API_BASE'] ?? API_BASE);
  }

  /** A charge without a known id is repeated: the search by reference is behind, so it cannot return `not_found`. */
  capabilities(): ProviderCapabilities {
    return {
      lookup: 'by_transaction_id',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      operationLookup: ['refund'],
      currencies: STRIPE_CURRENCIES,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return stripeCredentialErrors(credentials);
  }

  /** Lists one PaymentIntent, which needs the same permission as our look-ups. */
  async checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      const stripe = await this.open({ credentials }, signal);
      await stripe.paymentIntents.list({ limit: 1 });
      return { outcome: 'accepted' };
    } catch (thrown) {
      return credentialsRefusal(thrown);
    }
  }

  /** A restricted key needs the permission to read the account; without it the call is refused. */
  async accountId(credentials: Record<string, unknown>, signal: AbortSignal): Promise<string> {
    const stripe = await this.open({ credentials }, signal);
    const { id } = await stripe.accounts.retrieveCurrent();
    return id;
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const amount = toStripeAmount(request.amount, request.currency);
    if ('refusal' in amount) return notCharged(amount.refusal, amount.reason);
    const method = readStripeToken(request.paymentMethod?.token);
    if (!method) return NO_TOKEN_OF_STRIPE;
    const stripe = await this.open(request, signal);
    try {
      const payer = request.save ? await withCustomer(stripe, request, method) : method;
      if ('outcome' in payer) return payer;
      return answerOf(await createCharge(stripe, { ...request, ...payer }, amount.minor));
    } catch (thrown) {
      if (readRefusal(thrown)) return chargeRefusal(thrown);
      return answerOf(await findUnrepeatable(thrown, stripe, request, amount.minor));
    }
  }

  /** Reads the intent after Stripe.js has acted. The data may name it: `{ payment_intent: "pi_…" }`. */
  async completeAction(
    request: ActionReference,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    const intent = await this.find(await this.open(request, signal), request);
    return answerAfterAction(intent, data);
  }

  /** By id. By reference it uses the search, and rejects instead of returning `not_found`. */
  async lookup(reference: OperationReference, signal: AbortSignal): Promise<ProviderState> {
    const stripe = await this.open(reference, signal);
    const intent = await this.find(stripe, reference);
    if (!intent) throw new Error(`Stripe's search does not find ${reference.reference}, so its state is unknown`);
    return stateOf(intent);
  }

  async listCharges(
    account: Pick<OperationReference, 'credentials'>,
    since: Date,
    after: string | null,
    signal: AbortSignal,
  ): Promise<ListedCharges> {
    const stripe = await this.open(account, signal);
    const { intents, hasMore } = await listIntents(stripe, since, after);
    return { charges: intents.map(listedCharge), next: (hasMore && intents.at(-1)?.id) || null };
  }

  capture(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return this.operate(request, signal, async (stripe) =>
      captureIntent(stripe, await this.requireId(stripe, request), request),
    );
  }

  void(request: OperationRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return this.operate(request, signal, (stripe) => voidIntent(stripe, request));
  }

  refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer> {
    return this.operate(request, signal, async (stripe) =>
      refundIntent(stripe, await this.requireId(stripe, request), request),
    );
  }

  /** Only of refunds: the intent shows captures and voids. */
  async lookupOperation(request: OperationLookup, signal: AbortSignal): Promise<OperationState> {
    const stripe = await this.open(request, signal);
    const id = request.operationId === null ? await this.idOf(stripe, request) : undefined;
    return stateOfRefund(stripe, id, request);
  }

  async detach({ token, credentials }: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer> {
    return detachMethod(await this.open({ credentials }, signal), token);
  }

  parseNotification(
    incoming: SignedRequest,
    credentials: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ParsedNotification> {
    const { clock, parseJson } = this.context;
    const retrieve = (intentId: string) => this.retrieveForNotification(intentId, credentials, signal);
    return parseStripeNotification(incoming, credentials['webhook_secret'], { now: clock.now(), parseJson, retrieve });
  }

  /** A refund or dispute that was made at Stripe names only its intent. */
  async findReference(
    intentId: string,
    { credentials }: Pick<OperationReference, 'credentials'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const intent = INTENT.test(intentId)
      ? await this.retrieveForNotification(intentId, credentials, signal)
      : undefined;
    return intent?.metadata['reference'];
  }

  /** `undefined`: this account has no such intent. If Stripe does not answer, it must send the notification again. */
  private async retrieveForNotification(
    intentId: string,
    credentials: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Stripe.PaymentIntent | undefined> {
    try {
      const stripe = await this.open({ credentials }, signal);
      return await retrieveIntent(stripe, intentId);
    } catch (cause) {
      if (readRefusal(cause)?.kind === 'refused') return undefined;
      throw new NotificationRefused('dependency_unavailable', { detail: 'Stripe gave no answer', cause });
    }
  }

  /** Rejects if the outcome is unknown. */
  private async operate(
    request: OperationRequest,
    signal: AbortSignal,
    call: (stripe: Stripe) => Promise<OperationAnswer>,
  ): Promise<OperationAnswer> {
    const stripe = await this.open(request, signal);
    try {
      return await call(stripe);
    } catch (thrown) {
      return refusedOperation(thrown);
    }
  }

  private async requireId(stripe: Stripe, request: OperationRequest): Promise<string> {
    const id = await this.idOf(stripe, request);
    if (id === undefined) throw new Error(`Stripe's search does not find ${request.reference} yet`);
    return id;
  }

  private async idOf(
    stripe: Stripe,
    { transactionId, reference }: Pick<OperationReference, 'transactionId' | 'reference'>,
  ): Promise<string | undefined> {
    return transactionId ?? (await searchIntent(stripe, reference))?.id;
  }

  private open({ credentials }: Pick<OperationReference, 'credentials'>, signal: AbortSignal): Promise<Stripe> {
    return stripeClient(this.context.http, this.base, readStripeCredentials(credentials).secretKey, signal);
  }

  private find(stripe: Stripe, { transactionId, reference }: OperationReference) {
    return transactionId === null ? searchIntent(stripe, reference) : retrieveIntent(stripe, transactionId);
  }
}

const notCharged = (declineCode: string, reason: string): ChargeAnswer => ({
  outcome: 'soft_declined',
  declineCode,
  metadata: { reason },
});

const NO_TOKEN_OF_STRIPE: ChargeAnswer = {
  ...PAYMENT_METHOD_UNUSABLE,
  metadata: { reason: 'payment_method.token must be a PaymentMethod (pm_… or cus_…/pm_…) for Stripe' },
};

/** Rethrows an error after which the outcome is unknown. */
function refusedOperation(thrown: unknown): OperationAnswer {
  const refusal = readRefusal(thrown);
  if (!refusal) throw thrown;
  const isUnavailable = refusal.kind === 'unavailable';
  return {
    outcome: 'refused',
    reason: refusal.reason,
    code: isUnavailable ? 'provider_error' : (refusal.error.code ?? 'request_refused'),
    retryable: isUnavailable,
    ...(isUnavailable && { isUnavailable }),
  };
}
