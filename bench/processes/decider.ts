// Makes routing decisions on loaded flows, as fast as one core can: the pure function alone, no database and no HTTP.
import { decide } from '../../src/flows/routing/decision.js';
import type { FlowDefinition, FlowShop, StrategyName } from '../../src/flows/definition/definition.js';
import { type RoutableFlow, routableFlow } from '../../src/flows/routing/routable-flow.js';
import { type RoutingRequest } from '../../src/flows/definition/condition.js';
import { generator } from '../../src/shared/random.js';
import { serve } from '../support/remote.js';

export interface DecisionLoad {
  strategy: StrategyName;
  shops: number;
  /** Whether some shops take only some requests; if not, all shops take all. */
  withConditions: boolean;
}

const REQUESTS: RoutingRequest[] = Array.from({ length: 64 }, (_, index) => ({
  amount: 49.9 + index,
  currency: index % 2 === 0 ? 'EUR' : 'USD',
  country: 'DE',
  customerId: 1_000 + 77 * index,
  metadata: { order: { tier: index % 4 === 0 ? 'gold' : 'silver' } },
}));
const BATCH = 100;

/** Decisions per second of CPU time. */
function decisions(load: DecisionLoad, durationMs: number): number {
  const flow = flowOf(load);
  const random = generator(1);
  const statsByShop = new Map();
  const before = process.cpuUsage();
  let counter = 0;
  for (const endAt = Date.now() + durationMs; Date.now() < endAt;) {
    for (let each = 0; each < BATCH; each++) {
      const { shop } = decide(flow, REQUESTS[counter % REQUESTS.length]!, { counter, statsByShop, random });
      if (!shop) throw new Error('no shop takes the request');
      counter++;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return counter / ((user + system) / 1_000_000);
}

function flowOf({ strategy, shops: count, withConditions }: DecisionLoad): RoutableFlow {
  const shops = Array.from({ length: count }, (_, index) => aMember(index, withConditions));
  const summaries = shops.map(({ shop_id: id }) => ({ id, name: `shop ${id}`, provider: 'sandbox', enabled: true }));
  const definition: FlowDefinition = { strategy, shops, ...(strategy === 'rules' && rulesOver(shops)) };
  return routableFlow(definition, new Map(summaries.map((shop) => [shop.id, shop])), 1);
}

const aMember = (index: number, withConditions: boolean): FlowShop => ({
  shop_id: index + 1,
  priority: index % 3,
  weight: 1 + ((index * 7_919) % 1_000),
  enabled: true,
  conditions: withConditions && index % 3 === 2 ? { currencies: ['USD'], countries: ['DE', 'FR'], min_amount: 1 } : {},
});

function rulesOver(shops: FlowShop[]): Pick<FlowDefinition, 'rules' | 'default'> {
  const ids = shops.map((shop) => shop.shop_id);
  return {
    rules: [
      { when: { amount: { min: 1_000 } }, use: { shops: ids, strategy: 'priority' } },
      { when: { 'metadata.order.tier': { equals: 'gold' } }, use: { shops: ids, strategy: 'sticky' } },
    ],
    default: { shops: ids, strategy: 'weighted' },
  };
}

const offer = { decisions };
export type DeciderOffer = typeof offer;

serve(offer);
