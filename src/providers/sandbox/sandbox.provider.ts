import { Injectable } from '@nestjs/common';
import { type ParsedNotification, PORT_VERSION, type SignedRequest } from '@payment-orchestrator/provider-kit';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { FieldError } from '../../shared/problem.js';
import { Random } from '../../shared/random.js';
import type {
  ActionReference,
  CaptureRequest,
  ChargeAnswer,
  ChargeRequest,
  CredentialsAnswer,
  ListedCharges,
  OperationAnswer,
  OperationLookup,
  OperationReference,
  OperationRequest,
  OperationState,
  PaymentProvider,
  ProviderCapabilities,
  ProviderState,
  RefundRequest,
} from '../payment-provider.js';
import { listedCharge, stateOf } from './sandbox-answers.js';
import {
  captureWithoutLedger,
  operationStateWithoutLedger,
  refundWithoutLedger,
  voidWithoutLedger,
} from './sandbox-memory.js';
import { isWritten, transactionIdFor } from './sandbox-charge.js';
import { SandboxCharges } from './sandbox-charges.js';
import { acceptsAnyToken, accountNameOf } from './sandbox-account.js';
import { choosesTransactionIds, credentialErrors, SANDBOX_CREDENTIAL_FIELDS } from './sandbox-credentials.js';
import { parseSandboxEvent } from './sandbox-event.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { isOwnNotification } from './sandbox-notification-body.js';
import { SandboxOperations } from './sandbox-operations.js';
import { accountOf, requireSignature } from './sandbox-signature.js';
import { scenarioOf } from './sandbox-token.js';

/** The sandbox keeps keys for ever. */
const IDEMPOTENCY_WINDOW_MS = 10 * 365 * 86_400_000;
const PAGE_SIZE = 500;

/**
 * The built-in provider for development and tests. It moves no money. Its answers depend on the payment method's token,
 * or for all payments of a shop on `simulate` in its credentials. It keeps a ledger in its own tables; without it
 * (`SANDBOX_LEDGER=false`) it gives the same answers and stores nothing.
 */
@Injectable()
export class SandboxProvider implements PaymentProvider {
  readonly portVersion = PORT_VERSION;
  readonly name = 'sandbox';
  readonly accountsAreShared = false;
  readonly credentialFields = SANDBOX_CREDENTIAL_FIELDS;

  constructor(
    private readonly ledger: SandboxLedger,
    private readonly charges: SandboxCharges,
    private readonly operations: SandboxOperations,
    private readonly random: Random,
    @InjectConfig() private readonly config: Pick<Config, 'sandbox'>,
  ) {}

  capabilities(credentials: Record<string, unknown>): ProviderCapabilities {
    return {
      lookup: this.config.sandbox.ledger ? 'by_reference' : 'none',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: choosesTransactionIds(credentials),
      acceptsAnyToken: acceptsAnyToken(credentials),
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
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
    if (!this.config.sandbox.ledger) {
      return scenario.losesAnswer
        ? neverAnswers(signal)
        : saving(request, this.charges.answerWithoutLedger(request, scenario));
    }
    const { isNew, answer } = await this.charges.record(request, scenario);
    return isNew && scenario.losesAnswer ? neverAnswers(signal) : saving(request, answer);
  }

  /** Only with a ledger. The data: `{ result: "approved" | "declined", challenge? }`. */
  completeAction({ reference }: ActionReference, data: Readonly<Record<string, unknown>>): Promise<ChargeAnswer> {
    return this.charges.complete(reference, data);
  }

  /** Only with a ledger. */
  async lookup({ reference }: OperationReference): Promise<ProviderState> {
    return stateOf(await this.ledger.find(reference));
  }

  /** Empty without a ledger. */
  async listCharges(
    { shopId }: Pick<OperationReference, 'shopId'>,
    since: Date,
    after: string | null,
  ): Promise<ListedCharges> {
    if (!this.config.sandbox.ledger) return { charges: [], next: null };
    const rows = await this.ledger.listSince(shopId, since, Number(after ?? 0), PAGE_SIZE);
    const next = rows.length < PAGE_SIZE ? null : String(rows.at(-1)!.id);
    return { charges: rows.map(listedCharge), next };
  }

  async void(request: OperationRequest): Promise<OperationAnswer> {
    if (!this.config.sandbox.ledger) return voidWithoutLedger(request);
    return this.operations.void(request, transactionIdFor(request, this.random));
  }

  async capture(request: CaptureRequest): Promise<OperationAnswer> {
    if (!this.config.sandbox.ledger) return captureWithoutLedger(request);
    return this.operations.capture(request);
  }

  async refund(request: RefundRequest): Promise<OperationAnswer> {
    if (!this.config.sandbox.ledger) return refundWithoutLedger(request);
    return this.operations.refund(request);
  }

  lookupOperation(request: OperationLookup): Promise<OperationState> {
    if (!this.config.sandbox.ledger) return Promise.resolve(operationStateWithoutLedger(request));
    return this.operations.lookup(request);
  }

  async parseNotification(incoming: SignedRequest, credentials: Record<string, unknown>): Promise<ParsedNotification> {
    const secret = requireSignature(incoming, credentials);
    const event = parseSandboxEvent(incoming.rawBody);
    const isByHand = this.config.sandbox.ledger && !isOwnNotification(event.id);
    if (isByHand) await this.ledger.follow(event, accountOf(secret));
    return { events: [event] };
  }
}

/** A saved payment method has the token of its first charge. Only the answer tells it: the books keep no tokens. */
function saving({ save, paymentMethod }: ChargeRequest, answer: ChargeAnswer): ChargeAnswer {
  const token = paymentMethod?.token;
  const isCharged = answer.outcome === 'approved' || answer.outcome === 'authorized';
  return save && isCharged && token !== undefined ? { ...answer, savedMethod: { token } } : answer;
}

function neverAnswers(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('the sandbox did not answer', { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
