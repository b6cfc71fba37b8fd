import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../platform/database/database.js';
import { Encryption } from '../platform/encryption/encryption.js';
import { Batcher } from '../shared/batcher.js';
import { PREVIOUS_CREDENTIALS, PROVIDER_ACCOUNTS, SEALED_COLUMNS, WEBHOOK_SECRETS } from './shops.queries.js';
import type { ProviderAccount } from './shop-summary.js';
import type { SealedSecrets, WebhookSecrets } from './webhook-secrets.js';

const { webhook_secret: WEBHOOK_SECRET, provider_credentials: PROVIDER_CREDENTIALS } = SEALED_COLUMNS;
const CACHED_SECRETS = 5_000;

interface SealedAccount {
  id: number;
  provider: string;
  sealed: Buffer;
}

/** Seals and opens what a shop keeps secret. Always read fresh: what is cached is only the decryption of a ciphertext. */
@Injectable()
export class ShopSecretsService {
  private readonly opened = new LRUCache<string, string>({ max: CACHED_SECRETS });
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

  sealCredentials(credentials: Record<string, unknown>): Buffer {
    return this.encryption.encrypt(JSON.stringify(credentials), PROVIDER_CREDENTIALS);
  }

  /** `null`: there is no such shop. */
  async providerAccount(shopId: number): Promise<ProviderAccount | null> {
    const row = await this.accounts.add(shopId);
    return row ? this.openAccount(row) : null;
  }

  /** Before they were changed, while that is not long ago; `null`: none, or another provider's shop. */
  async previousCredentials(shopId: number, provider: string): Promise<Record<string, unknown> | null> {
    const [row] = await this.database.query<{ sealed: Buffer }>(PREVIOUS_CREDENTIALS, [shopId, provider]);
    return row ? this.openAccount({ provider, sealed: row.sealed }).credentials : null;
  }

  openAccount({ provider, sealed }: Pick<SealedAccount, 'provider' | 'sealed'>): ProviderAccount {
    const credentials = JSON.parse(this.open(sealed, PROVIDER_CREDENTIALS)) as Record<string, unknown>;
    return { provider, credentials };
  }

  async webhookSecrets(shopIds: number[]): Promise<Map<number, WebhookSecrets>> {
    const rows = await this.database.query<{ id: number; current: Buffer; previous: Buffer | null }>(WEBHOOK_SECRETS, [
      shopIds,
    ]);
    return new Map(
      rows.map(({ id, current, previous }) => [
        id,
        { current: this.open(current, WEBHOOK_SECRET), previous: previous && this.open(previous, WEBHOOK_SECRET) },
      ]),
    );
  }

  openWebhookSecrets({ current, previous }: SealedSecrets): WebhookSecrets {
    const open = (sealed: string): string => this.open(Buffer.from(sealed, 'base64'), WEBHOOK_SECRET);
    return { current: open(current), previous: previous && open(previous) };
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
