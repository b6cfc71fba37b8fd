import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Encryption } from '../platform/encryption/encryption.js';
import { boundedCache } from '../shared/bounded-cache.js';
import { Problem } from '../shared/problem.js';
import { PREVIOUS_CREDENTIALS, PROVIDER_ACCOUNT, SHOP_ROTATION } from './shops.queries.js';
import { fromStored, type PreviousCredentials, type StoredCredentials, toStored } from './previous-credentials.js';
import { rowOfShop, type SecretOwner, SHOP_SECRET_PURPOSES } from './secret-columns.js';
import type { ProviderAccount } from './shop-summary.js';

const {
  webhook_secret: WEBHOOK_SECRET,
  webhook_signing_key: SIGNING_KEY,
  provider_credentials: PROVIDER_CREDENTIALS,
} = SHOP_SECRET_PURPOSES;
const CACHED_SECRETS = 5_000;

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

/** Pending steps of the latest rotations; `null`: none. */
export interface ShopRotation {
  secretActiveFrom: Date | null;
  previousSecretExpiresAt: Date | null;
  previousKeyExpiresAt: Date | null;
}

/**
 * Encrypts and decrypts a shop's secrets. Ciphertexts are always read from the database; only their decryption is
 * cached.
 */
@Injectable()
export class ShopSecretsService {
  private readonly decrypted = boundedCache<string, string>(CACHED_SECRETS);

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

  /** The pending steps of the latest rotations. Throws `shop_not_found`. */
  async rotation(merchantId: number, shopId: number): Promise<ShopRotation> {
    const [rotation] = await this.database.query<ShopRotation>(SHOP_ROTATION, [merchantId, shopId]);
    if (!rotation) throw new Problem('shop_not_found');
    return rotation;
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
