import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import {
  type EndpointHourRow,
  type EndpointRow,
  type EndpointStatus,
  FIND_ENDPOINT,
  LIST_ENDPOINT_HOURS,
  LIST_ENDPOINTS,
} from './endpoints.queries.js';

export interface EndpointFilter {
  shopId?: number | undefined;
  status?: EndpointStatus | undefined;
}

/** Reads the webhook endpoints of a merchant with their statistics of the last day. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly shops: ShopsService,
  ) {}

  /** Returns a page of endpoints, newest first. Throws `shop_not_found`. */
  async list(
    merchantId: number,
    { shopId, status }: EndpointFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<EndpointRow>> {
    if (shopId !== undefined) await this.shops.find(merchantId, shopId);
    const values = [merchantId, shopId ?? null, status ?? null, beforeId, limit + 1];
    return toPage(await this.reads.query<EndpointRow>(LIST_ENDPOINTS, values), limit);
  }

  /** Throws `endpoint_not_found`. */
  async find(merchantId: number, id: number): Promise<{ endpoint: EndpointRow; hours: EndpointHourRow[] }> {
    const [endpoint] = await this.database.query<EndpointRow>(FIND_ENDPOINT, [id, merchantId]);
    if (!endpoint) throw new Problem('endpoint_not_found');
    return { endpoint, hours: await this.database.query<EndpointHourRow>(LIST_ENDPOINT_HOURS, [id]) };
  }
}
