import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../platform/database/database.js';
import { Encryption } from '../platform/encryption/encryption.js';
import {
  MERCHANT_SECRETS,
  PREVIOUS_CREDENTIALS,
  PROVIDER_ACCOUNT,
  SEALED_COLUMNS,
  WEBHOOK_SECRETS,
} from './shops.queries.js';
import { fromStored, type PreviousCredentials, type StoredCredentials, toStored } from './previous-credentials.js';
import { rowOfShop, type SecretOwner } from './sealed-secrets.js';
import type { ProviderAccount } from './shop-summary.js';
import { openSigningKey } from './signing-key.js';
import type { SealedSecrets, WebhookSecrets } from './webhook-secrets.js';

const {
  webhook_secret: WEBHOOK_SECRET,
  webhook_signing_key: SIGNING_KEY,
  provider_credentials: PROVIDER_CREDENTIALS,
} = SEALED_COLUMNS;
const CACHED_SECRETS = 5_000;
/** Whose secrets are tried to tell whose a signature is. */
const MOST_SHOPS = 100;

interface SealedAccount {
  merchantId: number;
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
  merchantId: number;
  current: Buffer;
  previous: Buffer | null;
  next: Buffer | null;
  /** Empty for a shop that signs with its secret alone. */
  signingKeys: Buffer[];
}

/** Seals and opens what a shop keeps secret. Always read fresh: what is cached is only the decryption of a ciphertext. */
@Injectable()
export class ShopSecretsService {
  private readonly opened = new LRUCache<string, string>({ maxSize: CACHED_SECRETS, sizeCalculation: () => 1 });
  private readonly signingKeys = new LRUCache<string, KeyObject>({
    maxSize: CACHED_SECRETS,
    sizeCalculation: () => 1,
    memoMethod: openSigningKey,
  });

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  sealWebhookSecret(owner: SecretOwner, secret: string): Buffer {
    return this.encryption.encrypt(secret, WEBHOOK_SECRET, rowOfShop(owner));
  }

  sealSigningKey(owner: SecretOwner, key: string): Buffer {
    return this.encryption.encrypt(key, SIGNING_KEY, rowOfShop(owner));
  }

  sealCredentials(owner: SecretOwner, credentials: Record<string, unknown>): Buffer {
    return this.encryption.encrypt(JSON.stringify(credentials), PROVIDER_CREDENTIALS, rowOfShop(owner));
  }

  /** `null`: there is no such shop. */
  async providerAccount(shopId: number): Promise<ProviderAccount | null> {
    const [row] = await this.database.query<SealedAccount>(PROVIDER_ACCOUNT, [shopId]);
    return row ? this.openAccount({ merchantId: row.merchantId, shopId }, row) : null;
  }

  /** Before they were changed, while that is not long ago; none of another provider's shop. */
  async previousCredentials(shopId: number, provider: string): Promise<PreviousCredentials[]> {
    type Row = SealedPrevious & { merchantId: number };
    const [row] = await this.database.query<Row>(PREVIOUS_CREDENTIALS, [shopId, provider]);
    return row ? this.openPrevious({ merchantId: row.merchantId, shopId }, row) : [];
  }

  sealPrevious(owner: SecretOwner, sets: PreviousCredentials[]): Pick<SealedPrevious, 'sealed' | 'until'> | null {
    const [first, ...others] = sets;
    return first ? { sealed: this.sealCredentials(owner, toStored([first, ...others])), until: first.until } : null;
  }

  openPrevious(owner: SecretOwner, { sealed, until, now }: SealedPrevious): PreviousCredentials[] {
    const stored = JSON.parse(this.open(owner, sealed, PROVIDER_CREDENTIALS)) as StoredCredentials;
    return fromStored(stored, until, now);
  }

  openAccount(owner: SecretOwner, { provider, sealed }: Pick<SealedAccount, 'provider' | 'sealed'>): ProviderAccount {
    const credentials = JSON.parse(this.open(owner, sealed, PROVIDER_CREDENTIALS)) as Record<string, unknown>;
    return { provider, credentials };
  }

  async webhookSecrets(shopIds: number[]): Promise<Map<number, WebhookSecrets>> {
    const rows = await this.database.query<SealedColumns>(WEBHOOK_SECRETS, [shopIds]);
    return new Map(rows.map(({ id, merchantId, ...sealed }) => [id, this.openAll({ merchantId, shopId: id }, sealed)]));
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
        return [
          { shopId: row.shopId, secret: this.open({ merchantId, shopId: row.shopId }, row.sealed, WEBHOOK_SECRET) },
        ];
      } catch {
        return [];
      }
    });
  }

  openWebhookSecrets(stored: SealedSecrets): WebhookSecrets {
    const { current, previous, next, signing_keys: keys, shop_id: shopId, merchant_id: merchantId } = stored;
    const bytes = (sealed: string): Buffer => Buffer.from(sealed, 'base64');
    return this.openAll(
      { merchantId, shopId },
      {
        current: bytes(current),
        previous: previous === null ? null : bytes(previous),
        next: next ? bytes(next) : null,
        signingKeys: keys ? keys.filter((key) => key !== null).map(bytes) : [],
      },
    );
  }

  /** Whether `sealed` holds this secret; what cannot be opened does not. */
  holdsWebhookSecret(owner: SecretOwner, sealed: Buffer, secret: string): boolean {
    try {
      return this.open(owner, sealed, WEBHOOK_SECRET) === secret;
    } catch {
      return false;
    }
  }

  openSigningKeys(owner: SecretOwner, sealed: readonly Buffer[]): KeyObject[] {
    return sealed.map((key) => this.signingKeys.memo(this.open(owner, key, SIGNING_KEY)));
  }

  private openAll(
    owner: SecretOwner,
    { current, previous, next, signingKeys }: Omit<SealedColumns, 'id' | 'merchantId'>,
  ): WebhookSecrets {
    const open = (sealed: Buffer): string => this.open(owner, sealed, WEBHOOK_SECRET);
    return {
      current: open(current),
      previous: previous && open(previous),
      ...(next && { next: open(next) }),
      ...(signingKeys.length > 0 && { signingKeys: this.openSigningKeys(owner, signingKeys) }),
    };
  }

  private open(owner: SecretOwner, sealed: Buffer, purpose: string): string {
    const row = rowOfShop(owner);
    const key = `${purpose} ${row} ${sealed.toString('latin1')}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.encryption.decrypt(sealed, purpose, row);
    this.opened.set(key, secret);
    return secret;
  }
}
