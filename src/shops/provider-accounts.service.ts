import { Injectable } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Statement, Transaction } from '../platform/database/database.js';
import { ProviderRegistry } from '../providers/provider-registry.service.js';
import { withTimeout } from '../shared/clock.js';
import { invalidField } from '../shared/problem.js';
import { PAYMENTS, UPDATE_SAVED_OPTIONS } from '../shared/relations.js';

/** The label of an account that neither the merchant nor the provider has named. */
const DEFAULT_ACCOUNT = 'default';

/** A shop's account, as its provider and its credentials tell it. */
export interface AccountIdentity {
  /** The provider's id; `null`: it names none, or has not answered yet. */
  id: string | null;
  acceptsAnyToken: boolean;
  /** The provider has answered; otherwise it is asked again later (`ShopAccountsJob`). */
  isKnown: boolean;
}

type KnownId = Pick<AccountIdentity, 'id' | 'isKnown'>;

/** The account of a shop after a change. */
export type LabelledAccount = Omit<AccountIdentity, 'isKnown'> & { label: string };

interface Owner {
  merchantId: number;
  provider: string;
}

/** The limit of the question to the provider: a shop is created without an answer, too. */
const TIMEOUT_MS = 3_000;

type NamedAccount = KnownId & { label: string };

type StoredAccount = AccountIdentity & { label: string };

/** $1 shop. */
const STORED_ACCOUNT: Statement = {
  name: 'shops.stored_account',
  text: `SELECT provider_account AS label, provider_account_id AS id, accepts_any_token AS "acceptsAnyToken",
      account_asked_next_at IS NULL AS "isKnown"
    FROM shops WHERE id = $1`,
};

/** $1 merchant, $2 provider, $3 id, $4 label → the accounts of shops that have either. */
const NAMED_ACCOUNTS: Statement = {
  name: 'shops.named_accounts',
  text: `SELECT DISTINCT provider_account AS label, provider_account_id AS id, account_asked_next_at IS NULL AS "isKnown" FROM shops
    WHERE merchant_id = $1 AND provider = $2 AND (provider_account_id = $3 OR provider_account = $4)`,
};

/** $1 merchant, $2 provider, $3 id, $4 label. */
const RENAME_ACCOUNT: Statement = {
  name: 'shops.rename_account',
  text: `UPDATE shops SET provider_account = $4, updated_at = clock_timestamp()
    WHERE merchant_id = $1 AND provider = $2 AND provider_account_id = $3 AND provider_account <> $4`,
};

/**
 * Follows the account's new label in saved payment methods: $1 merchant, $2 provider, $3 the label before, $4 label,
 * $5 the only shop whose label changes, `null`: all of the account have it. While another shop has the label before, the
 * methods stay with that one, except those that a charge of this shop has saved.
 */
const RENAME_IN_SAVED_METHODS: Statement = {
  name: 'shops.rename_in_saved_methods',
  text: `${UPDATE_SAVED_OPTIONS} = (
      SELECT jsonb_agg(CASE WHEN o @> b.named THEN o || jsonb_build_object('account', $4::text) ELSE o END ORDER BY at)
      FROM jsonb_array_elements(m.options) WITH ORDINALITY AS each (o, at))
    FROM (SELECT jsonb_build_object('provider', $2::text, 'account', $3::text) AS named, EXISTS (
        SELECT FROM shops WHERE merchant_id = $1 AND provider = $2 AND provider_account = $3 AND id IS DISTINCT FROM $5::bigint) AS is_shared) b
    WHERE m.merchant_id = $1 AND m.options @> jsonb_build_array(b.named)
      AND (NOT b.is_shared OR EXISTS (SELECT FROM ${PAYMENTS} p WHERE p.id = m.payment_id AND p.shop_id = $5::bigint))`,
};

/**
 * Accounts of shops at providers. A token of a payment method is valid in one account, so shops of one account share
 * tokens. A label names the account in requests; it is unique for the merchant and the provider.
 */
@Injectable()
export class ProviderAccounts {
  constructor(
    private readonly providers: ProviderRegistry,
    @InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>,
  ) {}

  /** Asks the provider whose credentials these are. */
  async identify(providerName: string, credentials: Record<string, unknown>): Promise<AccountIdentity> {
    const provider = this.providers.get(providerName);
    const { acceptsAnyToken = false } = provider.capabilities(credentials);
    if (!provider.accountId) return { id: null, acceptsAnyToken, isKnown: true };
    const controller = new AbortController();
    const timeoutMs = Math.min(TIMEOUT_MS, this.config.providerTimeoutMs);
    try {
      const asked = provider.accountId(credentials, controller.signal);
      const id = await withTimeout(timeoutMs, asked, `no answer within ${timeoutMs} ms`);
      return { id, acceptsAnyToken, isKnown: true };
    } catch {
      controller.abort();
      return { id: null, acceptsAnyToken, isKnown: false };
    }
  }

  /**
   * The label for a new shop of the account; `given`: the merchant's choice, which then names the account in all of its
   * shops. Call it under the merchant's lock. Throws `validation_failed` for a label of another account.
   */
  async label(transaction: Transaction, owner: Owner, account: KnownId, given?: string): Promise<string> {
    const wanted = given ?? account.id ?? DEFAULT_ACCOUNT;
    const named = await this.named(transaction, owner, account.id, wanted);
    const known = account.id === null ? undefined : named.find(({ id }) => id === account.id);
    if (known && given === undefined) return known.label;
    const other = named.find((each) => each.label === wanted && areDifferent(each, account));
    if (other) throw invalidField('provider_account', `must be another label: ${wanted} names ${nameOf(other)}`);
    if (known) {
      await transaction.query(RENAME_ACCOUNT, [owner.merchantId, owner.provider, account.id, wanted]);
      await this.renameInSavedMethods(transaction, owner, known.label, wanted);
    }
    return wanted;
  }

  /**
   * The account of a shop after a change; `undefined`: unchanged. `identity`: by new credentials, or by the provider's
   * answer to a later question. Call it under the merchant's lock. Throws `validation_failed` for a label of another
   * account.
   */
  async change(
    transaction: Transaction,
    { id: shopId, ...owner }: Owner & { id: number },
    identity: AccountIdentity | undefined,
    given: string | undefined,
  ): Promise<LabelledAccount | undefined> {
    if (identity === undefined && given === undefined) return undefined;
    const [before] = (await transaction.query<StoredAccount>(STORED_ACCOUNT, [shopId])) as [StoredAccount];
    // until the provider answers, the account is assumed to be the same
    const id = identity?.isKnown === true ? identity.id : before.id;
    const account = { ...before, ...identity, id };
    const isSame = given === undefined && id === before.id;
    const label = isSame
      ? before.label
      : await this.label(transaction, owner, account, given ?? (await this.kept(transaction, owner, before, account)));
    // a shop that has moved to another account leaves the payment methods of the one before
    const isOther = before.id !== null || (before.isKnown && id !== null);
    if (!isOther) await this.renameInSavedMethods(transaction, owner, before.label, label, shopId);
    return { id, acceptsAnyToken: account.acceptsAnyToken, label };
  }

  /** The label that the merchant gave before the account was known, if it names no other one and the account has none. */
  private async kept(transaction: Transaction, owner: Owner, before: StoredAccount, account: KnownId) {
    if (before.id !== null || before.isKnown || before.label === DEFAULT_ACCOUNT) return undefined;
    const named = await this.named(transaction, owner, account.id, before.label);
    return named.some((each) => each.id !== null || areDifferent(each, account)) ? undefined : before.label;
  }

  /** `shopId`: the only shop that gets the label; absent: all shops of the account have it. */
  private async renameInSavedMethods(
    transaction: Transaction,
    { merchantId, provider }: Owner,
    before: string,
    label: string,
    shopId: number | null = null,
  ): Promise<void> {
    if (label === before) return;
    await transaction.query(RENAME_IN_SAVED_METHODS, [merchantId, provider, before, label, shopId]);
  }

  private named(transaction: Transaction, { merchantId, provider }: Owner, id: string | null, label: string) {
    return transaction.query<NamedAccount>(NAMED_ACCOUNTS, [merchantId, provider, id, label]);
  }
}

/** Whether these are certainly not one account. Nothing is known of one whose provider has not answered yet. */
const areDifferent = (one: KnownId, other: KnownId): boolean =>
  one.id !== other.id && [one, other].every(({ id, isKnown }) => isKnown || id !== null);

const nameOf = ({ id }: KnownId): string => (id === null ? 'the account without an id' : `the account ${id}`);
