import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Statement } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopStatsService } from '../../shops/shop-stats.service.js';
import { ShopsService } from '../../shops/shops.service.js';
import { type Predicate, predicateOf } from '@payment-orchestrator/routing/definition/condition';
import { type FlowDefinition, shopIdsOf } from '@payment-orchestrator/routing/definition/definition';
import {
  FLOW_BY_NAME,
  FLOW_STATE,
  FLOW_STATE_WITH_FEES,
  type FlowRow,
  type FlowStateRow,
  type RoutedFlowRow,
} from './flow.queries.js';
import { KeyedBatcher } from '../../shared/keyed-batcher.js';
import { type RoutableFlow, routableFlow, testsCustomers } from '@payment-orchestrator/routing/decision/routable-flow';
import type { RunningRollout } from '@payment-orchestrator/routing/decision/rollout';
import type { StatsByShop } from '@payment-orchestrator/routing/decision/candidates';
import { SegmentCellsService } from './segment-cells.service.js';
import type { Segments } from '@payment-orchestrator/routing/decision/segments';
import { segmentationsOf, usesFees, usesRates } from '@payment-orchestrator/routing/strategies/strategies';

/** A version of a flow with all data that a decision needs in addition to the request and the state of shops. */
export interface LoadedVersion extends Pick<FlowRow, 'version' | 'definition' | 'counter'> {
  /** The version combined with its shops. */
  routable: RoutableFlow;
}

/** A running rollout with its candidate. */
interface LoadedRollout extends RunningRollout, Omit<LoadedVersion, keyof RunningRollout> {
  /** Whether the payment is divided between the versions; others get the active one. */
  takesPart: Predicate;
  /** Whether the customer decides about the version, by the key or by the condition. */
  usesCustomer: boolean;
}

/** A flow in its active version. */
export interface LoadedFlow extends LoadedVersion, Pick<FlowRow, 'id' | 'name'> {
  /** The candidate that some payments get instead; `null`: no rollout is running. */
  rollout: LoadedRollout | null;
  /** By id: the shops that the definitions name. */
  shops: ReadonlyMap<number, ShopSummary>;
  statsByShop: StatsByShop;
  segments: Segments;
}

type ShopsState = Pick<LoadedFlow, 'shops' | 'statsByShop' | 'segments'>;

const KNOWN_FLOWS = 1_000;

/** The shops of one read, and the versions combined with them. */
interface PreparedShops extends Pick<LoadedFlow, 'shops' | 'routable'> {
  candidate: RoutableFlow | undefined;
  /** The JSON text that `shops` was parsed from. */
  shopsText: string;
}

interface KnownCandidate
  extends Pick<FlowRow, 'version' | 'definition'>, Pick<LoadedRollout, 'id' | 'takesPart' | 'usesCustomer'> {}

/** A version and the candidate of a rollout, which never change, with the shops of the latest read. */
interface KnownVersions extends Pick<FlowRow, 'id' | 'version' | 'definition'> {
  candidate: KnownCandidate | undefined;
  /** Whether a version uses the shops' approval rates. */
  withRates: boolean;
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
  private readonly known = new LRUCache<string, KnownVersions>({ max: KNOWN_FLOWS });
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

  /** The shops that definitions name, if they belong to the merchant, and their statistics. */
  async stateOf(merchantId: number, ...definitions: FlowDefinition[]): Promise<ShopsState> {
    const ids = shopIdsOfAll(definitions);
    const [summaries, statsByShop, segments] = await Promise.all([
      this.shops.summaries(merchantId, ids),
      // few flows use rates; for the others only unhealthy shops matter
      definitions.some(usesRates) ? this.stats.statsOf(ids) : this.stats.outages(ids),
      this.cells.of(merchantId, ids, definitions.flatMap(segmentationsOf)),
    ]);
    return { shops: new Map(summaries.map((shop) => [shop.id, shop])), statsByShop, segments };
  }

  /** Runs one read for `count` requests. */
  private async readFor(key: string, count: number): Promise<(LoadedFlow | undefined)[]> {
    const known = this.known.get(key);
    const flow = (known && (await this.readKnown(key, known))) ?? (await this.read(key));
    return Array<LoadedFlow | undefined>(count).fill(flow);
  }

  /** `undefined`: other versions decide now, or none. */
  private async readKnown(key: string, known: KnownVersions): Promise<LoadedFlow | undefined> {
    const rates = known.withRates ? this.stats.statsOf(known.shopIds) : undefined;
    const [merchantId, name] = readKey(key);
    const [[flow], stats, segments] = await Promise.all([
      this.database.query<FlowStateRow>(known.statement, [merchantId, name, known.shopIds]),
      rates,
      this.cells.of(merchantId, known.shopIds, known.segmentations),
    ]);
    if (flow?.id !== known.id || flow.version !== known.version) return undefined;
    if (flow.rollout?.id !== known.candidate?.id) return undefined;
    const statsByShop = stats ?? (flow.has_outage ? await this.stats.outages(known.shopIds) : NO_OUTAGES);
    const { shops, routable, candidate } = this.prepare(known, flow.shops);
    const rollout = flow.rollout && { ...flow.rollout, ...known.candidate!, routable: candidate! };
    return { definition: known.definition, statsByShop, segments, ...flow, shops, routable, rollout };
  }

  private async read(key: string): Promise<LoadedFlow | undefined> {
    const [merchantId, name] = readKey(key);
    const [flow] = await this.database.query<RoutedFlowRow>(FLOW_BY_NAME, [merchantId, name]);
    if (!flow) return undefined;
    const { id, version, definition, candidate_definition: draft, rollout } = flow;
    const candidate = rollout && draft ? candidateOf(rollout, draft) : undefined;
    const definitions = [definition, ...(candidate ? [candidate.definition] : [])];
    this.known.set(key, {
      id,
      version,
      definition,
      candidate,
      shopIds: shopIdsOfAll(definitions),
      segmentations: definitions.flatMap(segmentationsOf),
      withRates: definitions.some(usesRates),
      statement: definitions.some(usesFees) ? FLOW_STATE_WITH_FEES : FLOW_STATE,
      prepared: undefined,
    });
    const state = await this.stateOf(merchantId, ...definitions);
    const routable = (each: Pick<FlowRow, 'version' | 'definition'>): RoutableFlow =>
      routableFlow(each.definition, state.shops, each.version);
    return {
      ...flow,
      ...state,
      routable: routable(flow),
      rollout: rollout && candidate ? { ...rollout, ...candidate, routable: routable(candidate) } : null,
    };
  }

  private prepare(known: KnownVersions, shopsText: string): PreparedShops {
    if (known.prepared?.shopsText === shopsText) return known.prepared;
    const summaries = this.shops.withCapabilities(JSON.parse(shopsText) as ShopSummary[]);
    const shops = new Map(summaries.map((shop) => [shop.id, shop]));
    const { definition, version, candidate: draft } = known;
    const candidate = draft && routableFlow(draft.definition, shops, draft.version);
    return (known.prepared = { shops, routable: routableFlow(definition, shops, version), candidate, shopsText });
  }
}

const candidateOf = ({ id, version, key, when }: RunningRollout, definition: FlowDefinition): KnownCandidate => ({
  id,
  version,
  definition,
  takesPart: predicateOf(when ?? {}),
  usesCustomer: key === 'customer' || testsCustomers(when ?? {}),
});

const NO_OUTAGES: StatsByShop = new Map();

const shopIdsOfAll = (definitions: readonly FlowDefinition[]): number[] => [
  ...new Set(definitions.flatMap((definition) => shopIdsOf(definition))),
];

const keyOf = (merchantId: number, name: string): string => `${merchantId}:${name}`;

function readKey(key: string): [merchantId: number, name: string] {
  const colon = key.indexOf(':');
  return [Number(key.slice(0, colon)), key.slice(colon + 1)];
}
