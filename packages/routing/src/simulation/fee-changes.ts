import { entryFor, FEE_UNITS, feeFactsOf, type FeeEntry } from '../facts/fees.js';
import type { FieldName, FieldTest } from '../definition/condition.js';
import type { RoutableShop } from '../definition/eligibility.js';
import { type Candidates, candidatesFor, isProbing } from '../decision/candidates.js';
import { feeAt } from '../strategies/strategy.js';
import { type Candidate, type PreparedScenario } from './scenario.js';
import { override } from './shop-changes.js';

/** The maximum of a fee's percent, in its smallest steps. */
const MAX_STEPS = 100 * 1e4;

/**
 * Tests whose results depend on the fees that `lowest_cost` compares for this request, by field: the currencies, card
 * schemes and types of payment methods of fees, and the amounts at which a shop begins or ends to be the cheapest.
 */
export function feeTests(scenario: PreparedScenario): [FieldName, FieldTest[]][] {
  if (!scenario.flow.routes.some(({ strategy }) => strategy === 'lowest_cost')) return [];
  const { chosen } = candidatesFor(scenario.flow, scenario.request, scenario.statsByShop);
  if (chosen?.route.strategy !== 'lowest_cost') return [];
  const { shops } = chosen.pool;
  const entries = shops.flatMap(({ shop }) => shop.fees ?? []);
  const named = (values: (string | undefined)[]): FieldTest => ({
    in: [...new Set(values.filter((value) => value !== undefined))],
  });
  return [
    ['amount', crossings(shops, scenario).flatMap((amount) => [{ min: amount }, { max: amount }])],
    ['currency', [named(entries.map(({ currency }) => currency))]],
    ['payment_method.type', [named(entries.map(({ payment_method_type: type }) => type))]],
    ['card.scheme', [named(entries.map(({ scheme }) => scheme))]],
  ];
}

/** For each shop the bounds of the amounts for which it is the cheapest. Fees are straight lines over the amount. */
function crossings(shops: readonly RoutableShop[], { request }: PreparedScenario): number[] {
  const facts = feeFactsOf(request);
  const known = shops.flatMap(({ shop }) => entryFor(shop.fees ?? [], facts) ?? []);
  const bounds = new Set<number>();
  for (const entry of known) {
    let [low, high] = [0, Infinity];
    for (const other of known) {
      const bound = (100 * (other.fixed - entry.fixed)) / (entry.percent - other.percent);
      if (entry.percent > other.percent) high = Math.min(high, bound);
      else if (entry.percent < other.percent) low = Math.max(low, bound);
    }
    if (low <= high) for (const bound of [low, high]) if (bound > 0 && bound < Infinity) bounds.add(rounded(bound));
  }
  return [...bounds];
}

/** Without the rounding errors of the division. */
const rounded = (amount: number): number => Number(amount.toFixed(6));

/**
 * Under `lowest_cost`: the highest percent with which the shop is cheaper than the healthy shops, which is enough if a
 * recovering shop is passed over; then than all. A fixed fee that is too high is left out.
 */
export function* feeChanges(
  scenario: PreparedScenario,
  shop: RoutableShop,
  { chosen }: Candidates,
): Generator<Candidate> {
  if (chosen?.route.strategy !== 'lowest_cost' || !chosen.pool.shops.includes(shop)) return;
  const others = chosen.pool.shops.filter((other) => other !== shop);
  const healthy = others.filter((other) => !isProbing(other, scenario.statsByShop));
  for (const rivals of [healthy, others]) {
    const fees = cheaperFees(scenario, shop, rivals);
    if (fees) yield override(scenario, shop.shop.id, 'fees', shop.shop.fees ?? [], fees);
  }
}

/** The shop's fees, changed as little as necessary; `undefined`: not possible, or no rival has a known fee. */
function cheaperFees(
  scenario: PreparedScenario,
  shop: RoutableShop,
  rivals: readonly RoutableShop[],
): FeeEntry[] | undefined {
  const { amount } = scenario.request;
  const limit = limitOf(scenario, shop, rivals);
  if (limit === undefined) return undefined;
  const fees = shop.shop.fees ?? [];
  const current = entryFor(fees, feeFactsOf(scenario.request));
  const start = current ?? { percent: 0, fixed: 0 };
  for (const fixed of [start.fixed, 0]) {
    const steps = Math.floor((limit - Math.round(fixed * 1e4) * 1e5) / Math.round(amount * 1e3));
    if (steps < 0) continue;
    const changed = { ...start, percent: Math.min(steps, MAX_STEPS) / 1e4, fixed };
    return current ? fees.map((entry) => (entry === current ? changed : entry)) : [...fees, changed];
  }
  return undefined;
}

/** The highest fee with which the shop comes before the rivals, in billionths of the major unit. */
function limitOf(scenario: PreparedScenario, shop: RoutableShop, rivals: readonly RoutableShop[]): number | undefined {
  const priced = rivals.map((rival) => ({ rival, fee: feeAt(rival, scenario) })).filter(({ fee }) => fee !== undefined);
  if (priced.length === 0) return undefined;
  const lowest = Math.min(...priced.map(({ fee }) => fee!));
  const wins = priced.every(({ rival, fee }) => fee !== lowest || comesBefore(shop, rival));
  return Math.round(lowest * FEE_UNITS) - (wins ? 0 : 1);
}

/** Whether the shop is picked among equal fees. */
const comesBefore = (one: RoutableShop, other: RoutableShop): boolean =>
  one.priority < other.priority || (one.priority === other.priority && one.shop.id < other.shop.id);
