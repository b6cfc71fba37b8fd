import {
  CHOICE_NAMES,
  type FlowDefinition,
  type FlowShop,
  type StrategyName,
} from '@payment-orchestrator/routing/definition/definition';
import { type RoutableFlow, routableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import type { StatsByShop } from '@payment-orchestrator/routing/decision/candidates';
import type { ShopHealth } from '@payment-orchestrator/routing/facts/shop';
import type { SeededRandom } from '../../../src/shared/seeded-random.js';

export const COUNTRIES = ['DE', 'FR'];

/** The input of a scenario. */
export interface Plan {
  old: RoutableFlow;
  draft: RoutableFlow;
  payments: number;
  /** Number of customers who pay repeatedly; 0: each customer pays once and is unknown. */
  regulars: number;
  /** The share of customers from the first country. */
  germans: number;
  /** The approval rate of a shop for a country, and a small (0) or a large (1) amount. */
  rateOf: (shopId: number, country: number, size: number) => number;
  /** The shops that are not healthy at the payment number `at`. */
  healthAt: (at: number) => ReadonlyMap<number, ShopHealth>;
  /** Statistics of shops that the past decisions did not use. */
  statsOfDraft: StatsByShop;
}

const PAYMENTS = { least: 100, most: 3_000 };

export function planOf(random: SeededRandom): Plan {
  const shopIds = Array.from({ length: random.integer(2, 5) }, (_, index) => index + 1);
  const payments = Math.round(PAYMENTS.least * (PAYMENTS.most / PAYMENTS.least) ** random.next());
  const old = aLiveDefinition(random, shopIds);
  const draft = random.chance(0.5) ? changed(random, old) : aDefinition(random, shopIds);
  const isPlain = old.strategy !== 'rules' && old.shops.every(({ conditions }) => Object.keys(conditions).length === 0);
  return {
    old: loaded(old),
    draft: loaded(draft),
    payments,
    regulars: random.chance(0.4) ? Math.ceil(payments / random.integer(2, 5)) : 0,
    germans: random.between(0.3, 0.8),
    rateOf: ratesOf(random, shopIds),
    healthAt: isPlain ? anOutage(random, shopIds, payments) : () => new Map(),
    statsOfDraft: new Map(
      shopIds.map((id) => {
        const [approved, declined] = [random.integer(0, 60), random.integer(0, 20)];
        return [id, { approved, declined, failed: 0, health: 'healthy' }];
      }),
    ),
  };
}

function loaded(definition: FlowDefinition): RoutableFlow {
  const summaries = definition.shops.map(
    ({ shop_id: id }) =>
      [id, { id, name: `shop ${id}`, provider: 'sandbox', account: 'default', enabled: true }] as const,
  );
  return routableFlow(definition, new Map(summaries), 1);
}

/** A definition that accepts payments; others have no past. */
function aLiveDefinition(random: SeededRandom, shopIds: readonly number[]): FlowDefinition {
  for (;;) {
    const definition = aDefinition(random, shopIds);
    const { shops, rules = [], default: otherwise } = definition;
    const inReach = new Set(
      otherwise ? [...otherwise.shops, ...rules.flatMap(({ use }) => use?.shops ?? [])] : shopIds,
    );
    if (shops.some((shop) => shop.enabled && inReach.has(shop.shop_id))) return definition;
  }
}

function aDefinition(random: SeededRandom, shopIds: readonly number[]): FlowDefinition {
  const strategy: StrategyName = random.chance(0.15) ? 'rules' : random.pick(CHOICE_NAMES);
  const shops = shopIds.map((id) => aMember(random, id));
  return { strategy, shops, ...(strategy === 'rules' && rulesOver(random, shopIds)) };
}

const aMember = (random: SeededRandom, shopId: number): FlowShop => ({
  shop_id: shopId,
  priority: random.integer(0, 1),
  weight: random.integer(1, 5),
  enabled: random.chance(0.95),
  conditions: random.chance(0.85)
    ? {}
    : random.pick([{ countries: [COUNTRIES[0]!] }, { max_amount: 100 }, { countries: [...COUNTRIES] }]),
});

function rulesOver(random: SeededRandom, shopIds: readonly number[]): Pick<FlowDefinition, 'rules' | 'default'> {
  const use = () => ({
    shops: random.shuffle(shopIds).slice(0, random.integer(1, shopIds.length)),
    // excluded, because the rates that it uses would depend on the rule
    strategy: random.pick(CHOICE_NAMES.filter((name) => name !== 'success_rate')),
  });
  return { rules: [{ when: { country: { equals: COUNTRIES[0]! } }, use: use() }], default: use() };
}

/** Changes one field of the flow. */
function changed(random: SeededRandom, definition: FlowDefinition): FlowDefinition {
  const at = random.integer(0, definition.shops.length - 1);
  const change = random.pick<Partial<FlowShop>>([
    { weight: random.integer(1, 9) },
    { enabled: false },
    { conditions: { countries: [COUNTRIES[1]!] } },
    { conditions: { max_amount: 100 } },
  ]);
  return {
    ...definition,
    shops: definition.shops.map((shop, index) => (index === at ? { ...shop, ...change } : shop)),
  };
}

function ratesOf(random: SeededRandom, shopIds: readonly number[]): Plan['rateOf'] {
  const rates = new Map(
    shopIds.map((id) => {
      const base = random.between(0.5, 0.9);
      return [id, Array.from({ length: 4 }, () => Math.min(0.95, Math.max(0.05, base + random.between(-0.2, 0.2))))];
    }),
  );
  return (shopId, country, size) => rates.get(shopId)![2 * country + size]!;
}

/** In a third of the scenarios a shop is down for a while, and then half-open. */
function anOutage(random: SeededRandom, shopIds: readonly number[], payments: number): Plan['healthAt'] {
  if (!random.chance(1 / 3)) return () => new Map();
  const shopId = random.pick(shopIds);
  const [begins, probes, ends] = [0.2, random.between(0.25, 0.4), random.between(0.45, 0.8)].map((at) => at * payments);
  return (at) => {
    if (at < begins! || at >= ends!) return new Map();
    return new Map([[shopId, at < probes! ? 'unhealthy' : 'probing']]);
  };
}
