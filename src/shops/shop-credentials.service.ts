import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../platform/database/database.js';
import { ProviderRegistry } from '../providers/provider-registry.service.js';
import { invalidField, Problem } from '../shared/problem.js';
import { keptAfter, type PreviousCredentials } from './previous-credentials.js';
import { type AccountIdentity, ProviderAccounts } from './provider-accounts.service.js';
import type { SecretOwner } from './secret-columns.js';
import { type EncryptedPrevious, ShopSecretsService } from './shop-secrets.service.js';
import { LOCK_CREDENTIALS, PROVIDER_ACCOUNT } from './shops.queries.js';

/** Named by key; `null` removes a key. */
type Credentials = Record<string, unknown>;

const DEFAULT_OVERLAP_SECONDS = 86_400;

interface EncryptedCredentials {
  merchantId: number;
  provider: string;
  encrypted: Buffer;
}

interface LockedCredentials {
  encrypted: Buffer;
  previous: Buffer | null;
  until: Date | null;
  now: Date;
}

/** A change of a shop's credentials that is ready to be written. */
export interface PreparedCredentials {
  owner: SecretOwner;
  provider: string;
  given: Credentials;
  overlapSeconds: number | undefined;
  /** The ciphertext that the change is based on. */
  basis: Buffer;
  after: Credentials;
  /** `undefined`: the change is not about the account. */
  identity: AccountIdentity | undefined;
}

/** Both encrypted; `previous` `null`: no earlier credentials verify notifications. */
export interface EncryptedChange {
  encrypted: Buffer;
  previous: ReturnType<ShopSecretsService['encryptPrevious']>;
}

/** Credentials of shops: validation, changes, and the account that they belong to. */
@Injectable()
export class ShopCredentials {
  constructor(
    private readonly database: Database,
    private readonly secrets: ShopSecretsService,
    private readonly providers: ProviderRegistry,
    private readonly accounts: ProviderAccounts,
  ) {}

  /** Throws `validation_failed` (provider, credentials). */
  validate(providerName: string, credentials: Credentials): void {
    if (!this.providers.names().includes(providerName)) {
      throw invalidField('provider', `must be one of ${this.providers.names().join(', ')}`);
    }
    const errors = this.providers.get(providerName).validateCredentials(credentials);
    if (errors.length === 0) return;
    throw new Problem('validation_failed', {
      errors: errors.map(({ field, message }) => ({ field: `provider_credentials.${field}`, message })),
    });
  }

  /** The shop's credentials; empty if they cannot be decrypted because the key is lost. The shop must exist. */
  async readable(shopId: number): Promise<Credentials> {
    const [row] = await this.database.query<EncryptedCredentials>(PROVIDER_ACCOUNT, [shopId]);
    return row ? this.decrypted({ merchantId: row.merchantId, shopId }, row.provider, row.encrypted) : {};
  }

  /**
   * Merges `given` into the credentials of an existing shop, and asks the provider for the account if credentials of
   * calls change. Call it outside of any transaction. Throws `validation_failed`.
   */
  async prepare(owner: SecretOwner, given: Credentials, overlapSeconds?: number): Promise<PreparedCredentials> {
    const [row] = await this.database.query<EncryptedCredentials>(PROVIDER_ACCOUNT, [owner.shopId]);
    const { provider, encrypted: basis } = row!;
    const merged = Object.entries({ ...this.decrypted(owner, provider, basis), ...given });
    const after = Object.fromEntries(merged.filter(([, value]) => value !== null));
    this.validate(provider, after);
    const verifying = this.verifyingOf(provider);
    const isAboutAccount = Object.keys(given).some((name) => !verifying.includes(name));
    const identity = isAboutAccount ? await this.accounts.identify(provider, after) : undefined;
    return { owner, provider, given, overlapSeconds, basis, after, identity };
  }

  /**
   * The credentials to write, and the earlier ones for notifications. Locks the shop. `null`: another change was
   * committed since `prepare`. Throws `shop_not_found`.
   */
  async encrypt(transaction: Transaction, change: PreparedCredentials): Promise<EncryptedChange | null> {
    const { owner, provider, given, after, overlapSeconds = DEFAULT_OVERLAP_SECONDS } = change;
    const [row] = await transaction.query<LockedCredentials>(LOCK_CREDENTIALS, [owner.merchantId, owner.shopId]);
    if (!row) throw new Problem('shop_not_found');
    if (!row.encrypted.equals(change.basis)) return null;
    const before = this.decrypted(owner, provider, row.encrypted);
    const kept = keptAfter(
      this.previousOf(owner, row),
      { before, after, given, verifying: this.verifyingOf(provider), overlapSeconds },
      row.now,
    );
    return {
      encrypted: this.secrets.encryptCredentials(owner, after),
      previous: this.secrets.encryptPrevious(owner, kept),
    };
  }

  private verifyingOf(provider: string): string[] {
    const { credentialFields } = this.providers.get(provider);
    return credentialFields.flatMap(({ name, usedFor }) => (usedFor === 'notifications' ? [name] : []));
  }

  private previousOf(owner: SecretOwner, { previous, until, now }: LockedCredentials): PreviousCredentials[] {
    if (!previous || !until) return [];
    const encrypted: EncryptedPrevious = { encrypted: previous, until, now };
    try {
      return this.secrets.decryptPrevious(owner, encrypted);
    } catch {
      return [];
    }
  }

  /** Returns no credentials if they cannot be decrypted because the key is lost; the change then replaces them. */
  private decrypted(owner: SecretOwner, provider: string, encrypted: Buffer): Credentials {
    try {
      return this.secrets.decryptAccount(owner, { provider, encrypted }).credentials;
    } catch {
      return {};
    }
  }
}
