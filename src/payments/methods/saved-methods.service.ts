import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Encryption } from '../../platform/encryption/encryption.js';
import { findByRowKey, makingRow, type RowKey, rowKey } from '../../platform/idempotency/row-key.js';
import type { FirstCharge, SavedMethod } from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { Agreement } from '../../shared/agreement.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import type { CardFacts, GivenMethod, GivenOption } from '../../shared/payment-method.js';
import { Problem } from '../../shared/problem.js';
import { rowOfSavedMethod, SAVED_TOKENS_PURPOSE } from '../../shops/secret-columns.js';
import { requireUsable } from './method-errors.js';
import { hasAll, isSameAccount, sharesToken } from './same-option.js';
import {
  COUNT_LEFT,
  FIND_BY_KEY,
  FIND_METHOD,
  FIND_OWNER,
  FIND_SAVING,
  INSERT_METHOD,
  KEEP_METHOD,
  type KeptMethodRow,
  LIST_KEPT,
  LIST_METHODS,
  LOCK_CUSTOMER,
  REMOVE_METHOD,
  REMOVE_METHODS,
  type SavedMethodRow,
  type SealedMethodRow,
  TAKE_METHOD_ID,
} from './saved-methods.queries.js';

/** A payment method to save: a token for each account. */
interface NewSavedMethod {
  type?: string | undefined;
  card?: CardFacts | undefined;
  agreement?: Agreement | undefined;
  network_transaction_id?: string | undefined;
  options: readonly (GivenOption & { token: string })[];
}

/** A saved payment method to be charged, and what the charge refers to. */
export interface SavedCharge {
  method: GivenMethod;
  agreement: Agreement | undefined;
  firstCharge: FirstCharge | undefined;
}

/** The attempt whose charge saved a payment method. */
export interface SavingAttempt {
  payment_id: number;
  shop_id: number;
  attempt?: number | null | undefined;
}

interface SavingPayment {
  merchant_id: number;
  customer_id: number;
  provider: string;
  account: string;
}

interface OwnerRow {
  erased_at: Date | null;
}

/** More would only slow down the merchant's page of a customer. */
const MAX_PER_CUSTOMER = 50;
const KEY = 'saved_payment_methods_idempotency_key';

/**
 * Payment methods that customers have saved. A removed one cannot be used or read from that moment. Its row keeps only the
 * tokens, until `Detachments` has detached them at their providers: removal and detachment survive a crash.
 */
@Injectable()
export class SavedMethods {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly encryption: Encryption,
    private readonly providers: ProviderRegistry,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * A repeat under the same key gets the same payment method, and so do tokens that the customer has in one. Throws `customer_not_found`, `customer_erased`,
   * `payment_method_limit_reached`, `validation_failed`, `idempotency_key_reused`.
   */
  async save(
    owner: { merchantId: number; customerId: number },
    given: NewSavedMethod,
    context: AuditContext,
    { clientId, key }: { clientId: string; key?: string | undefined },
  ): Promise<{ method: SavedMethodRow; replayed: boolean }> {
    requireUsable(given, this.providers, '');
    const { merchantId, customerId } = owner;
    const named = rowKey({ merchantId, clientId }, key, { customerId, ...given });
    return makingRow(KEY, () =>
      this.database.transaction((transaction) => this.saveIn(transaction, owner, given, context, named)),
    );
  }

  /** Newest first. Throws `customer_not_found`. */
  async list(
    merchantId: number,
    customerId: number,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<SavedMethodRow>> {
    if ((await this.reads.query(FIND_OWNER, [merchantId, customerId])).length === 0)
      throw new Problem('customer_not_found');
    return toPage(await this.reads.query<SavedMethodRow>(LIST_METHODS, [customerId, beforeId, limit + 1]), limit);
  }

  /** Throws `payment_method_not_found`, also for one of another customer or merchant. */
  async find(merchantId: number, customerId: number, id: number): Promise<SavedMethodRow> {
    const [found] = await this.database.query<SealedMethodRow>(FIND_METHOD, [merchantId, customerId, id]);
    if (!found) throw new Problem('payment_method_not_found');
    return found;
  }

  /** The payment method with its tokens, to be charged; `undefined`: the customer has none with this id. */
  async given(merchantId: number, customerId: number, id: number): Promise<SavedCharge | undefined> {
    const [found] = await this.database.query<SealedMethodRow>(FIND_METHOD, [merchantId, customerId, id]);
    if (!found) return undefined;
    const method = { ...factsIn(found), options: this.optionsOf(found) };
    return { method, agreement: found.agreement ?? undefined, firstCharge: firstChargeIn(found) };
  }

  /** The options with their tokens. Throws if the encryption key is no longer configured. */
  optionsOf({
    id,
    merchant_id: merchantId,
    options,
    sealed_tokens: encrypted,
  }: SealedMethodRow): NewSavedMethod['options'] {
    const text = this.encryption.decrypt(encrypted, SAVED_TOKENS_PURPOSE, rowOfSavedMethod(merchantId, id));
    const tokens = JSON.parse(text) as string[];
    return options.map((option, index) => ({ ...option, token: tokens[index]! }));
  }

  /**
   * Stores what a provider has saved with a charge, once per payment, unless the payment was not to save anything. `card`:
   * the provider's facts, if it tells them now. For an erased customer only the token stays, until it is detached.
   */
  async keep(
    { payment_id: paymentId, shop_id: shopId, attempt }: SavingAttempt,
    { token, customerId: reported, networkTransactionId, transactionId }: SavedMethod,
    card?: CardFacts,
  ): Promise<void> {
    const [payment] = await this.database.query<SavingPayment>(FIND_SAVING, [paymentId, reported ?? null, shopId]);
    if (!payment) return;
    const { merchant_id: merchantId, customer_id: customerId, provider, account } = payment;
    await this.database.transaction(async (transaction) => {
      const [customer] = await transaction.query<OwnerRow>(LOCK_CUSTOMER, [merchantId, customerId]);
      const kept = await transaction.query<KeptMethodRow>(LIST_KEPT, [customerId]);
      const same = this.sameOf(kept, [{ provider, account, token }]);
      // another entry: a later report about this charge may tell more about its own one
      if (same && same.payment_id !== paymentId) return;
      const id = (await transaction.query<{ id: number }>(TAKE_METHOD_ID))[0]!.id;
      const encrypted = this.encrypted(merchantId, id, [{ token }]);
      await transaction.query(KEEP_METHOD, [
        id,
        paymentId,
        shopId,
        attempt ?? null,
        encrypted,
        networkTransactionId ?? null,
        card ? JSON.stringify(card) : null,
        transactionId ?? null,
      ]);
      if (customer?.erased_at) await transaction.query(REMOVE_METHODS, [customerId]);
    });
  }

  /** Throws `payment_method_not_found`. */
  async remove(merchantId: number, customerId: number, id: number, context: AuditContext): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const removed = await transaction.query(REMOVE_METHOD, [merchantId, customerId, id]);
      if (removed.length === 0) throw new Problem('payment_method_not_found');
      await this.record(transaction, context, { merchantId, customerId }, 'payment_method.removed', id);
    });
  }

  /** The options of a removed entry whose tokens no other entry of its customer has. Throws like `optionsOf`. */
  async optionsToDetach(removed: SealedMethodRow): Promise<NewSavedMethod['options']> {
    const kept = await this.database.query<KeptMethodRow>(LIST_KEPT, [removed.customer_id]);
    return this.optionsOf(removed).filter((option) => {
      const others = kept.filter((row) => row.options.some(({ provider }) => provider === option.provider));
      return !others.some((row) => sharesToken(this.optionsOf(row), option));
    });
  }

  /** For the erasure of a customer; returns how many rows are left until their tokens are detached. */
  async removeAll(transaction: Transaction, customerId: number): Promise<number> {
    await transaction.query(REMOVE_METHODS, [customerId]);
    return (await transaction.query<{ count: number }>(COUNT_LEFT, [customerId]))[0]!.count;
  }

  private async saveIn(
    transaction: Transaction,
    owner: { merchantId: number; customerId: number },
    given: NewSavedMethod,
    context: AuditContext,
    key: RowKey | undefined,
  ): Promise<{ method: SavedMethodRow; replayed: boolean }> {
    const { merchantId, customerId } = owner;
    const [customer] = await transaction.query<OwnerRow>(LOCK_CUSTOMER, [merchantId, customerId]);
    if (!customer) throw new Problem('customer_not_found');
    if (customer.erased_at !== null) throw new Problem('customer_erased');
    const repeated = key && (await findByRowKey<SavedMethodRow>(transaction, FIND_BY_KEY, key));
    const kept = await transaction.query<KeptMethodRow>(LIST_KEPT, [customerId]);
    const same = repeated ?? this.sameOf(kept, given.options);
    if (same) return { method: same, replayed: true };
    if (kept.length >= MAX_PER_CUSTOMER) {
      const detail = `a customer has at most ${MAX_PER_CUSTOMER} saved payment methods; remove one first`;
      throw new Problem('payment_method_limit_reached', { detail });
    }
    const id = (await transaction.query<{ id: number }>(TAKE_METHOD_ID))[0]!.id;
    const [method] = await transaction.query<SavedMethodRow>(INSERT_METHOD, [
      id,
      merchantId,
      customerId,
      given.type ?? null,
      given.card ? JSON.stringify(given.card) : null,
      JSON.stringify(given.options.map(({ provider, account }) => ({ provider, ...(account && { account }) }))),
      this.encrypted(merchantId, id, given.options),
      key?.clientId ?? null,
      key?.key ?? null,
      key?.hash ?? null,
      given.agreement ?? null,
      given.network_transaction_id ?? null,
    ]);
    await this.record(transaction, context, owner, 'payment_method.saved', id);
    return { method: method!, replayed: false };
  }

  /** The entry that has all of these tokens and can be charged. */
  private sameOf(kept: readonly KeptMethodRow[], options: NewSavedMethod['options']): KeptMethodRow | undefined {
    return kept.find((row) => {
      const mayBeSame = options.every((option) => row.options.some((own) => isSameAccount(own, option)));
      return row.is_usable && mayBeSame && hasAll(this.optionsOf(row), options);
    });
  }

  private encrypted(merchantId: number, id: number, options: readonly { token: string }[]): Buffer {
    const tokens = JSON.stringify(options.map(({ token }) => token));
    return this.encryption.encrypt(tokens, SAVED_TOKENS_PURPOSE, rowOfSavedMethod(merchantId, id));
  }

  private record(
    transaction: Transaction,
    context: AuditContext,
    { merchantId, customerId }: { merchantId: number; customerId: number },
    action: 'payment_method.saved' | 'payment_method.removed',
    id: number,
  ): Promise<void> {
    const details = { payment_method_id: id };
    return this.audit.record(transaction, context, { merchantId, action, objectId: customerId, details });
  }
}

/** The charge that saved it is of its only account. */
function firstChargeIn(row: SealedMethodRow): FirstCharge | undefined {
  const { network_transaction_id: network, transaction_id: transaction = null } = row;
  if (network === null && transaction === null) return undefined;
  return {
    ...(network !== null && { networkTransactionId: network }),
    ...(transaction !== null && { transactionId: transaction }),
  };
}

const factsIn = ({ type, card }: SavedMethodRow): Omit<GivenMethod, 'options'> => ({
  ...(type !== null && { type }),
  ...(card !== null && { card }),
});
