import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../platform/database/database.js';
import { Encryption } from '../platform/encryption/encryption.js';
import { boundedCache } from '../shared/bounded-cache.js';
import {
  MERCHANT_SECRETS,
  PREVIOUS_CREDENTIALS,
  PROVIDER_ACCOUNT,
  SHOP_SECRET_PURPOSES,
  WEBHOOK_SECRETS,
} from './shops.queries.js';
import { fromStored, type PreviousCredentials, type StoredCredentials, toStored } from './previous-credentials.js';
import { rowOfShop, type SecretOwner } from './secret-columns.js';
import type { ProviderAccount } from './shop-summary.js';
import { parseSigningKey } from './signing-key.js';
import type { EncryptedWebhookSecrets, WebhookSecrets } from './webhook-secrets.js';

const {
  webhook_secret: WEBHOOK_SECRET,
  webhook_signing_key: SIGNING_KEY,
  provider_credentials: PROVIDER_CREDENTIALS,
} = SHOP_SECRET_PURPOSES;
const CACHED_SECRETS = 5_000;
/** The maximum number of shops whose secrets are tried to identify a signature. */
const MAX_SHOPS = 100;

interface EncryptedAccount {
  merchantId: number;
  provider: string;
  encrypted: Buffer;
}

export interface EncryptedPrevious {
  encrypted: Buffer;
  /** The expiry of the set that expires last. */
  until: Date;
  now: Date;
}

interface EncryptedColumns {
  id: number;
  merchantId: number;
  current: Buffer;
  previous: Buffer | null;
  next: Buffer | null;
  /** Empty for a shop that signs only with its secret. */
  signingKeys: Buffer[];
}

/**
 * Encrypts and decrypts a shop's secrets. Ciphertexts are always read from the database; only their decryption is
 * cached.
 */
@Injectable()
export class ShopSecretsService {
  private readonly decrypted = boundedCache<string, string>(CACHED_SECRETS);
  private readonly signingKeys = new LRUCache<string, KeyObject>({
    maxSize: CACHED_SECRETS,
    sizeCalculation: () => 1,
    memoMethod: parseSigningKey,
  });

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  encryptWebhookSecret(owner: SecretOwner, secret: string): Buffer {
    return this.encryption.encrypt(secret, WEBHOOK_SECRET, rowOfShop(owner));
  }

  encryptSigningKey(owner: SecretOwner, key: string): Buffer {
    return this.encryption.encrypt(key, SIGNING_KEY, rowOfShop(owner));
  }

  encryptCredentials(owner: SecretOwner, credentials: Record<string, unknown>): Buffer {
    return this.encryption.encrypt(JSON.stringify(credentials), PROVIDER_CREDENTIALS, rowOfShop(owner));
  }

  /** `null`: no such shop. */
  async providerAccount(shopId: number): Promise<ProviderAccount | null> {
    const [row] = await this.database.query<EncryptedAccount>(PROVIDER_ACCOUNT, [shopId]);
    return row ? this.decryptAccount({ merchantId: row.merchantId, shopId }, row) : null;
  }

  /** The earlier credentials until they expire; empty for a shop of another provider. */
  async previousCredentials(shopId: number, provider: string): Promise<PreviousCredentials[]> {
    type Row = EncryptedPrevious & { merchantId: number };
    const [row] = await this.database.query<Row>(PREVIOUS_CREDENTIALS, [shopId, provider]);
    return row ? this.decryptPrevious({ merchantId: row.merchantId, shopId }, row) : [];
  }

  encryptPrevious(
    owner: SecretOwner,
    sets: PreviousCredentials[],
  ): Pick<EncryptedPrevious, 'encrypted' | 'until'> | null {
    const [first, ...others] = sets;
    return first
      ? { encrypted: this.encryptCredentials(owner, toStored([first, ...others])), until: first.until }
      : null;
  }

  decryptPrevious(owner: SecretOwner, { encrypted, until, now }: EncryptedPrevious): PreviousCredentials[] {
    const stored = JSON.parse(this.decrypt(owner, encrypted, PROVIDER_CREDENTIALS)) as StoredCredentials;
    return fromStored(stored, until, now);
  }

  decryptAccount(
    owner: SecretOwner,
    { provider, encrypted }: Pick<EncryptedAccount, 'provider' | 'encrypted'>,
  ): ProviderAccount {
    const credentials = JSON.parse(this.decrypt(owner, encrypted, PROVIDER_CREDENTIALS)) as Record<string, unknown>;
    return { provider, credentials };
  }

  async webhookSecrets(shopIds: number[]): Promise<Map<number, WebhookSecrets>> {
    const rows = await this.database.query<EncryptedColumns>(WEBHOOK_SECRETS, [shopIds]);
    return new Map(
      rows.map(({ id, merchantId, ...encrypted }) => [id, this.decryptAll({ merchantId, shopId: id }, encrypted)]),
    );
  }

  /**
   * Returns every secret of a shop and of the merchant's newest other shops, including those that no longer sign: to
   * identify the secret of a signature. Secrets that cannot be decrypted are omitted.
   */
  async secretsOfMerchant(merchantId: number, shopId: number): Promise<{ shopId: number; secret: string }[]> {
    const values = [merchantId, shopId, MAX_SHOPS];
    const rows = await this.database.query<{ shopId: number; encrypted: Buffer }>(MERCHANT_SECRETS, values);
    return rows.flatMap((row) => {
      try {
        return [
          {
            shopId: row.shopId,
            secret: this.decrypt({ merchantId, shopId: row.shopId }, row.encrypted, WEBHOOK_SECRET),
          },
        ];
      } catch {
        return [];
      }
    });
  }

  decryptWebhookSecrets(stored: EncryptedWebhookSecrets): WebhookSecrets {
    const { current, previous, next, signing_keys: keys, shop_id: shopId, merchant_id: merchantId } = stored;
    const bytes = (encrypted: string): Buffer => Buffer.from(encrypted, 'base64');
    return this.decryptAll(
      { merchantId, shopId },
      {
        current: bytes(current),
        previous: previous === null ? null : bytes(previous),
        next: next ? bytes(next) : null,
        signingKeys: keys ? keys.filter((key) => key !== null).map(bytes) : [],
      },
    );
  }

  /** Whether the ciphertext contains this secret; `false` if it cannot be decrypted. */
  holdsWebhookSecret(owner: SecretOwner, encrypted: Buffer, secret: string): boolean {
    try {
      return this.decrypt(owner, encrypted, WEBHOOK_SECRET) === secret;
    } catch {
      return false;
    }
  }

  decryptSigningKeys(owner: SecretOwner, encrypted: readonly Buffer[]): KeyObject[] {
    return encrypted.map((key) => this.signingKeys.memo(this.decrypt(owner, key, SIGNING_KEY)));
  }

  private decryptAll(
    owner: SecretOwner,
    { current, previous, next, signingKeys }: Omit<EncryptedColumns, 'id' | 'merchantId'>,
  ): WebhookSecrets {
    const decrypt = (encrypted: Buffer): string => this.decrypt(owner, encrypted, WEBHOOK_SECRET);
    return {
      current: decrypt(current),
      previous: previous && decrypt(previous),
      ...(next && { next: decrypt(next) }),
      ...(signingKeys.length > 0 && { signingKeys: this.decryptSigningKeys(owner, signingKeys) }),
    };
  }

  private decrypt(owner: SecretOwner, encrypted: Buffer, purpose: string): string {
    const row = rowOfShop(owner);
    const key = `${purpose} ${row} ${encrypted.toString('latin1')}`;
    const known = this.decrypted.get(key);
    if (known !== undefined) return known;
    const secret = this.encryption.decrypt(encrypted, purpose, row);
    this.decrypted.set(key, secret);
    return secret;
  }
}
