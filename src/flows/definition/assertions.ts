import { type FieldError, Problem } from '../../shared/problem.js';
import { findForbidden, type Forbidden, MAX_SEARCH_STEPS, SearchBudget, SearchTooLong } from './assertion-search.js';
import { type Condition, matches, type RoutingRequest } from './condition.js';
import { conditionOf } from './eligibility.js';
import type { Assertion, FlowDefinition, FlowShop } from './definition.js';
import { allOf, anyOf, type Formula, formulaOf, type SharedTests } from './formula.js';

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
    return yield* findForbidden(forbiddenBy(definition, assertion), budget);
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    const message = `could not be checked within ${MAX_SEARCH_STEPS} steps: narrow its condition, or tell fewer cases apart`;
    throw new Problem('flow_assertions_too_complex', { errors: [{ field, message }] });
  }
}

/** The requests that an assertion forbids. */
export function forbiddenBy(definition: FlowDefinition, assertion: Assertion): Forbidden {
  const tests: SharedTests = new Map();
  const when = formulaOf(assertion.when, tests);
  const members = definition.shops.filter((shop) => shop.enabled);
  const takes = (shop: FlowShop): Formula => mayGet(definition, shop, tests);
  if ('at_least' in assertion) return { when, shops: members.map(takes), atLeast: assertion.at_least };
  const never = members.filter((shop) => shop.shop_id === assertion.never);
  return { when: allOf([when, anyOf(never.map(takes))]), shops: [], atLeast: 1 };
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
  const shops = shopsFor(definition, request);
  const found = shops.length === 0 ? 'none' : `${shops.length}: ${shops.join(', ')}`;
  return `must have at least ${assertion.at_least} shops to go to, but ${example} has ${found}`;
}

/** As `POST /flows/simulate` takes it. */
const asSimulated = ({ customerId, ...request }: RoutingRequest): Record<string, unknown> => ({
  ...request,
  ...(customerId !== undefined && { customer_id: customerId }),
});
