import { Injectable } from '@nestjs/common';
import { ShopsService } from '../../shops/shops.service.js';
import { DeliveryListService } from './delivery-list.service.js';
import type { DeliveryRow } from './delivery-views.queries.js';
import { Receivers } from '../endpoint/secrets/receivers.service.js';
import { type PaymentCounts, ShopCountersService } from '../outbox/shop-counters.service.js';

const RECENT = 20;

export interface WebhookStats extends PaymentCounts {
  shop: { id: number; name: string };
  recent: DeliveryRow[];
  /** `null` if not requested, or if it cannot be decrypted. */
  secret: string | null;
}

@Injectable()
export class WebhookStatsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly counters: ShopCountersService,
    private readonly deliveries: DeliveryListService,
    private readonly receivers: Receivers,
  ) {}

  /** Returns statistics of a shop. The cost does not depend on its number of payments. Throws `shop_not_found`. */
  async stats(merchantId: number, shopId: number, withSecret: boolean): Promise<WebhookStats> {
    const [shop, counts, recent, signing] = await Promise.all([
      this.shops.find(merchantId, shopId), // throws for another merchant's shop
      this.counters.counts(shopId),
      this.deliveries.newest(shopId, RECENT),
      withSecret ? this.receivers.secret({ kind: 'default', merchantId, id: shopId }) : null,
    ]);
    return { ...counts, shop, recent, secret: signing?.secret ?? null };
  }
}
