import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { GROUPED_WRITES } from '../../platform/database/writes.js';
import { Batcher } from '../../shared/batcher.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import type { OperationAnswer, OperationRequest, ProviderEvent, RefundRequest } from '../payment-provider.js';
import {
  amountIn,
  decideRefund,
  decideVoid,
  decisionByKey,
  exactAmount,
  type OperationDecision,
  SandboxRefusal,
} from './sandbox-answers.js';
import { fingerprintOf } from './sandbox-charge.js';
import { INSERT_NOTIFICATION, WITHDRAW_NOTIFICATIONS } from './sandbox-notifications.queries.js';
import {
  CHANGE_TRANSACTION,
  FIND_OPERATION,
  INSERT_OPERATION,
  INSERT_PLACEHOLDER,
  LOCK_TRANSACTION,
  type SandboxOperation,
} from './sandbox-operations.queries.js';
import {
  CHOOSE,
  COUNT_LATE_CHARGE,
  COUNT_REPEAT,
  FIND_BY_PAGE,
  FIND_TRANSACTION,
  FOLLOW,
  INSERT_CHARGES,
  IS_KEY_USED,
  LIST_SINCE,
  listTransactions,
  type NewSandboxNotification,
  type NewSandboxTransaction,
  type SandboxTransaction,
} from './sandbox-transactions.queries.js';

export interface TransactionFilter {
  paymentId?: number | undefined;
  shopId?: number | undefined;
}

/** The statuses after the choices on the sandbox's page. */
export const CHOICES = { approve: 'captured', decline: 'declined' } as const;
export type Choice = keyof typeof CHOICES;

/** The status of a transaction after a notification with this status. */
const FOLLOWED: Partial<Record<ProviderEvent['status'], SandboxTransaction['status']>> = {
  completed: 'captured',
  failed: 'declined',
  cancelled: 'voided',
  refunded: 'refunded',
};

/**
 * The sandbox's ledger. It acts as another company's, so it is written in its own transactions and survives a rollback
 * of ours.
 * - One row per reference. A charge is written by one statement, together with concurrent charges.
 * - A repeated key gets the same answer; with another request it is refused with a code.
 * - A change locks the row before reading it: a void and a charge, or a void and a delayed outcome, never both win.
 */
@Injectable()
export class SandboxLedger {
  private readonly charges = new Batcher<NewSandboxTransaction, boolean>(
    (charges) => this.insert(charges),
    GROUPED_WRITES,
  );

  constructor(private readonly database: Database) {}

  /** Whether the charge was written; otherwise its key or its reference already exists. Durable when it resolves. */
  open(charge: NewSandboxTransaction): Promise<boolean> {
    return this.charges.add(charge);
  }

  /** A shop's transactions of `since` and later, after the one with this id. */
  listSince(shopId: number, since: Date, afterId: number, limit: number): Promise<SandboxTransaction[]> {
    return this.database.query<SandboxTransaction>(LIST_SINCE, [shopId, since, afterId, limit]);
  }

  /** The transaction of a repeated charge. Throws a `SandboxRefusal`. */
  async repeat({ reference, idempotency_key: key, fingerprint }: NewSandboxTransaction): Promise<SandboxTransaction> {
    const [repeated] = await this.database.query<SandboxTransaction>(COUNT_REPEAT, [key, fingerprint]);
    if (repeated) return repeated;
    const [{ used } = { used: false }] = await this.database.query<{ used: boolean }>(IS_KEY_USED, [key]);
    if (used) throw new SandboxRefusal('idempotency_key_reused');
    const [voided] = await this.database.query<SandboxTransaction>(COUNT_LATE_CHARGE, [reference]);
    if (voided) return voided;
    throw new SandboxRefusal('reference_already_used');
  }

  async find(reference: string): Promise<SandboxTransaction | undefined> {
    const [found] = await this.database.query<SandboxTransaction>(FIND_TRANSACTION, [reference]);
    return found;
  }

  async findByPage(page: string): Promise<SandboxTransaction | undefined> {
    const [found] = await this.database.query<SandboxTransaction>(FIND_BY_PAGE, [page]);
    return found;
  }

  /** `transactionId`: the id for a transaction that does not exist yet. */
  void(request: OperationRequest, transactionId: string): Promise<OperationAnswer> {
    const { reference, shopId, paymentId, currency } = request;
    const amount = amountIn(currency, request.amount);
    const fingerprint = fingerprintOf('void', reference);
    return this.database.transaction(async (transaction) => {
      const { held, earlier } = await this.lock(transaction, request);
      let decision = decisionByKey(earlier, fingerprint) ?? (held && decideVoid(held));
      if (!decision) {
        // waits for a charge under way, and makes a later one wait
        await transaction.query(INSERT_PLACEHOLDER, [reference, transactionId, shopId, paymentId, amount, currency]);
        decision = decideVoid((await this.lock(transaction, request)).held!);
      }
      if (decision.to) await transaction.query(WITHDRAW_NOTIFICATIONS, [reference]);
      return this.write(transaction, request, fingerprint, decision, earlier);
    });
  }

  /** `notification`: to be sent when a delayed refund is done. `settlesInMs`: the delay. */
  refund(
    request: RefundRequest,
    settlesInMs: number,
    notification: (transaction: SandboxTransaction) => NewSandboxNotification | undefined,
  ): Promise<OperationAnswer> {
    const { reference, amount, currency } = request;
    const fingerprint = fingerprintOf('refund', reference, exactAmount(amount), currency);
    return this.database.transaction(async (transaction) => {
      const { held, earlier } = await this.lock(transaction, request);
      const decision = decisionByKey(earlier, fingerprint) ?? decideRefund(held, request);
      const answer = await this.write(transaction, request, fingerprint, decision, earlier, settlesInMs);
      const later = decision.later && held ? notification(held) : undefined;
      if (later) {
        const { id, body, signature } = later;
        await transaction.query(INSERT_NOTIFICATION, [id, reference, request.shopId, body, signature, settlesInMs]);
      }
      return answer;
    });
  }

  /** Records the payer's choice on the page of an open transaction; returns whether it was still open. */
  async choose(page: string, choice: Choice): Promise<boolean> {
    return (await this.database.query(CHOOSE, [page, choice, CHOICES[choice]])).length > 0;
  }

  /**
   * Applies a notification that the owner of the shop's secret sent as the sandbox, to a transaction that waits for
   * one.
   */
  async follow({ match, status, amount, currency }: ProviderEvent, account: string): Promise<void> {
    const to = FOLLOWED[status];
    if (!to) return;
    const { transactionId = null, reference = null } = match;
    await this.database.query(FOLLOW, [transactionId, reference, account, to, amount ?? null, currency ?? null]);
  }

  /** The merchant's own transactions, newest first. */
  async list(
    merchantId: number,
    { paymentId, shopId }: TransactionFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<SandboxTransaction>> {
    const values = [merchantId, beforeId, limit + 1, paymentId ?? null, shopId ?? null];
    const rows = await this.database.query<SandboxTransaction>(listTransactions(paymentId !== undefined), values);
    return toPage(rows, limit);
  }

  private async insert(charges: NewSandboxTransaction[]): Promise<boolean[]> {
    type Identity = Pick<NewSandboxTransaction, 'idempotency_key' | 'fingerprint'>;
    const identityOf = (charge: Identity): string => `${charge.idempotency_key} ${charge.fingerprint}`;
    const rows = await this.database.query<Identity>(INSERT_CHARGES, [JSON.stringify(charges)]);
    const inserted = new Set(rows.map(identityOf));
    // if one statement has the same charge twice, one is the repeat of the other
    return charges.map((charge) => inserted.delete(identityOf(charge)));
  }

  /** The present rows, locked against other changes. */
  private async lock(
    transaction: Transaction,
    { reference, idempotencyKey }: OperationRequest,
  ): Promise<{ held: SandboxTransaction | undefined; earlier: SandboxOperation | undefined }> {
    await transaction.query(LOCK_TRANSACTION, [reference]);
    const [held] = await transaction.query<SandboxTransaction>(FIND_TRANSACTION, [reference]);
    const [earlier] = await transaction.query<SandboxOperation>(FIND_OPERATION, [idempotencyKey]);
    return { held, earlier };
  }

  private async write(
    transaction: Transaction,
    { reference, idempotencyKey }: OperationRequest,
    fingerprint: string,
    { answer, to, later = false }: OperationDecision,
    earlier: SandboxOperation | undefined,
    settlesInMs = 0,
  ): Promise<OperationAnswer> {
    if (to) {
      const change = later ? ['captured', to, settlesInMs] : [to, null, null];
      await transaction.query(CHANGE_TRANSACTION, [reference, ...change]);
    }
    if (!earlier) {
      const { reason, retryable } = answer.outcome === 'refused' ? answer : {};
      const refusal = reason === undefined ? null : JSON.stringify({ reason, retryable });
      await transaction.query(INSERT_OPERATION, [idempotencyKey, reference, fingerprint, refusal]);
    }
    return answer;
  }
}
