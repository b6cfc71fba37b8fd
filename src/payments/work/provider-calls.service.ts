import { Injectable } from '@nestjs/common';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import {
  type ChargeAnswer,
  type DetachAnswer,
  type OperationAnswer,
  type OperationReference,
  type OperationRequest,
  type OperationState,
  type PaymentProvider,
  type ProviderCapabilities,
  type ProviderState,
  type SavedMethod,
  validFacts,
} from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { CardFacts } from '../../shared/payment-method.js';
import type { ProviderAccount } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { NewCharge, OperationRow } from '../money/state/operation.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { ChargeInput } from '../methods/given-charge.js';
import { SavedMethods } from '../methods/saved-methods.service.js';
import {
  type CallTarget,
  ProviderCallRunner,
  type ProviderOutcome,
} from '../../providers/calls/provider-call-runner.service.js';
import { canLookUp, canLookUpOperation, type RefusedData, refusedData } from '../../providers/calls/call-rules.js';

/** The attempt of a payment that a charge is for. */
export type ChargeTarget = Pick<OperationRow, 'shop_id' | 'attempt' | 'provider' | 'provider_transaction_id'> &
  NewCharge;

/** The attempt of a payment whose payer took a step. */
export type ActingAttempt = Pick<
  OperationRow,
  'payment_id' | 'attempt' | 'shop_id' | 'provider' | 'provider_transaction_id' | 'reference' | 'amount' | 'currency'
> &
  Pick<PaymentRow, 'capture'>;

/** The provider's state of an attempt. `capturesLater`: an automatic charge that is authorised is approved. */
export type LookedUp = ProviderOutcome<ProviderState> & { capturesLater?: boolean };

/** An attempt with its ids on both sides. */
type ReferredAttempt = CallTarget &
  Pick<OperationRow, 'payment_id'> &
  Pick<OperationRow, 'provider_transaction_id' | 'reference'>;

/**
 * Calls providers with the shop's credentials, never inside a transaction. Every call that changes something is recorded
 * before it (`OperationRecords`).
 */
@Injectable()
export class ProviderCallsService {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly shops: ShopsService,
    private readonly runner: ProviderCallRunner,
    private readonly savedMethods: SavedMethods,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** `account`: the shop's, if the caller has just read it. `isRepeat`: it may have been sent before under its key. */
  async charge(
    payment: PaymentRow,
    target: ChargeTarget,
    { paymentMethod, ...facts }: ChargeInput,
    { account: known, isRepeat }: { account?: ProviderAccount | undefined; isRepeat: boolean },
  ): Promise<ProviderOutcome<ChargeAnswer>> {
    const provider = this.providers.get(target.provider);
    const { credentials } = known ?? (await this.account(target.shop_id));
    const attempt = { payment_id: payment.id, ...target };
    const isTheirs = provider.capabilities(credentials).choosesTransactionIds;
    const request = {
      paymentId: payment.id,
      shopId: target.shop_id,
      reference: target.reference,
      credentials,
      transactionId: isTheirs ? null : target.provider_transaction_id,
      idempotencyKey: target.idempotencyKey,
      amount: payment.amount,
      currency: payment.currency,
      country: payment.country,
      sessionId: payment.payment_session_id,
      paymentMethod,
      ...facts,
      returnUrl: this.returnUrlOf(provider, payment, target.reference),
      attemptedAt: target.attemptedAt,
      notificationUrl: this.notificationUrlOf(target),
      customer: customerOf(payment),
      metadata: payment.metadata,
      capture: payment.capture,
      ...(isRepeat && { isRepeat }),
      ...(payment.initiator !== null && { initiator: payment.initiator }),
      ...(payment.agreement !== null && { agreement: payment.agreement }),
      ...(payment.payment_method?.save && { save: true }),
    };
    return this.runner.run(attempt, 'charge', async (signal) =>
      this.keeping(attempt, await provider.charge(request, signal)),
    );
  }

  /** Completes the payer's step. `refused`: the data is incomplete, or about another transaction. */
  async completeAction(
    attempt: ActingAttempt,
    data: Readonly<Record<string, unknown>>,
  ): Promise<ProviderOutcome<ChargeAnswer | RefusedData>> {
    const provider = this.providers.get(attempt.provider);
    if (!provider.completeAction) return { known: false };
    const { credentials } = await this.account(attempt.shop_id);
    const { amount, currency, capture } = attempt;
    const request = { ...this.referenceOf(attempt, credentials), amount, currency, capture };
    return this.runner.run<ChargeAnswer | RefusedData>(attempt, 'complete_action', (signal) =>
      provider.completeAction!(request, data, signal)
        .then((answer) => this.keeping(attempt, answer))
        .catch(refusedData),
    );
  }

  /** Captures from the payment's authorisation. */
  async capture(operation: OperationRow, payment: PaymentRow): Promise<ProviderOutcome<OperationAnswer>> {
    const { provider, request } = await this.requestOf(operation);
    const capture = { ...request, authorizedAmount: payment.amount_authorized };
    if (!provider.capture) throw new Error(`${provider.name} captures nothing`);
    return this.runner.run(operation, 'capture', (signal) => provider.capture!(capture, signal));
  }

  async void(operation: OperationRow): Promise<ProviderOutcome<OperationAnswer>> {
    const { provider, request } = await this.requestOf(operation);
    const voided = { ...request, chargeIdempotencyKey: operation.charge_idempotency_key };
    return this.runner.run(operation, 'void', async (signal) =>
      this.keepingCharge(operation, await provider.void(voided, signal)),
    );
  }

  async refund(operation: OperationRow): Promise<ProviderOutcome<OperationAnswer>> {
    const { provider, request } = await this.requestOf(operation);
    const refund = {
      ...request,
      reason: operation.refund_reason ?? undefined,
      isRest: operation.refund_id === null,
    };
    return this.runner.run(operation, 'refund', (signal) => provider.refund(refund, signal));
  }

  /** Whether the provider can be asked for the state of an attempt. */
  async canLookUp(attempt: ReferredAttempt): Promise<boolean> {
    const { credentials } = await this.account(attempt.shop_id);
    return canLookUp(this.providers.get(attempt.provider), credentials, attempt.provider_transaction_id);
  }

  /** The provider's state of an attempt; not known if the provider has no look-up for it. */
  async lookup(attempt: ReferredAttempt): Promise<LookedUp> {
    const provider = this.providers.get(attempt.provider);
    const { credentials } = await this.account(attempt.shop_id);
    if (!canLookUp(provider, credentials, attempt.provider_transaction_id)) return { known: false };
    const reference = this.referenceOf(attempt, credentials);
    const looked = await this.runner.run(attempt, 'lookup', async (signal) =>
      this.keeping(attempt, await provider.lookup!(reference, signal)),
    );
    return { ...looked, capturesLater: provider.capabilities(credentials).capturesLater === true };
  }

  /** The outcome of a capture, void or refund; `undefined` if the provider has no look-up of its kind. */
  async lookupOperation(operation: OperationRow): Promise<ProviderOutcome<OperationState> | undefined> {
    const { kind, provider_operation_id: operationId } = operation;
    const { provider, request } = await this.requestOf(operation);
    if (kind === 'charge' || !canLookUpOperation(provider, request.credentials, kind)) return undefined;
    return this.runner.run(operation, 'lookup_operation', async (signal) =>
      this.keepingCharge(operation, await provider.lookupOperation!({ ...request, kind, operationId }, signal)),
    );
  }

  /** Removes a saved payment method at the shop's provider; `undefined` if the provider has no such call. */
  async detach(shopId: number, token: string): Promise<ProviderOutcome<DetachAnswer> | undefined> {
    const { provider: name, credentials } = await this.account(shopId);
    const provider = this.providers.get(name);
    if (!provider.detach) return undefined;
    const target = { shop_id: shopId, provider: name };
    return this.runner.run(target, 'detach', (signal) => provider.detach!({ token, credentials }, signal));
  }

  /** The capabilities of the shop's provider with its credentials. */
  async capabilitiesOf({ shop_id: shopId }: { shop_id: number }): Promise<ProviderCapabilities> {
    const { provider, credentials } = await this.account(shopId);
    return this.providers.get(provider).capabilities(credentials);
  }

  /**
   * Stores the payment method that the provider has saved before the answer is used. If that fails, there is no answer,
   * and recovery asks again.
   */
  private async keeping<Answer extends { savedMethod?: SavedMethod; card?: CardFacts } | { status: 'not_found' }>(
    attempt: ReferredAttempt,
    answer: Answer,
  ): Promise<Answer> {
    if ('savedMethod' in answer && answer.savedMethod) {
      const card = 'card' in answer ? validFacts(answer.card) : undefined;
      await this.savedMethods.keep(attempt, answer.savedMethod, card);
    }
    return answer;
  }

  private async keepingCharge<Answer extends OperationState>(operation: OperationRow, answer: Answer): Promise<Answer> {
    if (answer.outcome === 'refused' && answer.charge) await this.keeping(operation, answer.charge);
    return answer;
  }

  private async requestOf(operation: OperationRow): Promise<{ provider: PaymentProvider; request: OperationRequest }> {
    const provider = this.providers.get(operation.provider);
    const { credentials } = await this.account(operation.shop_id);
    const { idempotency_key: idempotencyKey, amount, currency, attempted_at: attemptedAt } = operation;
    const reference = this.referenceOf(operation, credentials);
    const notificationUrl = this.notificationUrlOf(operation);
    const request = { ...reference, idempotencyKey, amount, currency, attemptedAt, notificationUrl };
    return { provider, request: { ...request, ...(operation.key_calls > 1 && { isRepeat: true }) } };
  }

  private referenceOf(target: ReferredAttempt, credentials: Record<string, unknown>): OperationReference {
    return {
      paymentId: target.payment_id,
      shopId: target.shop_id,
      reference: target.reference,
      transactionId: target.provider_transaction_id,
      credentials,
    };
  }

  /** An address of ours if the adapter must handle the return; none if our public address is not configured. */
  private returnUrlOf(provider: PaymentProvider, payment: PaymentRow, reference: string): string | undefined {
    const { return_url: returnUrl } = payment;
    if (!provider.completesRedirects || returnUrl === null) return returnUrl ?? undefined;
    const { publicUrl } = this.config;
    return publicUrl && `${publicUrl}/providers/${provider.name}/return/${reference}`;
  }

  private notificationUrlOf({
    provider,
    shop_id: shopId,
  }: Pick<CallTarget, 'provider' | 'shop_id'>): string | undefined {
    const { publicUrl } = this.config;
    return publicUrl && `${publicUrl}/providers/${provider}/notifications/${shopId}`;
  }

  private async account(shopId: number): Promise<ProviderAccount> {
    const account = await this.shops.providerAccount(shopId);
    if (!account) throw new Error(`there is no shop ${shopId}`);
    return account;
  }
}

const customerOf = ({ customer }: PaymentRow) =>
  customer && {
    id: customer.id,
    email: customer.email,
    firstName: customer.first_name,
    lastName: customer.last_name,
  };
