import { Injectable } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Statement, Transaction } from '../platform/database/database.js';
import { ProviderRegistry } from '../providers/provider-registry.service.js';
import { withTimeout } from '../shared/clock.js';
import { invalidField } from '../shared/problem.js';

/** The label of an account that neither the merchant nor the provider has named. */
export const DEFAULT_ACCOUNT = 'default';

/** A shop's account, as its provider and its credentials tell it. */
export interface AccountIdentity {
  /** The provider's id; `null`: the provider did not tell. */
  id: string | null;
  acceptsAnyToken: boolean;
}

interface Owner {
  merchantId: number;
  provider: string;
}

/** The limit of the question to the provider: a shop is created without an answer, too. */
const TIMEOUT_MS = 3_000;

interface NamedAccount {
  label: string;
  id: string | null;
}

type StoredAccount = AccountIdentity & { label: string };

/** $1 shop. */
const STORED_ACCOUNT: Statement = {
  name: 'shops_stored_account',
  text: `SELECT provider_account AS label, provider_account_id AS id, accepts_any_token AS "acceptsAnyToken"
    FROM shops WHERE id = $1`,
};

/** $1 merchant, $2 provider, $3 id, $4 label → the label and the id of the accounts that have either. */
const NAMED_ACCOUNTS: Statement = {
  name: 'shops_named_accounts',
  text: `SELECT DISTINCT provider_account AS label, provider_account_id AS id FROM shops
    WHERE merchant_id = $1 AND provider = $2 AND (provider_account_id = $3 OR provider_account = $4)`,
};

/** $1 merchant, $2 provider, $3 id, $4 label. */
const RENAME_ACCOUNT: Statement = {
  name: 'shops_rename_account',
  text: `UPDATE shops SET provider_account = $4, updated_at = clock_timestamp()
    WHERE merchant_id = $1 AND provider = $2 AND provider_account_id = $3 AND provider_account <> $4`,
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

  /** Asks the provider whose credentials these are. An account that the provider does not tell has no id. */
  async identify(providerName: string, credentials: Record<string, unknown>): Promise<AccountIdentity> {
    const provider = this.providers.get(providerName);
    const { acceptsAnyToken = false } = provider.capabilities(credentials);
    if (!provider.accountId) return { id: null, acceptsAnyToken };
    const controller = new AbortController();
    const timeoutMs = Math.min(TIMEOUT_MS, this.config.providerTimeoutMs);
    try {
      const asked = provider.accountId(credentials, controller.signal);
      return { id: await withTimeout(timeoutMs, asked, `no answer within ${timeoutMs} ms`), acceptsAnyToken };
    } catch {
      controller.abort();
      return { id: null, acceptsAnyToken };
    }
  }

  /**
   * The label for a new shop of the account `id`; `given`: the merchant's choice, which then names the account in all of
   * its shops. Call it under the merchant's lock. Throws `validation_failed` for a label of another account.
   */
  async label(transaction: Transaction, { merchantId, provider }: Owner, id: string | null, given?: string) {
    const wanted = given ?? id ?? DEFAULT_ACCOUNT;
    const named = await transaction.query<NamedAccount>(NAMED_ACCOUNTS, [merchantId, provider, id, wanted]);
    const known = id === null ? undefined : named.find((account) => account.id === id);
    if (known && given === undefined) return known.label;
    const other = named.find((account) => account.label === wanted && account.id !== null && account.id !== id);
    if (other && id !== null) {
      throw invalidField('provider_account', `must be another label: ${wanted} names the account ${other.id}`);
    }
    if (known) await transaction.query(RENAME_ACCOUNT, [merchantId, provider, id, wanted]);
    return wanted;
  }

  /**
   * The account of a shop after a change; `undefined`: unchanged. `identity`: by new credentials. Call it under the
   * merchant's lock. Throws `validation_failed` for a label of another account.
   */
  async change(
    transaction: Transaction,
    { id: shopId, ...owner }: Owner & { id: number },
    identity: AccountIdentity | undefined,
    given: string | undefined,
  ): Promise<(AccountIdentity & { label: string }) | undefined> {
    if (identity === undefined && given === undefined) return undefined;
    const [before] = (await transaction.query<StoredAccount>(STORED_ACCOUNT, [shopId])) as [StoredAccount];
    const after = identity ?? before;
    // an account that the provider does not tell is assumed to be the same
    const id = after.id ?? before.id;
    const isSame = id === before.id;
    const label = isSame && given === undefined ? before.label : await this.label(transaction, owner, id, given);
    return { ...after, id, label };
  }
}
