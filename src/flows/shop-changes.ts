import type { FlowDefinition, FlowShop, ShopConditions } from './flow-definition.js';
import { type ShopOverride, withOverrides } from './overrides.js';
import type { RoutableShop } from './routable-shop.js';
import type { Candidates } from './routing.js';
import { prepare, type PreparedScenario } from './scenario.js';

/** One change of a simulation; `field` in the language of `POST /flows/simulate`, `definition.…` where it takes a draft. */
export interface Change {
  field: string;
  /** `undefined`: the field is absent. */
  from: unknown;
  to: unknown;
}

/** A change that may be enough. */
export interface Candidate extends Change {
  apply(): PreparedScenario;
}

/** Switching the shop on, or back to health. */
export function* stateChanges(
  scenario: PreparedScenario,
  shop: RoutableShop,
  failed: { disabled: boolean; unhealthy: boolean },
): Generator<Candidate> {
  if (failed.disabled) yield override(scenario, shop.shop.id, 'enabled', false, true);
  if (failed.unhealthy) yield override(scenario, shop.shop.id, 'healthy', false, true);
}

export const override = (
  scenario: PreparedScenario,
  shopId: number,
  name: keyof ShopOverride,
  from: unknown,
  to: boolean | number,
): Candidate => ({
  field: `overrides.shops.${shopId}.${name}`,
  from,
  to,
  apply: () => prepare(withOverrides(scenario, { shops: { [shopId]: { [name]: to } } })),
});

/** The shop's settings in the flow: its conditions, its priority, the rule that leads to it; last, the pick's absence. */
export function* settingsChanges(
  scenario: PreparedScenario,
  shop: RoutableShop,
  candidates: Candidates,
): Generator<Candidate> {
  const { definition } = scenario;
  const index = definition.shops.findIndex((member) => member.shop_id === shop.shop.id);
  yield* conditionChanges(scenario, index);
  yield* priorityChanges(scenario, index);
  yield* ruleChanges(scenario, shop.shop.id);
  for (const other of candidates.chosen?.pool.shops ?? []) {
    if (other !== shop) yield override(scenario, other.shop.id, 'enabled', true, false);
  }
}

function* conditionChanges(scenario: PreparedScenario, index: number): Generator<Candidate> {
  const { currency, country, amount } = scenario.request;
  const { conditions } = scenario.definition.shops[index]!;
  const { currencies, countries, min_amount: min, max_amount: max } = conditions;
  const changed = (name: keyof ShopConditions, to: unknown): Candidate =>
    memberChange(scenario, index, `conditions.${name}`, conditions[name], to, (member) => ({
      ...member,
      conditions: { ...member.conditions, [name]: to },
    }));
  if (currencies && !currencies.includes(currency)) yield changed('currencies', [...currencies, currency]);
  if (countries && country !== undefined && !countries.includes(country)) {
    yield changed('countries', [...countries, country]);
  }
  if (countries && country === undefined) yield changed('countries', undefined);
  if (min !== undefined && amount < min) yield changed('min_amount', amount);
  if (max !== undefined && amount > max) yield changed('max_amount', amount);
}

/** As urgent as other shops, the nearest number first, and at last more urgent than all. */
function* priorityChanges(scenario: PreparedScenario, index: number): Generator<Candidate> {
  const { shops } = scenario.definition;
  const from = shops[index]!.priority;
  const lowest = Math.min(...shops.map((member) => member.priority));
  const numbers = new Set([...shops.map((member) => member.priority), ...(lowest > 0 ? [lowest - 1] : [])]);
  const nearest = [...numbers].filter((priority) => priority !== from);
  nearest.sort((one, other) => Math.abs(one - from) - Math.abs(other - from));
  for (const to of nearest.slice(0, MAX_PRIORITIES)) {
    yield memberChange(scenario, index, 'priority', from, to, (member) => ({ ...member, priority: to }));
  }
}

const MAX_PRIORITIES = 8;

function* ruleChanges(scenario: PreparedScenario, shopId: number): Generator<Candidate> {
  const { definition, flow } = scenario;
  for (const { rule, matches } of flow.routes) {
    if (rule === undefined || !matches(scenario.request)) continue;
    const use = rule === 'default' ? definition.default! : definition.rules![rule]!.use;
    if (use.shops.includes(shopId)) continue;
    const to = { ...use, shops: [...use.shops, shopId] };
    const field = rule === 'default' ? 'definition.default.shops' : `definition.rules[${rule}].use.shops`;
    yield draft(scenario, field, use.shops, to.shops, {
      ...definition,
      ...(rule === 'default'
        ? { default: to }
        : { rules: definition.rules!.map((each, at) => (at === rule ? { ...each, use: to } : each)) }),
    });
  }
}

function memberChange(
  scenario: PreparedScenario,
  index: number,
  name: string,
  from: unknown,
  to: unknown,
  change: (member: FlowShop) => FlowShop,
): Candidate {
  const { definition } = scenario;
  const shops = definition.shops.map((member, at) => (at === index ? change(member) : member));
  return draft(scenario, `definition.shops[${index}].${name}`, from, to, { ...definition, shops });
}

const draft = (
  scenario: PreparedScenario,
  field: string,
  from: unknown,
  to: unknown,
  definition: FlowDefinition,
): Candidate => ({ field, from, to, apply: () => prepare({ ...scenario, definition }) });
