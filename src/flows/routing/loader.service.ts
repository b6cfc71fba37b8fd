import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Statement } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopStatsService } from '../../shops/shop-stats.service.js';
import { ShopsService } from '../../shops/shops.service.js';
import { type FlowDefinition, shopIdsOf } from '../definition/definition.js';
import { FLOW_BY_NAME, FLOW_STATE, FLOW_STATE_WITH_FEES, type FlowRow, type FlowStateRow } from './flow.queries.js';
import { KeyedBatcher } from '../../shared/keyed-batcher.js';
import { type RoutableFlow, routableFlow } from './routable-flow.js';
import type { StatsByShop } from './routing.js';
import { SegmentCellsService } from './segment-cells.service.js';
import type { Segments } from './segments.js';
import { segmentationsOf, usesFees, usesRates } from './strategies/strategies.js';

/** A flow in its active version with all data that a decision needs in addition to the request. */
export interface LoadedFlow extends Pick<FlowRow, 'id' | 'name' | 'version' | 'definition' | 'counter'> {
  /** By id: the shops that the definition names. */
  shops: ReadonlyMap<number, ShopSummary>;
  statsByShop: StatsByShop;
  segments: Segments;
  /** The active version combined with these shops. */
  routable: RoutableFlow;
}

type ShopsState = Pick<LoadedFlow, 'shops' | 'statsByShop' | 'segments'>;

const KNOWN_FLOWS = 1_000;

/** The shops of one read, and the version combined with them. */
interface PreparedShops extends Pick<LoadedFlow, 'shops' | 'routable'> {
  /** The JSON text that `shops` was parsed from. */
  shopsText: string;
}

/** A version, which never changes, with the shops of the latest read. */
interface KnownVersion extends Pick<FlowRow, 'id' | 'version' | 'definition'> {
  shopIds: number[];
  segmentations: ReturnType<typeof segmentationsOf>;
  /** Reads its current state. */
  statement: Statement;
  prepared: PreparedShops | undefined;
}

/**
 * Reads flows for routing, always in their current state. Only the content of a version is cached, because it never
 * changes. The active version and the state of its shops are read each time, in one statement. Requests that arrive
 * during a read of a flow share the next read and its prepared result.
 */
@Injectable()
export class FlowLoaderService {
  private readonly known = new LRUCache<string, KnownVersion>({ max: KNOWN_FLOWS });
  private readonly reads = new KeyedBatcher((key: string, count) => this.readFor(key, count));

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly stats: ShopStatsService,
    private readonly cells: SegmentCellsService,
  ) {}

  /** The current state of the flow. Problems: `flow_not_found`. */
  async load(merchantId: number, name: string): Promise<LoadedFlow> {
    const flow = await this.reads.call(keyOf(merchantId, name));
    if (!flow) throw new Problem('flow_not_found');
    return flow;
  }

  /** The shops that a definition names, if they belong to the merchant, and their statistics. */
  async stateOf(merchantId: number, definition: FlowDefinition): Promise<ShopsState> {
    const ids = shopIdsOf(definition);
    const [summaries, statsByShop, segments] = await Promise.all([
      this.shops.summaries(merchantId, ids),
      // few flows use rates; for the others only unhealthy shops matter
      usesRates(definition) ? this.stats.statsOf(ids) : this.stats.outages(ids),
      this.cells.of(merchantId, ids, segmentationsOf(definition)),
    ]);
    return { shops: new Map(summaries.map((shop) => [shop.id, shop])), statsByShop, segments };
  }

  /** Runs one read for `count` requests. */
  private async readFor(key: string, count: number): Promise<(LoadedFlow | undefined)[]> {
    const known = this.known.get(key);
    const flow = (known && (await this.readKnown(key, known))) ?? (await this.read(key));
    return Array<LoadedFlow | undefined>(count).fill(flow);
  }

  /** `undefined`: another version is active, or none. */
  private async readKnown(key: string, known: KnownVersion): Promise<LoadedFlow | undefined> {
    const rates = usesRates(known.definition) ? this.stats.statsOf(known.shopIds) : undefined;
    const [merchantId, name] = readKey(key);
    const [[flow], stats, segments] = await Promise.all([
      this.database.query<FlowStateRow>(known.statement, [merchantId, name, known.shopIds]),
      rates,
      this.cells.of(merchantId, known.shopIds, known.segmentations),
    ]);
    if (flow?.id !== known.id || flow.version !== known.version) return undefined;
    const statsByShop = stats ?? (flow.has_outage ? await this.stats.outages(known.shopIds) : NO_OUTAGES);
    const { shops, routable } = this.prepare(known, flow.shops);
    return { ...flow, definition: known.definition, statsByShop, segments, shops, routable };
  }

  private async read(key: string): Promise<LoadedFlow | undefined> {
    const [merchantId, name] = readKey(key);
    const [flow] = await this.database.query<FlowRow>(FLOW_BY_NAME, [merchantId, name]);
    if (!flow) return undefined;
    const { id, version, definition } = flow;
    const statement = usesFees(definition) ? FLOW_STATE_WITH_FEES : FLOW_STATE;
    this.known.set(key, {
      id,
      version,
      definition,
      shopIds: shopIdsOf(definition),
      segmentations: segmentationsOf(definition),
      statement,
      prepared: undefined,
    });
    const state = await this.stateOf(merchantId, definition);
    return { ...flow, ...state, routable: routableFlow(definition, state.shops, version) };
  }

  private prepare(known: KnownVersion, shopsText: string): PreparedShops {
    if (known.prepared?.shopsText === shopsText) return known.prepared;
    const summaries = this.shops.withCapabilities(JSON.parse(shopsText) as ShopSummary[]);
    const shops = new Map(summaries.map((shop) => [shop.id, shop]));
    return (known.prepared = { shops, routable: routableFlow(known.definition, shops, known.version), shopsText });
  }
}

const NO_OUTAGES: StatsByShop = new Map();

const keyOf = (merchantId: number, name: string): string => `${merchantId}:${name}`;

function readKey(key: string): [merchantId: number, name: string] {
  const colon = key.indexOf(':');
  return [Number(key.slice(0, colon)), key.slice(colon + 1)];
}
