import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Problem } from '../shared/problem.js';
import type { ShopSummary } from '../shops/shop-summary.js';
import { ShopsPerformanceService } from '../shops/shops-performance.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { type FlowDefinition, shopIdsOf } from './flow-definition.js';
import { FLOW_BY_NAME, type FlowRow } from './flows.queries.js';
import { Gathering } from '../shared/gathering.js';
import { type RoutableFlow, routableFlow } from './routable-flow.js';
import type { Performance } from './routing.js';
import { drawsAtRandom } from './strategies/strategies.js';

/** A flow in its active version with all that a decision depends on besides the request. */
export interface LoadedFlow extends Pick<FlowRow, 'id' | 'name' | 'version' | 'definition' | 'counter'> {
  /** By id: the shops that the definition names. */
  shops: ReadonlyMap<number, ShopSummary>;
  performance: Performance;
  /** The active version over these shops. */
  routable: RoutableFlow;
}

type ShopsState = Pick<LoadedFlow, 'shops' | 'performance'>;

/**
 * Reads flows for routing: always as they are at the moment, never from a cache. Requests for a flow that is being read
 * share the read that follows, and what is prepared of it: a busy flow costs a few statements, not a few a payment.
 */
@Injectable()
export class FlowLoaderService {
  private readonly reads = new Gathering((key: string, count) => this.readFor(key, count));

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly performances: ShopsPerformanceService,
  ) {}

  /** The flow as it is now. Problems: `flow_not_found`. */
  async load(merchantId: number, name: string): Promise<LoadedFlow> {
    const flow = await this.reads.call(keyOf(merchantId, name));
    if (!flow) throw new Problem('flow_not_found');
    return flow;
  }

  /** The shops that a definition names, as far as they are the merchant's, and how they do. */
  async stateOf(merchantId: number, definition: FlowDefinition): Promise<ShopsState> {
    const ids = shopIdsOf(definition);
    const [summaries, performance] = await Promise.all([
      this.shops.summaries(merchantId, ids),
      // rates mean something to few flows; of the others only those shops count that are not healthy
      drawsAtRandom(definition) ? this.performances.of(ids) : this.performances.outages(ids),
    ]);
    return { shops: new Map(summaries.map((shop) => [shop.id, shop])), performance };
  }

  /** One read for `count` requests. */
  private async readFor(key: string, count: number): Promise<(LoadedFlow | undefined)[]> {
    const flow = await this.read(...readKey(key));
    return Array<LoadedFlow | undefined>(count).fill(flow);
  }

  private async read(merchantId: number, name: string): Promise<LoadedFlow | undefined> {
    const [flow] = await this.database.query<FlowRow>(FLOW_BY_NAME, [merchantId, name]);
    if (!flow) return undefined;
    const state = await this.stateOf(merchantId, flow.definition);
    return { ...flow, ...state, routable: routableFlow(flow.definition, state.shops, flow.version) };
  }
}

const keyOf = (merchantId: number, name: string): string => `${merchantId}:${name}`;

function readKey(key: string): [merchantId: number, name: string] {
  const colon = key.indexOf(':');
  return [Number(key.slice(0, colon)), key.slice(colon + 1)];
}
