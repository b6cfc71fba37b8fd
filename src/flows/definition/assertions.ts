import { type FieldError, Problem } from '../../shared/problem.js';
import { findForbidden, type Forbidden, MAX_SEARCH_STEPS, SearchBudget, SearchTooLong } from './assertion-search.js';
import { type Condition, matches, type RoutingRequest } from './condition.js';
import { conditionOf } from './eligibility.js';
import type { Assertion, FlowDefinition, FlowShop } from './definition.js';
import { allOf, anyOf, type Formula, formulaOf, negated, type SharedTests } from './formula.js';

/**
 * Refuses a definition that breaks its own assertions, with a request that shows it. A shop may get a request when its
 * conditions and, under `rules`, those of a rule that names it let it through: whatever the counter is, and whichever
 * shops are disabled as a whole or unhealthy at the moment, for that is not the definition's doing and changes without
 * it. Yields often, for others to have their turn. Problems: `flow_assertion_violated`, `flow_assertions_too_complex`.
 */
export function* requireAssertions(definition: FlowDefinition): Generator<void, void> {
  const errors: FieldError[] = [];
  const budget = new SearchBudget();
  for (const [index, assertion] of (definition.assertions ?? []).entries()) {
    const field = `assertions[${index}]`;
    const request = yield* findViolation(definition, assertion, field, budget);
    if (request) errors.push({ field, message: messageOf(definition, assertion, request) });
  }
  if (errors.length > 0) throw new Problem('flow_assertion_violated', { errors });
}

/** A request that breaks the assertion; `undefined`: there is none. */
function* findViolation(
  definition: FlowDefinition,
  assertion: Assertion,
  field: string,
  budget: SearchBudget,
): Generator<void, RoutingRequest | undefined> {
  try {
    for (const forbidden of forbiddenBy(definition, assertion)) {
      const request = yield* findForbidden(forbidden, budget);
      if (request) return request;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    const message = `could not be checked within ${MAX_SEARCH_STEPS} steps: narrow its condition, or tell fewer cases apart`;
    throw new Problem('flow_assertions_too_complex', { errors: [{ field, message }] });
  }
}

/** The requests that an assertion forbids: those of each of the parts. */
export function forbiddenBy(definition: FlowDefinition, assertion: Assertion): Forbidden[] {
  const tests: SharedTests = new Map();
  const when = formulaOf(assertion.when, tests);
  const members = definition.shops.filter((shop) => shop.enabled);
  const takes = (shop: FlowShop): Formula => mayGet(definition, shop, tests);
  if ('at_least' in assertion) return [{ when, shops: members.map(takes), atLeast: assertion.at_least }];
  if ('at_least_tries' in assertion) return triedTooLittle(definition, assertion.at_least_tries, when, tests);
  const never = members.filter((shop) => shop.shop_id === assertion.never);
  return [{ when: allOf([when, anyOf(never.map(takes))]), shops: [], atLeast: 1 }];
}

/** One way that requests can take, and the shops that it leads to. */
interface Way {
  when: Condition;
  shops: readonly FlowShop[];
}

/** In their order; the last one matches everything. */
function waysOf({ strategy, shops, rules = [], default: otherwise }: FlowDefinition): Way[] {
  const members = shops.filter((shop) => shop.enabled);
  if (strategy !== 'rules') return [{ when: {}, shops: members }];
  const named = (ids: readonly number[]): FlowShop[] => members.filter((shop) => ids.includes(shop.shop_id));
  return [
    ...rules.map(({ when, use }) => ({ when, shops: named(use.shops) })),
    { when: {}, shops: named(otherwise?.shops ?? []) },
  ];
}

/**
 * By each way the requests that it decides about (no earlier way has a shop for them, but it has) and has too few shops
 * for; by the last one also those that no way has a shop for. With fewer attempts than that, all requests.
 */
function triedTooLittle(definition: FlowDefinition, tries: number, when: Formula, tests: SharedTests): Forbidden[] {
  if ((definition.max_attempts ?? 1) < tries) return [{ when, shops: [], atLeast: 1 }];
  const ways = waysOf(definition).map((way) => ({
    matches: formulaOf(way.when, tests),
    shops: way.shops.map((shop) => formulaOf(conditionOf(shop.conditions), tests)),
  }));
  return ways.map(({ matches: isIts, shops }, index) => {
    const earlier = ways.slice(0, index).map((way) => negated(allOf([way.matches, anyOf(way.shops)])));
    const decides = index === ways.length - 1 ? earlier : [...earlier, isIts, anyOf(shops)];
    return { when: allOf([when, ...decides]), shops, atLeast: tries };
  });
}

/** How many shops the request is tried with, at most, while all shops are up. */
export function triesOf(definition: FlowDefinition, request: RoutingRequest): number {
  const takers = waysOf(definition)
    .filter(({ when }) => matches(when, request))
    .map(({ shops }) => shops.filter((shop) => matches(conditionOf(shop.conditions), request)).length);
  return Math.min(definition.max_attempts ?? 1, takers.find((count) => count > 0) ?? 0);
}

/** What a request must meet so that it may go to the shop. */
function mayGet(definition: FlowDefinition, shop: FlowShop, tests: SharedTests): Formula {
  const route = anyOf(routesTo(definition, shop.shop_id).map((when) => formulaOf(when, tests)));
  return allOf([formulaOf(conditionOf(shop.conditions), tests), route]);
}

function routesTo({ strategy, rules = [], default: otherwise }: FlowDefinition, shopId: number): Condition[] {
  if (strategy !== 'rules') return [{}];
  const named = rules.filter(({ use }) => use.shops.includes(shopId)).map(({ when }) => when);
  return otherwise?.shops.includes(shopId) ? [...named, {}] : named;
}

/** The shops of the flow that may get the request, as assertions mean it. */
export const shopsFor = (definition: FlowDefinition, request: RoutingRequest): number[] =>
  definition.shops
    .filter((shop) => shop.enabled && matches(conditionOf(shop.conditions), request))
    .filter((shop) => routesTo(definition, shop.shop_id).some((when) => matches(when, request)))
    .map((shop) => shop.shop_id);

function messageOf(definition: FlowDefinition, assertion: Assertion, request: RoutingRequest): string {
  const example = JSON.stringify(asSimulated(request));
  if ('never' in assertion) return `must never go to shop ${assertion.never}, but ${example} can`;
  if ('at_least_tries' in assertion) {
    const tries = triesOf(definition, request);
    return `must be tried with at least ${assertion.at_least_tries} shops, but ${example} is tried with ${tries} (max_attempts is ${definition.max_attempts ?? 1})`;
  }
  const shops = shopsFor(definition, request);
  const found = shops.length === 0 ? 'none' : `${shops.length}: ${shops.join(', ')}`;
  return `must have at least ${assertion.at_least} shops to go to, but ${example} has ${found}`;
}

/** As `POST /flows/simulate` takes it. */
const asSimulated = ({ customerId, ...request }: RoutingRequest): Record<string, unknown> => ({
  ...request,
  ...(customerId !== undefined && { customer_id: customerId }),
});
