import { Decimal } from 'decimal.js';
import {
  type ConnectorContext,
  currencyDigits,
  type OperationAnswer,
  type OperationRequest,
} from '@payment-orchestrator/provider-kit';
import { amountIn } from '../answers.js';
import type { SandboxBooks } from '../books.js';
import { fingerprintOf } from '../charge.js';
import { notificationSecret } from '../credentials.js';
import { leftOf } from '../decisions.js';
import type { SandboxTransaction } from '../transactions.queries.js';
import { DashboardRefused, invalidField } from './refused.js';

/** The decrypted credentials of a shop; `null`: no such shop. */
export type CredentialsOf = (shopId: number) => Promise<Record<string, unknown> | null>;

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
export class DashboardChanges {
  constructor(
    private readonly books: SandboxBooks,
    private readonly credentials: CredentialsOf,
    private readonly context: ConnectorContext,
  ) {}

  async capture(target: ChangeTarget, amount?: number): Promise<SandboxTransaction> {
    const { held, request } = await this.prepare(target, amount);
    const answer = await this.books.operations.capture({ ...request, authorizedAmount: held.amount }, 'dashboard');
    return this.changed(held, answer);
  }

  async void(target: ChangeTarget): Promise<SandboxTransaction> {
    const { held, request } = await this.prepare(target);
    if (held.status === 'declined' || held.status === 'refunded') throw refusal('nothing_to_void', held);
    return this.changed(held, await this.books.operations.void(request, held.transaction_id, 'dashboard'));
  }

  /** Refunds the remaining amount if none is given. */
  async refund(target: ChangeTarget, amount?: number): Promise<SandboxTransaction> {
    const { held, request } = await this.prepare(target, amount);
    const refund = { ...request, reason: undefined, isRest: amount === undefined };
    const answer = await this.books.operations.refund(refund, 'dashboard');
    if (answer.outcome === 'confirmed' && answer.operationId === undefined) throw refusal('nothing_to_refund', held);
    return this.changed(held, answer);
  }

  /**
   * Finds the transaction. Without an amount the request has the transaction's. Throws `transaction_not_found`, also for
   * a transaction of another merchant; `validation_failed`; `provider_unconfirmed` if the sandbox cannot notify.
   */
  async prepare({ merchantId, transactionId, key }: ChangeTarget, amount?: number): Promise<DashboardRequest> {
    const held =
      this.books.isKept && ID.test(transactionId)
        ? await this.books.ledger.findOwn(merchantId, transactionId)
        : undefined;
    if (!held) throw new DashboardRefused('transaction_not_found');
    if (amount !== undefined) requireDecimals(amount, held.currency);
    const unique = key === undefined ? this.context.random.uuid() : fingerprintOf('dashboard', merchantId, key);
    return {
      held,
      request: {
        paymentId: held.payment_id,
        shopId: held.shop_id,
        reference: held.reference,
        transactionId: held.transaction_id,
        credentials: await this.credentialsOf(held.shop_id),
        idempotencyKey: `dashboard_${unique}`,
        amount: amount === undefined ? held.amount : new Decimal(amount).toFixed(),
        currency: held.currency,
        attemptedAt: held.created_at,
        notificationUrl: undefined,
      },
    };
  }

  /** The shop's credentials. Throws `provider_unconfirmed` for a shop without a secret. */
  async credentialsOf(shopId: number): Promise<Record<string, unknown>> {
    const credentials = (await this.credentials(shopId)) ?? {};
    if (notificationSecret(credentials) !== undefined) return credentials;
    const detail = `the sandbox can only report the change with a notification_secret in the provider_credentials of shop ${shopId}`;
    throw new DashboardRefused('provider_unconfirmed', { detail });
  }

  private async changed(held: SandboxTransaction, answer: OperationAnswer): Promise<SandboxTransaction> {
    const after = (await this.books.ledger.find(held.reference))!;
    if (answer.outcome === 'refused') throw refusal(answer.reason, after);
    await this.books.notifier.sendNow(held.reference);
    return after;
  }
}

/** The error for a change that the sandbox refuses for this reason. */
export function refusal(reason: string, transaction: SandboxTransaction): DashboardRefused {
  const { amount, currency, status } = transaction;
  switch (reason) {
    case 'idempotency_key_reused':
      return new DashboardRefused('idempotency_key_reused');
    case 'amount_exceeds_captured': {
      const left = amountIn(currency, leftOf(transaction));
      return invalidField('amount', `must be at most ${left} ${currency}, the captured amount that is left`);
    }
    case 'amount_exceeds_authorized':
      return invalidField('amount', `must be at most ${amount} ${currency}, the authorised amount`);
    default:
      return new DashboardRefused('provider_unconfirmed', {
        detail: `the transaction is ${status}; the sandbox refuses: ${reason}`,
      });
  }
}

function requireDecimals(amount: number, currency: string): void {
  const digits = currencyDigits(currency) ?? 0;
  if (new Decimal(amount).decimalPlaces() <= digits) return;
  throw invalidField('amount', `must have at most ${digits} decimals in ${currency}`);
}
