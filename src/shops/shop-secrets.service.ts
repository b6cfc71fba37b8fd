import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Encryption } from '../platform/encryption/encryption.js';
import { Batcher } from '../shared/batcher.js';
import {
  MERCHANT_SECRETS,
  PREVIOUS_CREDENTIALS,
  PROVIDER_ACCOUNTS,
  SEALED_COLUMNS,
  WEBHOOK_SECRETS,
} from './shops.queries.js';
import { fromStored, type PreviousCredentials, type StoredCredentials, toStored } from './previous-credentials.js';
import type { ProviderAccount } from './shop-summary.js';
import { openSigningKey } from './signing-key.js';
import type { SealedSecrets, WebhookSecrets } from './webhook-secrets.js';
import { growingCache } from '../shared/growing-cache.js';

const {
  webhook_secret: WEBHOOK_SECRET,
  webhook_signing_key: SIGNING_KEY,
  provider_credentials: PROVIDER_CREDENTIALS,
} = SEALED_COLUMNS;
const CACHED_SECRETS = 5_000;
/** Whose secrets are tried to tell whose a signature is. */
const MOST_SHOPS = 100;

interface SealedAccount {
  id: number;
  provider: string;
  sealed: Buffer;
}

export interface SealedPrevious {
  sealed: Buffer;
  /** Of the set that lasts longest. */
  until: Date;
  now: Date;
}

interface SealedColumns {
  id: number;
  current: Buffer;
  previous: Buffer | null;
  next: Buffer | null;
  /** Empty for a shop that signs with its secret alone. */
  signingKeys: Buffer[];
}

/** Seals and opens what a shop keeps secret. Always read fresh: what is cached is only the decryption of a ciphertext. */
@Injectable()
export class ShopSecretsService {
  private readonly opened = growingCache<string, string>(CACHED_SECRETS);
  private readonly signingKeys = growingCache<string, KeyObject>(CACHED_SECRETS, { memoMethod: openSigningKey });
  /** What is asked for while others' read is under way is read together afterwards: never older than the question. */
  private readonly accounts = new Batcher<number, SealedAccount | undefined>(
    (shopIds) => this.sealedAccounts(shopIds),
    {
      maxSize: 500,
      maxRuns: 2,
    },
  );

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  sealWebhookSecret(secret: string): Buffer {
    return this.encryption.encrypt(secret, WEBHOOK_SECRET);
  }

  sealSigningKey(key: string): Buffer {
    return this.encryption.encrypt(key, SIGNING_KEY);
  }

  sealCredentials(credentials: Record<string, unknown>): Buffer {
    return this.encryption.encrypt(JSON.stringify(credentials), PROVIDER_CREDENTIALS);
  }

  /** `null`: there is no such shop. */
  async providerAccount(shopId: number): Promise<ProviderAccount | null> {
    const row = await this.accounts.add(shopId);
    return row ? this.openAccount(row) : null;
  }

  /** Before they were changed, while that is not long ago; none of another provider's shop. */
  async previousCredentials(shopId: number, provider: string): Promise<PreviousCredentials[]> {
    const [row] = await this.database.query<SealedPrevious>(PREVIOUS_CREDENTIALS, [shopId, provider]);
    return row ? this.openPrevious(row) : [];
  }

  sealPrevious(sets: PreviousCredentials[]): Pick<SealedPrevious, 'sealed' | 'until'> | null {
    const [first, ...others] = sets;
    return first ? { sealed: this.sealCredentials(toStored([first, ...others])), until: first.until } : null;
  }

  openPrevious({ sealed, until, now }: SealedPrevious): PreviousCredentials[] {
    return fromStored(JSON.parse(this.open(sealed, PROVIDER_CREDENTIALS)) as StoredCredentials, until, now);
  }

  openAccount({ provider, sealed }: Pick<SealedAccount, 'provider' | 'sealed'>): ProviderAccount {
    const credentials = JSON.parse(this.open(sealed, PROVIDER_CREDENTIALS)) as Record<string, unknown>;
    return { provider, credentials };
  }

  async webhookSecrets(shopIds: number[]): Promise<Map<number, WebhookSecrets>> {
    const rows = await this.database.query<SealedColumns>(WEBHOOK_SECRETS, [shopIds]);
    return new Map(rows.map(({ id, ...sealed }) => [id, this.openAll(sealed)]));
  }

  /**
   * Every secret of a shop and of the merchant's newest others, also those that sign no more: to tell whose a signature is.
   * What cannot be opened is left out.
   */
  async secretsOfMerchant(merchantId: number, shopId: number): Promise<{ shopId: number; secret: string }[]> {
    const values = [merchantId, shopId, MOST_SHOPS];
    const rows = await this.database.query<{ shopId: number; sealed: Buffer }>(MERCHANT_SECRETS, values);
    return rows.flatMap((row) => {
      try {
        return [{ shopId: row.shopId, secret: this.open(row.sealed, WEBHOOK_SECRET) }];
      } catch {
        return [];
      }
    });
  }

  openWebhookSecrets({ current, previous, next, signing_keys: keys }: SealedSecrets): WebhookSecrets {
    const bytes = (sealed: string): Buffer => Buffer.from(sealed, 'base64');
    return this.openAll({
      current: bytes(current),
      previous: previous === null ? null : bytes(previous),
      next: next ? bytes(next) : null,
      signingKeys: keys ? keys.filter((key) => key !== null).map(bytes) : [],
    });
  }

  /** Whether `sealed` holds this secret; what cannot be opened does not. */
  holdsWebhookSecret(sealed: Buffer, secret: string): boolean {
    try {
      return this.open(sealed, WEBHOOK_SECRET) === secret;
    } catch {
      return false;
    }
  }

  openSigningKeys(sealed: readonly Buffer[]): KeyObject[] {
    return sealed.map((key) => this.signingKeys.memo(this.open(key, SIGNING_KEY)));
  }

  private openAll({ current, previous, next, signingKeys }: Omit<SealedColumns, 'id'>): WebhookSecrets {
    const open = (sealed: Buffer): string => this.open(sealed, WEBHOOK_SECRET);
    return {
      current: open(current),
      previous: previous && open(previous),
      ...(next && { next: open(next) }),
      ...(signingKeys.length > 0 && { signingKeys: this.openSigningKeys(signingKeys) }),
    };
  }

  private async sealedAccounts(shopIds: number[]): Promise<(SealedAccount | undefined)[]> {
    const rows = await this.database.query<SealedAccount>(PROVIDER_ACCOUNTS, [[...new Set(shopIds)]]);
    const byShop = new Map(rows.map((row) => [row.id, row]));
    return shopIds.map((shopId) => byShop.get(shopId));
  }

  private open(sealed: Buffer, purpose: string): string {
    const key = purpose + sealed.toString('latin1');
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.encryption.decrypt(sealed, purpose);
    this.opened.set(key, secret);
    return secret;
  }
}
