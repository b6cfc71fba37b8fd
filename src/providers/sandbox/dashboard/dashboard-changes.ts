import { Injectable } from '@nestjs/common';
import type { Config } from '../../../platform/config/config.js';
import { InjectConfig } from '../../../platform/config/config.module.js';
import { amountError, toDecimalText } from '../../../shared/money.js';
import { invalidField, Problem } from '../../../shared/problem.js';
import { Random } from '../../../shared/random.js';
import type { OperationAnswer, OperationRequest } from '../../payment-provider.js';
import { ShopAccounts } from '../../shop-accounts.js';
import { amountIn } from '../sandbox-answers.js';
import { fingerprintOf } from '../sandbox-charge.js';
import { notificationSecret } from '../sandbox-credentials.js';
import { leftOf } from '../sandbox-decisions.js';
import { SandboxLedger } from '../sandbox-ledger.js';
import { SandboxNotifier } from '../sandbox-notifier.js';
import { SandboxOperations } from '../sandbox-operations.js';
import type { SandboxTransaction } from '../sandbox-transactions.queries.js';

/** A transaction's merchant and id; `key`: the `Idempotency-Key` of the request. */
export interface ChangeTarget {
  merchantId: number;
  transactionId: string;
  key?: string | undefined;
}

/** A transaction, and a request about it that was made at the dashboard. */
export interface DashboardRequest {
  held: SandboxTransaction;
  request: OperationRequest;
}

const ID = /^[\w-]{1,255}$/;

/**
 * Captures, voids and refunds that a person makes at the sandbox's dashboard. The ledger and the notification change
 * together. Then the notification is sent, so that the payment has changed when the method resolves, unless the
 * receiver was not reachable; then it is sent again later.
 */
@Injectable()
export class DashboardChanges {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly operations: SandboxOperations,
    private readonly notifier: SandboxNotifier,
    private readonly accounts: ShopAccounts,
    private readonly random: Random,
    @InjectConfig() private readonly config: Pick<Config, 'sandbox'>,
  ) {}

  async capture(target: ChangeTarget, amount?: number): Promise<SandboxTransaction> {
    const { held, request } = await this.prepare(target, amount);
    const answer = await this.operations.capture({ ...request, authorizedAmount: held.amount }, 'dashboard');
    return this.changed(held, answer);
  }

  async void(target: ChangeTarget): Promise<SandboxTransaction> {
    const { held, request } = await this.prepare(target);
    if (held.status === 'declined' || held.status === 'refunded') throw refusal('nothing_to_void', held);
    return this.changed(held, await this.operations.void(request, held.transaction_id, 'dashboard'));
  }

  /** Refunds the remaining amount if none is given. */
  async refund(target: ChangeTarget, amount?: number): Promise<SandboxTransaction> {
    const { held, request } = await this.prepare(target, amount);
    const refund = { ...request, reason: undefined, isRest: amount === undefined };
    const answer = await this.operations.refund(refund, 'dashboard');
    if (answer.outcome === 'confirmed' && answer.operationId === undefined) throw refusal('nothing_to_refund', held);
    return this.changed(held, answer);
  }

  /**
   * Finds the transaction. Without an amount the request has the transaction's. Throws `transaction_not_found`, also for
   * a transaction of another merchant; `validation_failed`; `provider_unconfirmed` if the sandbox cannot notify.
   */
  async prepare({ merchantId, transactionId, key }: ChangeTarget, amount?: number): Promise<DashboardRequest> {
    const isId = this.config.sandbox.ledger && ID.test(transactionId);
    const held = isId ? await this.ledger.findOwn(merchantId, transactionId) : undefined;
    if (!held) throw new Problem('transaction_not_found');
    const error = amount === undefined ? undefined : amountError(amount, held.currency);
    if (error !== undefined) throw invalidField('amount', error);
    const unique = key === undefined ? this.random.uuid() : fingerprintOf('dashboard', merchantId, key);
    return {
      held,
      request: {
        paymentId: held.payment_id,
        shopId: held.shop_id,
        reference: held.reference,
        transactionId: held.transaction_id,
        credentials: await this.credentialsOf(held.shop_id),
        idempotencyKey: `dashboard_${unique}`,
        amount: amount === undefined ? held.amount : toDecimalText(amount),
        currency: held.currency,
        attemptedAt: held.created_at,
        notificationUrl: undefined,
      },
    };
  }

  /** The shop's credentials. Throws `provider_unconfirmed` for a shop without a secret. */
  async credentialsOf(shopId: number): Promise<Record<string, unknown>> {
    const { credentials } = (await this.accounts.providerAccount(shopId)) ?? { credentials: {} };
    if (notificationSecret(credentials) !== undefined) return credentials;
    const detail = `the sandbox can only report the change with a notification_secret in the provider_credentials of shop ${shopId}`;
    throw new Problem('provider_unconfirmed', { detail });
  }

  private async changed(held: SandboxTransaction, answer: OperationAnswer): Promise<SandboxTransaction> {
    const after = (await this.ledger.find(held.reference))!;
    if (answer.outcome === 'refused') throw refusal(answer.reason, after);
    await this.notifier.sendNow(held.reference);
    return after;
  }
}

/** The problem for a change that the sandbox refuses for this reason. */
export function refusal(reason: string, transaction: SandboxTransaction): Problem {
  const { amount, currency, status } = transaction;
  switch (reason) {
    case 'idempotency_key_reused':
      return new Problem('idempotency_key_reused');
    case 'amount_exceeds_captured': {
      const left = amountIn(currency, leftOf(transaction));
      return invalidField('amount', `must be at most ${left} ${currency}, the captured amount that is left`);
    }
    case 'amount_exceeds_authorized':
      return invalidField('amount', `must be at most ${amount} ${currency}, the authorised amount`);
    default:
      return new Problem('provider_unconfirmed', {
        detail: `the transaction is ${status}; the sandbox refuses: ${reason}`,
      });
  }
}
