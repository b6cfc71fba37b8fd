import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { FieldError } from '../../shared/problem.js';
import { Random } from '../../shared/random.js';
import type {
  ChargeAnswer,
  ChargeRequest,
  CredentialsAnswer,
  IncomingNotification,
  ListedCharges,
  OperationAnswer,
  OperationReference,
  OperationRequest,
  ParsedNotification,
  PaymentProvider,
  ProviderCapabilities,
  ProviderState,
  RefundRequest,
} from '../payment-provider.js';
import { SandboxAddress } from './sandbox-address.js';
import { chargeAnswerOf, listedCharge, stateOf } from './sandbox-answers.js';
import { isWritten, newTransaction, SETTLES_IN_MS, transactionIdFor, type WrittenScenario } from './sandbox-charge.js';
import { choosesTransactionIds, credentialErrors, SANDBOX_CREDENTIAL_FIELDS } from './sandbox-credentials.js';
import { parseSandboxEvent } from './sandbox-event.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { isOwnNotification, notificationOf } from './sandbox-notification-body.js';
import { SandboxNotifier } from './sandbox-notifier.js';
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
  readonly name = 'sandbox';
  readonly accountsAreShared = false;
  readonly credentialFields = SANDBOX_CREDENTIAL_FIELDS;

  constructor(
    private readonly ledger: SandboxLedger,
    private readonly notifier: SandboxNotifier,
    private readonly address: SandboxAddress,
    private readonly random: Random,
    @InjectConfig() private readonly config: Pick<Config, 'sandbox'>,
  ) {}

  capabilities(credentials: Record<string, unknown>): ProviderCapabilities {
    return {
      lookup: this.config.sandbox.ledger ? 'by_reference' : 'none',
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: choosesTransactionIds(credentials),
      manualCapture: false,
      partialCapture: false,
      partialRefund: false,
    };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return credentialErrors(credentials);
  }

  /** Accepts all credentials, because the sandbox has no accounts. */
  checkCredentials(): Promise<CredentialsAnswer> {
    return Promise.resolve({ outcome: 'accepted' });
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const scenario = scenarioOf(request.paymentMethodToken, request.credentials);
    if (scenario.outcome === 'unavailable')
      return { outcome: 'unavailable', reason: 'the sandbox simulates an outage' };
    if (!isWritten(scenario)) return neverAnswers(signal);
    return this.config.sandbox.ledger
      ? this.recordCharge(request, scenario, signal)
      : this.answerWithoutLedger(request, scenario, signal);
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
    if (!this.config.sandbox.ledger) return { outcome: 'confirmed' };
    return this.ledger.void(request, transactionIdFor(request, this.random));
  }

  async refund(request: RefundRequest): Promise<OperationAnswer> {
    if (!this.config.sandbox.ledger) return { outcome: 'confirmed' };
    const moment = { due_in_ms: SETTLES_IN_MS, choice: null };
    const answer = await this.ledger.refund(request, SETTLES_IN_MS, (transaction) =>
      notificationOf(transaction, 'refunded', request.credentials, this.random.uuid(), moment),
    );
    if (answer.outcome === 'pending') this.notifier.wake(SETTLES_IN_MS);
    return answer;
  }

  async parseNotification(
    incoming: IncomingNotification,
    credentials: Record<string, unknown>,
  ): Promise<ParsedNotification> {
    const secret = requireSignature(incoming, credentials);
    const event = parseSandboxEvent(incoming.rawBody);
    const isByHand = this.config.sandbox.ledger && !isOwnNotification(event.id);
    if (isByHand) await this.ledger.follow(event, accountOf(secret));
    return { events: [event] };
  }

  private async recordCharge(
    request: ChargeRequest,
    scenario: WrittenScenario,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    const charge = newTransaction(request, scenario, this.random, this.address);
    if (!(await this.ledger.open(charge))) return chargeAnswerOf(await this.ledger.repeat(charge));
    for (const { due_in_ms: dueInMs } of charge.notifications) if (dueInMs) this.notifier.wake(dueInMs);
    if (scenario.notifiesFirst) await this.notifier.sendNow(charge.reference);
    return scenario.losesAnswer ? neverAnswers(signal) : chargeAnswerOf(charge);
  }

  /** Answers without a ledger: there is no page for the payer, and no notification follows. */
  private answerWithoutLedger(
    request: ChargeRequest,
    scenario: WrittenScenario,
    signal: AbortSignal,
  ): Promise<ChargeAnswer> {
    if (scenario.losesAnswer) return neverAnswers(signal);
    const { outcome, declineCode = null } = scenario;
    const transactionId = transactionIdFor(request, this.random);
    const charge = { transaction_id: transactionId, outcome, decline_code: declineCode, page_url: null };
    return Promise.resolve(chargeAnswerOf(charge));
  }
}

function neverAnswers(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('the sandbox did not answer', { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
