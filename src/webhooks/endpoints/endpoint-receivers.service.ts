import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import { type Destination, EndpointSecrets } from '../standing-endpoints/endpoint-secrets.service.js';
import { FIND_RECEIVER, type ReceiverRow } from './endpoints.queries.js';

/** A standing endpoint as a receiver of samples. */
export interface EndpointReceiver {
  destination: Destination;
  /** The secret that signs now. */
  secret: string;
  eventTypes: string[];
  /** A shop whose events it gets; of a merchant without shops, one that does not exist. */
  shop: { id: number; name: string; provider: string };
}

const NO_SHOP = { id: 0, name: 'Shop', provider: 'sandbox' };

/** Reads what is needed to send samples to standing endpoints. */
@Injectable()
export class EndpointReceivers {
  constructor(
    private readonly database: Database,
    private readonly secrets: EndpointSecrets,
    private readonly shops: ShopsService,
  ) {}

  /** Throws `endpoint_not_found`. */
  async find(merchantId: number, id: number): Promise<EndpointReceiver> {
    const [row] = await this.database.query<ReceiverRow>(FIND_RECEIVER, [id, merchantId]);
    if (!row) throw new Problem('endpoint_not_found');
    const [encrypted] = row.endpoints;
    const current = Buffer.from(encrypted.current, 'base64');
    return {
      destination: this.secrets.destination(encrypted),
      secret: this.secrets.decrypt('sealed_secret', merchantId, id, current),
      eventTypes: row.event_types,
      shop: await this.shopOf(merchantId, row.shop_ids),
    };
  }

  private async shopOf(merchantId: number, shopIds: number[] | null): Promise<EndpointReceiver['shop']> {
    if (shopIds) return this.shops.find(merchantId, shopIds[0]!);
    return (await this.shops.list(merchantId, { limit: 1 })).items[0] ?? NO_SHOP;
  }
}
