import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { lockMerchant } from '../../platform/database/writes.js';
import { Problem } from '../../shared/problem.js';
import { Random } from '../../shared/random.js';
import { newWebhookSecret } from '../../shops/webhook-secrets.js';
import { Receivers } from './secrets/receivers.service.js';
import { EndpointPolicy, laneOrigin } from '../outbox/endpoint-policy.service.js';
import { type EndpointAuth, parseEndpointAuth } from './auth/endpoint-auth.js';
import type { EndpointFormat } from './secrets/receiver.js';
import { requireEndpointHeaders } from './auth/endpoint-headers.js';
import { ReceiverSecrets } from './secrets/receiver-secrets.service.js';
import {
  COUNT_STANDING,
  INSERT_STANDING,
  LANE_OF_STANDING,
  LOCK_SETTINGS,
  OWN_SHOP_IDS,
  type StoredSettings,
  TAKE_ENDPOINT_ID,
  UPDATE_STANDING,
} from './endpoint-settings.queries.js';

/** The settings of a standing endpoint, as the merchant sends them; those with `null` are not set. */
export interface EndpointSettings {
  url: string;
  description: string | null;
  /** `null`: all shops, and events of no shop. */
  shop_ids: number[] | null;
  event_types: string[];
  format: EndpointFormat;
  /** The merchant's own headers, by name. */
  headers: Record<string, string> | null;
  auth: Record<string, unknown> | null;
  max_per_second: number | null;
  redeliver_on_recovery: boolean;
}

export interface NewEndpoint {
  /** Absent ones have their defaults. */
  settings: Partial<EndpointSettings> & Pick<EndpointSettings, 'url'>;
  /** Generated if absent. */
  secret?: string | undefined;
}

const DEFAULTS: EndpointSettings = {
  url: '',
  description: null,
  shop_ids: null,
  event_types: ['payment.status_changed'],
  format: 'json',
  headers: null,
  auth: null,
  max_per_second: null,
  redeliver_on_recovery: true,
};

/** Creates standing endpoints and changes their settings. */
@Injectable()
export class EndpointSettingsService {
  constructor(
    private readonly database: Database,
    private readonly receivers: Receivers,
    private readonly secrets: ReceiverSecrets,
    private readonly policy: EndpointPolicy,
    private readonly random: Random,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'maxWebhookEndpointsPerMerchant'>,
  ) {}

  /**
   * Returns the id and the secret. Throws `validation_failed` and `endpoint_limit_reached`.
   */
  async create(
    merchantId: number,
    { settings, secret = newWebhookSecret(this.random) }: NewEndpoint,
    context: AuditContext,
  ): Promise<{ id: number; secret: string }> {
    const { url, headers, auth, ...plain } = this.checked({ ...DEFAULTS, ...settings });
    const [{ id }] = (await this.database.query<{ id: number }>(TAKE_ENDPOINT_ID)) as [{ id: number }];
    await this.database.transaction(async (transaction) => {
      await this.requireCapacity(transaction, merchantId);
      await requireOwnShops(transaction, merchantId, plain.shop_ids);
      await transaction.query(INSERT_STANDING, [
        id,
        merchantId,
        laneOrigin(url),
        url,
        plain.description,
        plain.shop_ids,
        plain.event_types,
        plain.format,
        plain.max_per_second,
        plain.redeliver_on_recovery,
        this.secrets.encrypt('sealed_secret', merchantId, id, secret),
        this.encrypted('sealed_headers', merchantId, id, headers),
        this.encrypted('sealed_auth', merchantId, id, auth),
      ]);
      await this.audit.record(transaction, context, { merchantId, action: 'endpoint.created', objectId: id });
    });
    return { id, secret };
  }

  /**
   * Changes the given settings; `null` removes one. Deliveries that are pending go to the new address. Another origin needs
   * stored `auth` and `headers` again. Throws `endpoint_not_found`, `endpoint_not_standing` and `validation_failed`.
   */
  async update(
    merchantId: number,
    id: number,
    changes: Partial<EndpointSettings>,
    context: AuditContext,
  ): Promise<void> {
    await this.receivers.require({ kind: 'standing', merchantId, id });
    if (Object.keys(changes).length === 0) return;
    await this.database.transaction(async (transaction) => {
      const [stored] = await transaction.query<StoredSettings>(LOCK_SETTINGS, [id, merchantId]);
      if (!stored) throw new Problem('endpoint_not_found');
      requireSecretsAgain(stored, changes);
      const before = {
        ...stored,
        headers: this.secrets.headers(merchantId, id, stored.sealed_headers),
        auth: this.secrets.auth(merchantId, id, stored.sealed_auth),
      };
      const after = this.checked({ ...before, ...changes });
      if (changes.shop_ids) await requireOwnShops(transaction, merchantId, changes.shop_ids);
      const lane = await this.laneAfter(transaction, { merchantId, id }, stored, after.url);
      await transaction.query(UPDATE_STANDING, [
        id,
        lane,
        after.url,
        after.description,
        after.shop_ids,
        after.event_types,
        after.format,
        after.max_per_second,
        after.redeliver_on_recovery,
        'headers' in changes ? this.encrypted('sealed_headers', merchantId, id, after.headers) : stored.sealed_headers,
        'auth' in changes ? this.encrypted('sealed_auth', merchantId, id, after.auth) : stored.sealed_auth,
      ]);
      const entry = { merchantId, action: 'endpoint.updated', objectId: id } as const;
      await this.audit.record(transaction, context, { ...entry, fields: Object.keys(changes) });
    });
  }

  /** Throws `validation_failed`. */
  private checked(settings: EndpointSettings): EndpointSettings & { auth: EndpointAuth | null } {
    this.policy.require(settings.url, 'url');
    const auth = settings.auth && parseEndpointAuth(settings.auth, this.policy);
    if (settings.headers) requireEndpointHeaders(settings.headers, auth !== null);
    return { ...settings, auth };
  }

  /** The lane of the address; a new one for a new origin. */
  private async laneAfter(
    transaction: Transaction,
    { merchantId, id }: { merchantId: number; id: number },
    { url, lane_id: laneId }: StoredSettings,
    after: string,
  ): Promise<number> {
    const origin = laneOrigin(after);
    if (origin === laneOrigin(url)) return laneId;
    const [lane] = await transaction.query<{ id: number }>(LANE_OF_STANDING, [id, merchantId, origin]);
    return lane!.id;
  }

  private encrypted(
    column: 'sealed_headers' | 'sealed_auth',
    merchantId: number,
    id: number,
    value: object | null,
  ): Buffer | null {
    const isEmpty = value === null || Object.keys(value).length === 0;
    return isEmpty ? null : this.secrets.encrypt(column, merchantId, id, JSON.stringify(value));
  }

  /** The lock serialises concurrent creations, so that the count stays valid until this transaction commits. */
  private async requireCapacity(transaction: Transaction, merchantId: number): Promise<void> {
    const most = this.config.maxWebhookEndpointsPerMerchant;
    await lockMerchant(transaction, merchantId);
    const [endpoints] = await transaction.query<{ count: number }>(COUNT_STANDING, [merchantId, most]);
    if (endpoints!.count < most) return;
    throw new Problem('endpoint_limit_reached', { detail: `a merchant has at most ${most} standing endpoints` });
  }
}

/** Stored secrets go to no other origin: the client that changes the address knows or removes them. Throws `validation_failed`. */
function requireSecretsAgain(stored: StoredSettings, changes: Partial<EndpointSettings>): void {
  if (changes.url === undefined || laneOrigin(changes.url) === laneOrigin(stored.url)) return;
  const missing = [
    ...(stored.sealed_auth === null || 'auth' in changes ? [] : ['auth']),
    ...(stored.sealed_headers === null || 'headers' in changes ? [] : ['headers']),
  ];
  const errors = missing.map((field) => ({ field, message: 'must be given again, or be null, for another origin' }));
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

/** Throws `validation_failed` for the first shop that is not the merchant's. */
async function requireOwnShops(transaction: Transaction, merchantId: number, shopIds: number[] | null): Promise<void> {
  if (shopIds === null) return;
  const own = await transaction.query<{ id: number }>(OWN_SHOP_IDS, [merchantId, shopIds]);
  const known = new Set(own.map(({ id }) => id));
  const errors = shopIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `shop_ids[${index}]`, message: 'is not a shop of yours' }],
  );
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}
