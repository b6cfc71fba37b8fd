import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOperator, LessThan, Raw, Repository } from 'typeorm';
import { AuditLogService } from '../audit/audit-log.service.js';
import { type AuditContext, SYSTEM } from '../audit/audit-context.js';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { Database, type Statement, type Transaction } from '../platform/database/database.js';
import { lockMerchant } from '../platform/database/writes.js';
import { isUniqueViolation } from '../platform/database/postgres-errors.js';
import type { ProviderCapabilities } from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../providers/provider-registry.service.js';
import { type Page, type PageRequest, toPage } from '../shared/cursor.js';
import type { FeeEntry } from '@payment-orchestrator/routing/facts/fees';
import { CURRENCIES } from '../shared/money.js';
import { Problem } from '../shared/problem.js';
import { Random } from '../shared/random.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import type { ProviderAccount, ShopSummary } from './shop-summary.js';
import type { SecretOwner } from './secret-columns.js';
import { type PreparedCredentials, ShopCredentials } from './shop-credentials.service.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ShopEntity } from './shop.entity.js';
import { COUNT_SHOPS, FIND_SHOP, INSERT_SHOP, SHOP_SUMMARIES, TAKE_SHOP_ID, UPDATE_SHOP } from './shops.queries.js';
import { newSigningKey } from './signing-key.js';
import { newWebhookSecret, type WebhookSigning } from './webhook-secrets.js';

export interface NewShop {
  name: string;
  provider: string;
  credentials: Record<string, unknown>;
  /** The label of its account at the provider; absent: the account's label or id. */
  providerAccount?: string | undefined;
  /** Generated if absent. */
  webhookSecret: string | undefined;
  /** Absent or empty: unknown. */
  fees?: FeeEntry[] | undefined;
}

/** Absent fields stay unchanged. */
export interface ShopChanges {
  name?: string;
  enabled?: boolean;
  /** Merged by key into the shop's credentials; `null` removes a key. */
  credentials?: Record<string, unknown>;
  /** The label of its account at the provider, for all shops of the account. */
  providerAccount?: string;
  /** How long notifications are verified with the earlier credentials, too. */
  overlapSeconds?: number;
  /** `public_key`: with the shop's own key, which is generated if the shop has none. */
  webhookSigning?: WebhookSigning;
  /** Replaces the list; empty: unknown. */
  fees?: FeeEntry[];
}

/** A shop with its webhook secret in plain text, for the few answers that show it to the merchant. */
export interface ShopWithSecret {
  shop: ShopEntity;
  webhookSecret: string;
}

/** Matches names that contain the text. PostgreSQL's `ILIKE` would treat `%` and `_` as wildcards. */
const containing = (text: string): FindOperator<string> =>
  Raw((name) => `strpos(lower(${name}), lower(:text)) > 0`, { text }) as FindOperator<string>;

type ProviderAbilities = Pick<ShopSummary, 'capturesManually' | 'refusedCurrencies' | 'paymentMethodTypes'>;

/** The currencies that a provider refuses, by its list of accepted ones, so that all of its shops share one set. */
const REFUSED = new WeakMap<readonly string[], ReadonlySet<string>>();

function refusedBy(accepted: readonly string[]): ReadonlySet<string> {
  const known = REFUSED.get(accepted);
  if (known) return known;
  const names = new Set(accepted);
  const refused = new Set(CURRENCIES.filter((currency) => !names.has(currency)));
  REFUSED.set(accepted, refused);
  return refused;
}

function abilitiesWith({ manualCapture, currencies, paymentMethodTypes }: ProviderCapabilities): ProviderAbilities {
  const refused = currencies && refusedBy(currencies);
  return {
    ...(manualCapture && { capturesManually: true }),
    ...(refused && refused.size > 0 && { refusedCurrencies: refused }),
    ...(paymentMethodTypes && { paymentMethodTypes }),
  };
}

@Injectable()
export class ShopsService {
  constructor(
    @InjectRepository(ShopEntity) private readonly shops: Repository<ShopEntity>,
    private readonly database: Database,
    private readonly secrets: ShopSecretsService,
    private readonly credentials: ShopCredentials,
    private readonly accounts: ProviderAccounts,
    private readonly providers: ProviderRegistry,
    private readonly random: Random,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'maxShopsPerMerchant'>,
  ) {}

  /** Throws `validation_failed` (provider, credentials, account), `shop_limit_reached` or `shop_name_taken`. */
  async create(merchantId: number, shop: NewShop, context: AuditContext = SYSTEM): Promise<ShopWithSecret> {
    const { provider } = shop;
    this.credentials.validate(provider, shop.credentials);
    const identity = await this.accounts.identify(provider, shop.credentials);
    const webhookSecret = shop.webhookSecret ?? newWebhookSecret(this.random);
    const [{ id: shopId }] = (await this.database.query<{ id: number }>(TAKE_SHOP_ID)) as [{ id: number }];
    const owner = { merchantId, shopId };
    const created = await this.database.transaction(async (transaction) => {
      await this.requireCapacity(transaction, merchantId);
      const account = { merchantId, provider };
      const label = await this.accounts.label(transaction, account, identity, shop.providerAccount);
      const [row] = await write<ShopEntity>(transaction, INSERT_SHOP, [
        merchantId,
        shop.name,
        provider,
        this.secrets.encryptCredentials(owner, shop.credentials),
        this.secrets.encryptWebhookSecret(owner, webhookSecret),
        shopId,
        label,
        identity.id,
        identity.acceptsAnyToken,
        identity.isKnown,
        shop.fees?.length ? JSON.stringify(shop.fees) : null,
      ]);
      await this.audit.record(transaction, context, { merchantId, action: 'shop.created', objectId: row!.id });
      return row!;
    });
    return { shop: created, webhookSecret };
  }

  /** Throws `shop_not_found`. */
  async find(merchantId: number, shopId: number): Promise<ShopEntity> {
    const [shop] = await this.database.query<ShopEntity>(FIND_SHOP, [merchantId, shopId]);
    if (!shop) throw new Problem('shop_not_found');
    return shop;
  }

  /** `nameContains`: only shops whose name contains this text. */
  async list(merchantId: number, { limit, beforeId }: PageRequest, nameContains?: string): Promise<Page<ShopEntity>> {
    const where = {
      merchantId,
      ...(beforeId !== undefined && { id: LessThan(beforeId) }),
      ...(nameContains !== undefined && { name: containing(nameContains) }),
    };
    return toPage(await this.shops.find({ where, order: { id: 'DESC' }, take: limit + 1 }), limit);
  }

  /** Throws `shop_not_found`, `validation_failed` (credentials, account) or `shop_name_taken`. */
  async update(
    merchantId: number,
    shopId: number,
    changes: ShopChanges,
    context: AuditContext = SYSTEM,
  ): Promise<ShopEntity> {
    const shop = await this.find(merchantId, shopId);
    const { credentials, overlapSeconds, ...fields } = changes;
    if ([credentials, ...Object.values(fields)].every((change) => change === undefined)) return shop;
    const owner = { merchantId, shopId };
    const prepared = credentials && (await this.credentials.prepare(owner, credentials, overlapSeconds));
    const updated = await this.database.transaction((transaction) =>
      this.write(transaction, shop, changes, prepared, context),
    );
    // another change of the credentials was committed meanwhile
    return updated ?? this.update(merchantId, shopId, changes, context);
  }

  /** `null`: the prepared credentials are based on earlier ones. */
  private async write(
    transaction: Transaction,
    shop: ShopEntity,
    { name, enabled, providerAccount, webhookSigning: signing, fees }: ShopChanges,
    prepared: PreparedCredentials | undefined,
    context: AuditContext,
  ): Promise<ShopEntity | null> {
    const { merchantId, id: shopId } = shop;
    // before the shop, as a new shop may rename the account of this one
    if (prepared || providerAccount !== undefined) await lockMerchant(transaction, merchantId);
    const change = prepared && (await this.credentials.encrypt(transaction, prepared));
    if (change === null) return null;
    const account = await this.accounts.change(transaction, shop, prepared?.identity, providerAccount);
    const newKey = () => this.secrets.encryptSigningKey({ merchantId, shopId }, newSigningKey(this.random));
    const [updated] = await write<ShopEntity>(transaction, UPDATE_SHOP, [
      merchantId,
      shopId,
      name,
      enabled,
      change?.encrypted,
      change?.previous?.encrypted,
      change?.previous?.until,
      signing,
      signing === 'public_key' ? newKey() : null,
      account?.label,
      account?.id,
      account?.acceptsAnyToken,
      prepared?.identity?.isKnown,
      fees && JSON.stringify(fees),
    ]);
    const given = {
      name,
      enabled,
      provider_credentials: change,
      webhook_signing: signing,
      provider_account: providerAccount,
      fees,
    };
    const fields = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    await this.audit.record(transaction, context, { merchantId, action: 'shop.updated', objectId: shopId, fields });
    return updated!;
  }

  /** In no particular order; unknown ids and those of other merchants are omitted. */
  async summaries(merchantId: number, ids: number[]): Promise<ShopSummary[]> {
    return this.withCapabilities(await this.database.query<ShopSummary>(SHOP_SUMMARIES, [merchantId, ids]));
  }

  /** Summaries as another statement has read them (`summariesOf`), with what their providers can do. */
  withCapabilities(summaries: readonly ShopSummary[]): ShopSummary[] {
    return summaries.map((shop) => ({ ...shop, ...this.abilitiesOf(shop.provider) }));
  }

  /** Whether the shop's provider is loaded. */
  isAvailable({ provider }: Pick<ShopSummary, 'provider'>): boolean {
    return this.providers.has(provider);
  }

  /** A shop without its provider takes no payments, as if it were disabled. */
  private abilitiesOf(provider: string): ProviderAbilities | { enabled: false } {
    if (!this.providers.has(provider)) return { enabled: false };
    return abilitiesWith(this.providers.get(provider).capabilities({}));
  }

  /** The account for the shop's payments, for a shop of any merchant; `null`: no such shop. */
  providerAccount(shopId: number): Promise<ProviderAccount | null> {
    return this.secrets.providerAccount(shopId);
  }

  /** Decrypts the ciphertext that another statement has read (`encryptedCredentialsOf`). */
  decryptAccount(owner: SecretOwner, provider: string, encrypted: Buffer): ProviderAccount {
    return this.secrets.decryptAccount(owner, { provider, encrypted });
  }

  /** The earlier credentials that a provider may still sign with; empty after their expiry. */
  async previousCredentials(shopId: number, provider: string): Promise<Record<string, unknown>[]> {
    const sets = await this.secrets.previousCredentials(shopId, provider);
    return sets.map(({ credentials }) => credentials);
  }

  /** The lock serialises concurrent creations, so that the count stays valid until this transaction commits. */
  private async requireCapacity(transaction: Transaction, merchantId: number): Promise<void> {
    const most = this.config.maxShopsPerMerchant;
    await lockMerchant(transaction, merchantId);
    const [shops] = await transaction.query<{ count: number }>(COUNT_SHOPS, [merchantId, most]);
    if (shops!.count < most) return;
    throw new Problem('shop_limit_reached', { detail: `a merchant has at most ${most} shops` });
  }
}

async function write<Row>(transaction: Transaction, statement: Statement, values: unknown[]): Promise<Row[]> {
  try {
    return await transaction.query<Row>(statement, values);
  } catch (error) {
    if (isUniqueViolation(error, 'shops_merchant_id_name_key')) throw new Problem('shop_name_taken');
    throw error;
  }
}
