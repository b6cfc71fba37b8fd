import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Problem } from '../../../shared/problem.js';
import { ShopsService } from '../../../shops/shops.service.js';
import type { WebhookSecrets } from '../../../shops/webhook-secrets.js';
import { WEBHOOK_EVENT } from '../../outbox/webhook-body.js';
import {
  type EncryptedReceiver,
  FIND_SECRET,
  LIST_SENDERS,
  type SecretRow,
  type SenderRow,
} from './encrypted-receiver.js';
import { type EndpointScope, FIND_ENDPOINT_SCOPE, FIND_RECEIVERS } from './receivers.queries.js';
import type { EndpointRef, Receiver } from './receiver.js';
import { ReceiverSecrets, SECRET_COLUMN } from './receiver-secrets.service.js';

/** A receiver of samples. */
export interface SampleReceiver {
  receiver: Receiver;
  secrets: WebhookSecrets;
  eventTypes: readonly string[];
  /** A shop whose events it gets; of a merchant without shops, one that does not exist. */
  shop: { id: number; name: string; provider: string };
}

/** The secret of an endpoint. */
export interface EndpointSecret {
  /** `null`: it cannot be decrypted. */
  secret: string | null;
  /** When the latest secret begins to sign; `null`: it signs already. */
  activeFrom: Date | null;
  /** Until when the previous secret signs, too; `null`: it does not sign. */
  previousExpiresAt: Date | null;
}

/** An endpoint with all its stored secrets, to identify the secret of a signature. */
export interface Sender extends Pick<EndpointRef, 'kind' | 'id'> {
  /** The secret that signs; `null`: it cannot be decrypted. */
  current: string | null;
  /** All stored secrets, those that no longer sign included, without those that cannot be decrypted. */
  secrets: string[];
}

const NO_SHOP = { id: 0, name: 'Shop', provider: 'sandbox' };
/** The maximum number of shops whose secrets are tried to identify a signature. */
const MAX_SHOPS = 100;

/** Reads endpoints of both kinds as receivers, with their secrets. */
@Injectable()
export class Receivers {
  constructor(
    private readonly database: Database,
    private readonly secrets: ReceiverSecrets,
    private readonly shops: ShopsService,
  ) {}

  /** Throws `shop_not_found`, `endpoint_not_found` and `endpoint_not_standing`. */
  async require({ kind, merchantId, id }: EndpointRef): Promise<void> {
    if (kind === 'default') await this.shops.find(merchantId, id);
    else await this.standing(merchantId, id);
  }

  /** Throws as `require`, and if a ciphertext cannot be decrypted. */
  async find({ kind, merchantId, id }: EndpointRef): Promise<SampleReceiver> {
    if (kind === 'default') {
      const shop = await this.shops.find(merchantId, id);
      return { ...(await this.opened([id], [])), eventTypes: [WEBHOOK_EVENT], shop };
    }
    const { shop_ids: shopIds, event_types: eventTypes } = await this.standing(merchantId, id);
    return { ...(await this.opened([], [id])), eventTypes, shop: await this.shopOf(merchantId, shopIds) };
  }

  /** The secret that signs now; `null`: there is no such endpoint. */
  async secret({ kind, merchantId, id }: EndpointRef): Promise<EndpointSecret | null> {
    const [row] = await this.database.query<SecretRow>(FIND_SECRET[kind], [id, merchantId]);
    if (!row) return null;
    const secret = this.secrets.readable(SECRET_COLUMN[kind], merchantId, id, row.current);
    return { secret, activeFrom: row.active_from, previousExpiresAt: row.previous_expires_at };
  }

  /** The secrets that sign for the shops, of any merchant; unknown ids are omitted. */
  async secretsOfShops(shopIds: number[]): Promise<Map<number, WebhookSecrets>> {
    return new Map((await this.encrypted(shopIds, [])).map((each) => [each.shop_id!, this.secrets.secrets(each)]));
  }

  /** The standing endpoints of the merchant, the shop, and its newest other shops. */
  async senders(merchantId: number, shopId: number | undefined): Promise<Sender[]> {
    const rows = await this.database.query<SenderRow>(LIST_SENDERS, [merchantId, shopId ?? 0, MAX_SHOPS]);
    return rows.map(({ kind, id, current, stored }) => {
      const open = (value: Buffer | null) => this.secrets.readable(SECRET_COLUMN[kind], merchantId, id, value);
      return { kind, id, current: open(current), secrets: stored.map(open).filter((secret) => secret !== null) };
    });
  }

  private async standing(merchantId: number, id: number): Promise<EndpointScope> {
    const [scope] = await this.database.query<EndpointScope>(FIND_ENDPOINT_SCOPE, [id, merchantId]);
    if (!scope || scope.state === 'deleted') throw new Problem('endpoint_not_found');
    if (scope.kind === 'standing') return scope;
    throw new Problem('endpoint_not_standing', { detail: 'set another webhook_endpoint in new payments instead' });
  }

  private async opened(
    shopIds: number[],
    endpointIds: number[],
  ): Promise<Pick<SampleReceiver, 'receiver' | 'secrets'>> {
    const [encrypted] = await this.encrypted(shopIds, endpointIds);
    return { receiver: this.secrets.receiver(encrypted!), secrets: this.secrets.secrets(encrypted!) };
  }

  private async encrypted(shopIds: number[], endpointIds: number[]): Promise<EncryptedReceiver[]> {
    const values = [shopIds, endpointIds];
    const [row] = await this.database.query<{ receivers: EncryptedReceiver[] | null }>(FIND_RECEIVERS, values);
    return row!.receivers ?? [];
  }

  private async shopOf(merchantId: number, shopIds: number[] | null): Promise<SampleReceiver['shop']> {
    if (shopIds) return this.shops.find(merchantId, shopIds[0]!);
    return (await this.shops.list(merchantId, { limit: 1 })).items[0] ?? NO_SHOP;
  }
}
