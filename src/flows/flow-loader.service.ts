import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Problem } from '../shared/problem.js';
import type { ShopSummary } from '../shops/shop-summary.js';
import { ShopsPerformanceService } from '../shops/shops-performance.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { type FlowDefinition, shopIdsOf } from './flow-definition.js';
import { FLOW_BY_NAME, type FlowRow } from './flows.queries.js';
import type { Performance } from './routing.js';
import { drawsAtRandom } from './strategies/strategies.js';

/** A flow in its active version with all that a decision depends on besides the request. */
export interface LoadedFlow extends Pick<FlowRow, 'id' | 'name' | 'version' | 'definition' | 'counter'> {
  /** By id: the shops that the definition names. */
  shops: ReadonlyMap<number, ShopSummary>;
  performance: Performance;
}

/** Reads flows for routing. */
@Injectable()
export class FlowLoaderService {
  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly performances: ShopsPerformanceService,
  ) {}

  /** The flow as it is now. Problems: `flow_not_found`. */
  async load(merchantId: number, name: string): Promise<LoadedFlow> {
    const [flow] = await this.database.query<FlowRow>(FLOW_BY_NAME, [merchantId, name]);
    if (!flow) throw new Problem('flow_not_found');
    return { ...flow, ...(await this.stateOf(merchantId, flow.definition)) };
  }

  /** The shops that a definition names, as far as they are the merchant's, and how they do. */
  async stateOf(merchantId: number, definition: FlowDefinition): Promise<Pick<LoadedFlow, 'shops' | 'performance'>> {
    const ids = shopIdsOf(definition);
    const [summaries, performance] = await Promise.all([
      this.shops.summaries(merchantId, ids),
      // rates mean something to few flows; of the others only those shops count that are not healthy
      drawsAtRandom(definition) ? this.performances.of(ids) : this.performances.outages(ids),
    ]);
    return { shops: new Map(summaries.map((shop) => [shop.id, shop])), performance };
  }
}
