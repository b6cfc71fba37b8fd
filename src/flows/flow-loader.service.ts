import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Problem } from '../shared/problem.js';
import type { ShopSummary } from '../shops/shop-summary.js';
import { ShopsService } from '../shops/shops.service.js';
import { FLOW_BY_NAME, type FlowRow } from './flows.queries.js';
import type { Performance } from './routing.js';

/** A flow in its active version with all that a decision depends on besides the request. */
export interface LoadedFlow extends Pick<FlowRow, 'id' | 'name' | 'version' | 'definition' | 'counter'> {
  /** By id: the shops of the definition. */
  shops: ReadonlyMap<number, ShopSummary>;
  performance: Performance;
}

/** Reads flows for routing. */
@Injectable()
export class FlowLoaderService {
  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
  ) {}

  /** The flow as it is now. Problems: `flow_not_found`. */
  async load(merchantId: number, name: string): Promise<LoadedFlow> {
    const [flow] = await this.database.query<FlowRow>(FLOW_BY_NAME, [merchantId, name]);
    if (!flow) throw new Problem('flow_not_found');
    const ids = flow.definition.shops.map((shop) => shop.shop_id);
    return { ...flow, ...(await this.stateOf(merchantId, ids)) };
  }

  /** The merchant's shops among these and how they do. */
  async stateOf(merchantId: number, shopIds: number[]): Promise<Pick<LoadedFlow, 'shops' | 'performance'>> {
    const summaries = await this.shops.summaries(merchantId, shopIds);
    return { shops: new Map(summaries.map((shop) => [shop.id, shop])), performance: new Map() };
  }
}
