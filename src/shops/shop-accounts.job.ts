import { Injectable, Logger } from '@nestjs/common';
import { Database, type Statement } from '../platform/database/database.js';
import { lockMerchant } from '../platform/database/writes.js';
import type { WorkKind } from '../platform/due-work/due-work.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import { ShopSecretsService } from './shop-secrets.service.js';

const INTERVAL_MS = 30_000;
/** A provider that does not answer is asked again after this time, also after a worker's death. */
const AGAIN_MS = 3_600_000;

interface UnknownAccount {
  id: number;
  merchantId: number;
  provider: string;
  encrypted: Buffer;
}

/** $1 shop → the shop, if its account is not known. */
const FIND_UNKNOWN: Statement = {
  name: 'shops.find_unknown_account',
  text: `SELECT id, merchant_id AS "merchantId", provider, provider_credentials AS encrypted FROM shops
    WHERE id = $1 AND account_asked_next_at IS NOT NULL`,
};

/** $1 shop, $2 the credentials that the provider was asked with → the shop, locked; no row after another change. */
const LOCK_UNCHANGED: Statement = {
  name: 'shops.lock_unknown_account',
  text: `SELECT id FROM shops WHERE id = $1 AND provider_credentials = $2 AND account_asked_next_at IS NOT NULL
    FOR NO KEY UPDATE`,
};

/** $1 shop, $2 label, $3 id, $4 any token. */
const SET_ACCOUNT: Statement = {
  name: 'shops.set_account',
  text: `UPDATE shops SET provider_account = $2, provider_account_id = $3, accepts_any_token = $4,
      account_asked_next_at = NULL,
      updated_at = CASE WHEN provider_account = $2 THEN updated_at ELSE clock_timestamp() END WHERE id = $1`,
};

/**
 * Asks providers for the accounts of shops that are not known yet: the provider did not answer at a change of the
 * credentials, or an earlier release has made the shop. The trigger `plan_account_question` makes a question due.
 */
@Injectable()
export class ShopAccountsJob {
  readonly work: WorkKind = {
    kind: 'shop_account',
    name: 'shop accounts',
    everyMs: INTERVAL_MS,
    leaseMs: AGAIN_MS,
    batch: 20,
    run: ({ subjectId }) => this.run(subjectId),
  };
  private readonly logger = new Logger(ShopAccountsJob.name);

  constructor(
    private readonly database: Database,
    private readonly accounts: ProviderAccounts,
    private readonly secrets: ShopSecretsService,
  ) {}

  private async run(id: number): Promise<number | undefined> {
    const [shop] = await this.database.query<UnknownAccount>(FIND_UNKNOWN, [id]);
    if (!shop) return undefined;
    await this.ask(shop);
    // the trigger ends the work of a shop whose account is now known, and moves that of one with other credentials
    return AGAIN_MS;
  }

  /** Never rejects: the shop is due again in an hour. */
  private async ask(shop: UnknownAccount): Promise<void> {
    const { id: shopId, merchantId, provider, encrypted } = shop;
    try {
      const { credentials } = this.secrets.decryptAccount({ merchantId, shopId }, { provider, encrypted });
      const identity = await this.accounts.identify(provider, credentials);
      if (!identity.isKnown) return;
      await this.database.transaction(async (transaction) => {
        await lockMerchant(transaction, merchantId);
        const unchanged = await transaction.query(LOCK_UNCHANGED, [shopId, encrypted]);
        if (unchanged.length === 0) return;
        const account = await this.accounts.change(transaction, shop, identity, undefined);
        await transaction.query(SET_ACCOUNT, [shopId, account!.label, account!.id, account!.acceptsAnyToken]);
      });
    } catch (error) {
      this.logger.warn({ msg: 'failed to find the account of a shop, will try again', shopId, provider, err: error });
    }
  }
}
