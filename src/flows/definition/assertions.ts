import { type FieldError, Problem } from '../../shared/problem.js';
import {
  findCounterexample,
  type Violation,
  MAX_SEARCH_STEPS,
  SearchBudget,
  SearchTooLong,
} from './assertion-search.js';
import { type Condition, matches, type RoutingRequest } from './condition.js';
import { conditionOf } from './eligibility.js';
import type { Assertion, FlowDefinition, FlowShop } from './definition.js';
import { allOf, anyOf, type Formula, formulaOf, negated, type SharedTests } from './formula.js';

/**
 * Refuses a definition that breaks its own assertions, and gives an example request. A shop may get a request if the
 * request meets the shop's conditions and, under `rules`, those of a rule that names the shop. The counter is ignored.
 * So are shops that are disabled as a whole or unhealthy, because they change independently of the definition. Yields
 * often to let other work run. Problems: `flow_assertion_violated`, `flow_assertions_too_complex`.
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

/** Returns a request that breaks the assertion; `undefined`: there is none. */
function* findViolation(
  definition: FlowDefinition,
  assertion: Assertion,
  field: string,
  budget: SearchBudget,
): Generator<void, RoutingRequest | undefined> {
  try {
    for (const violation of violationsOf(definition, assertion)) {
      const request = yield* findCounterexample(violation, budget);
      if (request) return request;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    const message = `could not be checked within ${MAX_SEARCH_STEPS} steps: narrow its condition, or use fewer different values in the flow's conditions`;
    throw new Problem('flow_assertions_too_complex', { errors: [{ field, message }] });
  }
}

/** The violations of an assertion; a request breaks the assertion if it matches one of them. */
export function violationsOf(definition: FlowDefinition, assertion: Assertion): Violation[] {
  const tests: SharedTests = new Map();
  const when = formulaOf(assertion.when, tests);
  const members = definition.shops.filter((shop) => shop.enabled);
  const routeTo = (shop: FlowShop): Formula => mayGet(definition, shop, tests);
  if ('at_least' in assertion) return [{ when, shops: members.map(routeTo), atLeast: assertion.at_least }];
  if ('at_least_tries' in assertion) return tooFewTries(definition, assertion.at_least_tries, when, tests);
  const never = members.filter((shop) => shop.shop_id === assertion.never);
  return [{ when: allOf([when, anyOf(never.map(routeTo))]), shops: [], atLeast: 1 }];
}

/** A condition on requests, and the shops that such requests go to. */
interface Branch {
  when: Condition;
  shops: readonly FlowShop[];
}

/** In their order; the last one matches everything. */
function branchesOf({ strategy, shops, rules = [], default: otherwise }: FlowDefinition): Branch[] {
  const members = shops.filter((shop) => shop.enabled);
  if (strategy !== 'rules') return [{ when: {}, shops: members }];
  const named = (ids: readonly number[]): FlowShop[] => members.filter((shop) => ids.includes(shop.shop_id));
  return [
    ...rules.map(({ when, use }) => ({ when, shops: named(use.shops) })),
    { when: {}, shops: named(otherwise?.shops ?? []) },
  ];
}

/**
 * One violation per branch: the requests that this branch decides and has too few shops for. A branch decides if it has
 * a shop for the request and no earlier branch does. The last branch also gets the requests that no branch has a shop
 * for. If `max_attempts` is too low, all requests are violations.
 */
function tooFewTries(definition: FlowDefinition, tries: number, when: Formula, tests: SharedTests): Violation[] {
  if ((definition.max_attempts ?? 1) < tries) return [{ when, shops: [], atLeast: 1 }];
  const branches = branchesOf(definition).map((branch) => ({
    matches: formulaOf(branch.when, tests),
    shops: branch.shops.map((shop) => formulaOf(conditionOf(shop.conditions), tests)),
  }));
  return branches.map(({ matches: matchesBranch, shops }, index) => {
    const earlier = branches.slice(0, index).map((branch) => negated(allOf([branch.matches, anyOf(branch.shops)])));
    const decides = index === branches.length - 1 ? earlier : [...earlier, matchesBranch, anyOf(shops)];
    return { when: allOf([when, ...decides]), shops, atLeast: tries };
  });
}

/** The maximum number of shops that the request is tried with, if all shops are up. */
export function triesOf(definition: FlowDefinition, request: RoutingRequest): number {
  const shopCounts = branchesOf(definition)
    .filter(({ when }) => matches(when, request))
    .map(({ shops }) => shops.filter((shop) => matches(conditionOf(shop.conditions), request)).length);
  return Math.min(definition.max_attempts ?? 1, shopCounts.find((count) => count > 0) ?? 0);
}

/** The condition that a request must meet to go to the shop. */
function mayGet(definition: FlowDefinition, shop: FlowShop, tests: SharedTests): Formula {
  const route = anyOf(routesTo(definition, shop.shop_id).map((when) => formulaOf(when, tests)));
  return allOf([formulaOf(conditionOf(shop.conditions), tests), route]);
}

function routesTo({ strategy, rules = [], default: otherwise }: FlowDefinition, shopId: number): Condition[] {
  if (strategy !== 'rules') return [{}];
  const named = rules.filter(({ use }) => use.shops.includes(shopId)).map(({ when }) => when);
  return otherwise?.shops.includes(shopId) ? [...named, {}] : named;
}

/** The shops of the flow that may get the request, as assertions define it. */
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

/** In the format of `POST /flows/simulate`. */
const asSimulated = ({ customerId, ...request }: RoutingRequest): Record<string, unknown> => ({
  ...request,
  ...(customerId !== undefined && { customer_id: customerId }),
});
