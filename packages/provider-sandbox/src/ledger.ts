import type { ConnectorHost, ProviderEvent } from '@payment-orchestrator/provider-kit';
import { SandboxRefusal } from './answers.js';
import {
  CHOOSE,
  COUNT_LATE_CHARGE,
  COUNT_REPEAT,
  FIND_BY_PAGE,
  FIND_OWN,
  FIND_TRANSACTION,
  FOLLOW,
  INSERT_CHARGES,
  IS_KEY_USED,
  LIST_SINCE,
  LIST_TRANSACTIONS,
  LIST_TRANSACTIONS_OF_PAYMENT,
  type NewSandboxTransaction,
  type SandboxTransaction,
  WALK_TRANSACTIONS_OF_SHOP,
} from './transactions.queries.js';

/** A transaction of a shop, and how far the look for it came; without a transaction it is the only row. */
export type WalkedTransaction = Omit<SandboxTransaction, 'id'> & {
  id: number | null;
  walked: number;
  walked_to: number | null;
};

/** The statuses after the choices on the sandbox's page. */
export const CHOICES = { approve: 'captured', decline: 'declined' } as const;
export type Choice = keyof typeof CHOICES;

/** The status of a transaction after a notification with this status. */
const FOLLOWED: Partial<Record<ProviderEvent['status'], SandboxTransaction['status']>> = {
  completed: 'captured',
  authorized: 'authorized',
  authorization_expired: 'voided',
  failed: 'declined',
  cancelled: 'voided',
  refunded: 'refunded',
};

/**
 * The charges in the sandbox's ledger. It acts as another company's, so it is written in its own transactions and survives a rollback
 * of ours.
 * - One row per reference. A charge is written by one statement, together with concurrent charges.
 * - A repeated key gets the same answer; with another request it is refused with a code.
 * - A change locks the row before reading it: a void and a charge, or a void and a delayed outcome, never both win.
 */
export class SandboxLedger {
  private readonly charges: (charge: NewSandboxTransaction) => Promise<boolean>;

  constructor(private readonly database: ConnectorHost['database']) {
    this.charges = database.grouped((charges) => this.insert(charges));
  }

  /** Whether the charge was written; otherwise its key or its reference already exists. Durable when it resolves. */
  open(charge: NewSandboxTransaction): Promise<boolean> {
    return this.charges(charge);
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

  /** The merchant's transaction with this id. */
  async findOwn(merchantId: number, transactionId: string): Promise<SandboxTransaction | undefined> {
    const [found] = await this.database.query<SandboxTransaction>(FIND_OWN, [merchantId, transactionId]);
    return found;
  }

  async findByPage(page: string): Promise<SandboxTransaction | undefined> {
    const [found] = await this.database.query<SandboxTransaction>(FIND_BY_PAGE, [page]);
    return found;
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

  /** The merchant's own transactions with ids below `beforeId`, newest first. */
  list(
    merchantId: number,
    { paymentId, shopId = null }: { paymentId?: number | undefined; shopId?: number | null | undefined },
    beforeId: number,
    limit: number,
  ): Promise<SandboxTransaction[]> {
    const values = [merchantId, beforeId, limit];
    return paymentId === undefined
      ? this.database.query<SandboxTransaction>(LIST_TRANSACTIONS, values)
      : this.database.query<SandboxTransaction>(LIST_TRANSACTIONS_OF_PAYMENT, [...values, paymentId, shopId]);
  }

  /** Looks at `count` of the merchant's transactions with ids below `beforeId`, and returns at most `limit` of the shop. */
  look(
    merchantId: number,
    shopId: number,
    beforeId: number,
    count: number,
    limit: number,
  ): Promise<WalkedTransaction[]> {
    const values = [merchantId, beforeId, limit, shopId, count];
    return this.database.query<WalkedTransaction>(WALK_TRANSACTIONS_OF_SHOP, values);
  }

  private async insert(charges: NewSandboxTransaction[]): Promise<boolean[]> {
    type Identity = Pick<NewSandboxTransaction, 'idempotency_key' | 'fingerprint'>;
    const identityOf = (charge: Identity): string => `${charge.idempotency_key} ${charge.fingerprint}`;
    const rows = await this.database.query<Identity>(INSERT_CHARGES, [JSON.stringify(charges)]);
    const inserted = new Set(rows.map(identityOf));
    // if one statement has the same charge twice, one is the repeat of the other
    return charges.map((charge) => inserted.delete(identityOf(charge)));
  }
}
