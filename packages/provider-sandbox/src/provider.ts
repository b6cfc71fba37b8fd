import {
  type ActionReference,
  type CaptureRequest,
  type ChargeAnswer,
  type ChargeRequest,
  type ConnectorContext,
  type CredentialsAnswer,
  type FieldError,
  type ListedCharges,
  type OperationAnswer,
  type OperationLookup,
  type OperationReference,
  type OperationRequest,
  type OperationState,
  type ParsedNotification,
  type PayerPages,
  type PaymentProvider,
  PORT_VERSION,
  type ProviderCapabilities,
  type ProviderState,
  type RefundRequest,
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import { acceptsAnyToken, accountNameOf } from './account.js';
import { listedCharge, stateOf } from './answers.js';
import { openBooks, type SandboxBooks } from './books.js';
import { isWritten, transactionIdFor } from './charge.js';
import { answerWithoutLedger } from './charges.js';
import { choosesTransactionIds, credentialErrors, SANDBOX_CREDENTIAL_FIELDS } from './credentials.js';
import { type CredentialsOf, DashboardChanges } from './dashboard/changes.js';
import { SandboxDisputes } from './dashboard/disputes.js';
import { readSandboxEvent } from './event.js';
import { captureWithoutLedger, operationStateWithoutLedger, refundWithoutLedger, voidWithoutLedger } from './memory.js';
import { isOwnNotification } from './notification-body.js';
import { payerPages } from './pages.js';
import { accountOf, requireSignature } from './signature.js';
import { scenarioOf } from './token.js';

/** The sandbox keeps keys for ever. */
const IDEMPOTENCY_WINDOW_MS = 10 * 365 * 86_400_000;
const PAGE_SIZE = 500;

/**
 * The provider for development and tests. It moves no money. Its answers depend on the payment method's token, or for all
 * payments of a shop on `simulate` in its credentials. It keeps books in the service's database; without them
 * (`SANDBOX_LEDGER=false`) it gives the same answers and stores nothing.
 */
export class SandboxProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'sandbox';
  readonly accountsAreShared = false;
  readonly credentialFields = SANDBOX_CREDENTIAL_FIELDS;
  /** `undefined`: outside of the service. */
  readonly books: SandboxBooks | undefined;
  readonly pages: PayerPages | undefined;
  /** The books, if calls are recorded. */
  private readonly kept: SandboxBooks | undefined;

  constructor(private readonly context: ConnectorContext) {
    this.books = openBooks(context);
    this.kept = this.books?.isKept ? this.books : undefined;
    this.pages = this.books && payerPages(this.books);
  }

  /** Sends notifications from now on. */
  start(): void {
    this.kept?.notifier.start();
  }

  async stop(): Promise<void> {
    await this.books?.notifier.stop();
  }

  /** Changes that people make at the sandbox; `credentials`: those of a shop. Only in the service. */
  dashboard(credentials: CredentialsOf): { changes: DashboardChanges; disputes: SandboxDisputes } {
    const books = this.books!;
    const changes = new DashboardChanges(books, credentials, this.context);
    return { changes, disputes: new SandboxDisputes(books.database, changes, books.notifier, this.context) };
  }

  capabilities(credentials: Record<string, unknown>): ProviderCapabilities {
    return {
      lookup: this.kept ? 'by_reference' : 'none',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: choosesTransactionIds(credentials),
      acceptsAnyToken: acceptsAnyToken(credentials),
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      capturesLater: true,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return credentialErrors(credentials);
  }

  /** Accepts all credentials, because the sandbox has no accounts. */
  checkCredentials(): Promise<CredentialsAnswer> {
    return Promise.resolve({ outcome: 'accepted' });
  }

  accountId(credentials: Record<string, unknown>): Promise<string> {
    return Promise.resolve(accountNameOf(credentials));
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const scenario = scenarioOf(request.paymentMethod?.token, request.credentials, request.initiator);
    if (scenario.outcome === 'unavailable')
      return { outcome: 'unavailable', reason: 'the sandbox simulates an outage' };
    if (!isWritten(scenario)) return neverAnswers(signal);
    if (!this.kept) {
      return scenario.losesAnswer
        ? neverAnswers(signal)
        : described(request, answerWithoutLedger(request, scenario, this.context));
    }
    const { isNew, answer } = await this.kept.charges.record(request, scenario);
    return isNew && scenario.losesAnswer ? neverAnswers(signal) : described(request, answer);
  }

  /** Only with a ledger. The data: `{ result: "approved" | "declined", challenge? }`. */
  completeAction({ reference }: ActionReference, data: Readonly<Record<string, unknown>>): Promise<ChargeAnswer> {
    return this.books!.charges.complete(reference, data);
  }

  /** Only with a ledger. */
  async lookup({ reference }: OperationReference): Promise<ProviderState> {
    return stateOf(await this.books!.ledger.find(reference));
  }

  /** Empty without a ledger. */
  async listCharges(
    { shopId }: Pick<OperationReference, 'shopId'>,
    since: Date,
    after: string | null,
  ): Promise<ListedCharges> {
    if (!this.kept) return { charges: [], next: null };
    const rows = await this.kept.ledger.listSince(shopId, since, Number(after ?? 0), PAGE_SIZE);
    const next = rows.length < PAGE_SIZE ? null : String(rows.at(-1)!.id);
    return { charges: rows.map(listedCharge), next };
  }

  async void(request: OperationRequest): Promise<OperationAnswer> {
    if (!this.kept) return voidWithoutLedger(request);
    return this.kept.operations.void(request, transactionIdFor(request, this.context));
  }

  async capture(request: CaptureRequest): Promise<OperationAnswer> {
    if (!this.kept) return captureWithoutLedger(request);
    return this.kept.operations.capture(request);
  }

  async refund(request: RefundRequest): Promise<OperationAnswer> {
    if (!this.kept) return refundWithoutLedger(request);
    return this.kept.operations.refund(request);
  }

  lookupOperation(request: OperationLookup): Promise<OperationState> {
    if (!this.kept) return Promise.resolve(operationStateWithoutLedger(request));
    return this.kept.operations.lookup(request);
  }

  async parseNotification(incoming: SignedRequest, credentials: Record<string, unknown>): Promise<ParsedNotification> {
    const secret = requireSignature(incoming, credentials);
    const event = readSandboxEvent(this.context.parseJson(incoming.rawBody));
    if (!isOwnNotification(event.id)) await this.kept?.ledger.follow(event, accountOf(secret));
    return { events: [event] };
  }
}

/**
 * The answer with the saved payment method, which has the token of its first charge: the books keep no tokens. A charge by the
 * merchant shows what it refers to.
 */
function described(request: ChargeRequest, answer: ChargeAnswer): ChargeAnswer {
  const { save, paymentMethod, initiator, agreement, firstCharge = {}, reference } = request;
  const { transactionId } = answer;
  const token = paymentMethod?.token;
  const isCharged = answer.outcome === 'approved' || answer.outcome === 'authorized';
  if (!isCharged || transactionId === undefined) return answer;
  if (save && token !== undefined)
    return { ...answer, savedMethod: { token, networkTransactionId: `sbn_${reference}`, transactionId } };
  if (initiator !== 'merchant') return answer;
  const { networkTransactionId: network, transactionId: first } = firstCharge;
  const referred = {
    ...(agreement && { agreement }),
    ...(network !== undefined && { network_transaction_id: network }),
    ...(first !== undefined && { first_transaction_id: first }),
  };
  return Object.keys(referred).length > 0 ? { ...answer, metadata: { ...answer.metadata, ...referred } } : answer;
}

function neverAnswers(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('the sandbox did not answer', { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
