import { Candidate, prepare, type PreparedScenario } from './scenario.js';
import type { SearchBudget } from '../definition/assertion-search.js';
import type { ChoiceName, FlowDefinition, FlowShop, Rule, RuleUse, ShopConditions } from '../definition/definition.js';
import { isAnyOutOfReach } from '../definition/rule-errors.js';
import { type ShopOverride, withOverrides } from './overrides.js';
import type { Pool } from '../strategies/strategy.js';
import type { Route } from '../decision/routable-flow.js';
import type { RoutableShop } from '../definition/eligibility.js';
import type { Candidates } from '../decision/candidates.js';

/** Changes that enable the shop or make it healthy. */
export function* stateChanges(
  scenario: PreparedScenario,
  shop: RoutableShop,
  failed: { disabled: boolean; unhealthy: boolean },
): Generator<Candidate> {
  if (failed.disabled) yield override(scenario, shop.shop.id, 'enabled', false, true);
  if (failed.unhealthy) yield override(scenario, shop.shop.id, 'healthy', false, true);
}

export const override = <Name extends keyof ShopOverride>(
  scenario: PreparedScenario,
  shopId: number,
  name: Name,
  from: unknown,
  to: NonNullable<ShopOverride[Name]>,
): Candidate =>
  new Candidate(`overrides.shops.${shopId}.${name}`, from, to, () =>
    prepare(withOverrides(scenario, { shops: { [shopId]: { [name]: to } } })),
  );

/**
 * Changes of the shop's settings in the flow: its conditions, its priority, the rule that refuses or that names it. `budget`: for all
 * shops together.
 */
export function* settingsChanges(
  scenario: PreparedScenario,
  shop: RoutableShop,
  { chosen, declinedBy, refusedBy }: Candidates,
  budget: SearchBudget,
): Generator<Candidate> {
  const index = scenario.definition.shops.findIndex((member) => member.shop_id === shop.shop.id);
  yield* conditionChanges(scenario, index);
  if (chosen && ORDERED_BY_PRIORITY.includes(chosen.route.strategy)) {
    yield* priorityChanges(scenario, index, chosen.pool);
  }
  if (refusedBy) yield nextRuleChange(scenario, refusedBy.rule as number);
  yield* ruleChanges(scenario, shop.shop.id, chosen?.route ?? declinedBy ?? refusedBy, budget);
}

/** Under `lowest_cost`, shops with equal fees. */
const ORDERED_BY_PRIORITY: readonly ChoiceName[] = ['priority', 'lowest_cost'];

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

/** The same priority as shops that may take the request, or one step before them: the smallest change first. */
function* priorityChanges(scenario: PreparedScenario, index: number, { shops }: Pool): Generator<Candidate> {
  const from = scenario.definition.shops[index]!.priority;
  const tiers = new Set(shops.flatMap(({ priority }) => [priority, priority - 1]));
  const others = [...tiers].filter((tier) => tier < from && tier >= 0).sort((one, other) => other - one);
  for (const to of others) {
    yield memberChange(scenario, index, 'priority', from, to, (member) => ({ ...member, priority: to }));
  }
}

/**
 * Adds the shop to matching rules up to the deciding one, unless it declines; later rules do not matter. A later rule that
 * names the shop may become unreachable. Then the definition is invalid.
 */
function* ruleChanges(
  scenario: PreparedScenario,
  shopId: number,
  decides: Route | undefined,
  budget: SearchBudget,
): Generator<Candidate> {
  const { definition, flow } = scenario;
  const inReach = decides ? flow.routes.slice(0, flow.routes.indexOf(decides) + 1) : flow.routes;
  for (const { rule, matches } of inReach) {
    if (rule === undefined || !matches(scenario.request)) continue;
    const use = rule === 'default' ? definition.default! : definition.rules![rule]!.use;
    if (!use || use.shops.includes(shopId)) continue;
    const to = { ...use, shops: [...use.shops, shopId] };
    const field = rule === 'default' ? 'definition.default.shops' : `definition.rules[${rule}].use.shops`;
    const changed = withUse(definition, rule, to);
    const later = rule === 'default' ? [] : rulesBehind(definition, rule, shopId);
    yield draft(scenario, field, use.shops, to.shops, changed, function* () {
      return !(yield* isAnyOutOfReach(changed, later, budget));
    });
  }
}

/** Lets later rules have the payments that none of the rule's shops takes. */
function nextRuleChange(scenario: PreparedScenario, rule: number): Candidate {
  const { definition } = scenario;
  const rules = definition.rules!.map((each, at) => {
    if (at !== rule) return each;
    const { otherwise: _, ...rest } = each;
    return rest;
  });
  return draft(scenario, `definition.rules[${rule}].otherwise`, 'refuse', 'next', { ...definition, rules });
}

const withUse = (definition: FlowDefinition, rule: number | 'default', use: RuleUse): FlowDefinition =>
  rule === 'default'
    ? { ...definition, default: use }
    : { ...definition, rules: definition.rules!.map((each, at) => (at === rule ? ({ ...each, use } as Rule) : each)) };

const rulesBehind = ({ rules = [] }: FlowDefinition, rule: number, shopId: number): number[] =>
  [...rules.keys()].filter((at) => at > rule && rules[at]!.use?.shops.includes(shopId));

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
  isValid?: () => Generator<void, boolean>,
): Candidate => new Candidate(field, from, to, () => prepare({ ...scenario, definition }), isValid);
