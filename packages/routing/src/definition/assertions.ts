import { hasOptionFor, type PaymentMethodOption } from '../facts/payment-method.js';
import type { FieldError } from '../field-error.js';
import type { ShopSummary } from '../facts/shop.js';
import {
  findCounterexample,
  type Violation,
  MAX_SEARCH_STEPS,
  SearchBudget,
  SearchTooLong,
} from './assertion-search.js';
import { type Condition, matches, type RoutingRequest } from './condition.js';
import { conditionOf, providerCondition } from './eligibility.js';
import { type Assertion, type FlowDefinition, type FlowShop, isLastFor } from './definition.js';
import { allOf, anyOf, type Formula, formulaOf, negated, type SharedTests } from './formula.js';

/** By id: at least the shops of the flow. */
type Summaries = ReadonlyMap<number, ShopSummary>;

/** Why a definition cannot become active. */
export interface AssertionFailure {
  /** `too_complex`: an assertion could not be checked within the limit of the search. */
  reason: 'violated' | 'too_complex';
  /** The assertions by their index, each with a request that breaks it. */
  errors: FieldError[];
}

/**
 * Whether a definition breaks its own assertions, with an example request; `undefined`: all of them hold. A shop may get
 * a request if the request meets the shop's conditions and, under `rules`, those of a rule that names the shop and of no
 * earlier rule that declines or refuses, if the shop's provider accepts the currency and the type of payment method, and if
 * the request names the shop's account or none. The counter is ignored. So are shops that are disabled as a whole or unhealthy, because they change
 * independently of the definition. Expects a definition without `definitionErrors`. Yields often to let other work run.
 */
export function* assertionFailure(
  definition: FlowDefinition,
  summaries: Summaries,
): Generator<void, AssertionFailure | undefined> {
  const errors: FieldError[] = [];
  const budget = new SearchBudget();
  for (const [index, assertion] of (definition.assertions ?? []).entries()) {
    const field = `assertions[${index}]`;
    const request = yield* findViolation(violationsOf(definition, summaries, assertion), budget);
    if (request === 'too_complex') return { reason: request, errors: [{ field, message: TOO_COMPLEX }] };
    if (request) errors.push({ field, message: messageOf(definition, summaries, assertion, request) });
  }
  return errors.length > 0 ? { reason: 'violated', errors } : undefined;
}

const TOO_COMPLEX = `could not be checked within ${MAX_SEARCH_STEPS} steps: narrow its condition, or use fewer different values in the flow's conditions`;

/** Returns a request that breaks the assertion; `undefined`: there is none. */
function* findViolation(
  violations: readonly Violation[],
  budget: SearchBudget,
): Generator<void, RoutingRequest | 'too_complex' | undefined> {
  try {
    for (const violation of violations) {
      const request = yield* findCounterexample(violation, budget);
      if (request) return request;
    }
    return undefined;
  } catch (error) {
    if (error instanceof SearchTooLong) return 'too_complex';
    throw error;
  }
}

/** The violations of an assertion; a request breaks the assertion if it matches one of them. */
export function violationsOf(definition: FlowDefinition, summaries: Summaries, assertion: Assertion): Violation[] {
  const tests: SharedTests = new Map();
  const when = formulaOf(assertion.when, tests);
  const options = assertion.payment_method?.options;
  const members = membersOf(definition, summaries, options);
  const violations = (found: readonly Violation[]): Violation[] =>
    found.map((violation) => ({ ...violation, ...(options && { options }) }));
  const routeTo = ({ shop, takes }: Member): Formula =>
    allOf([formulaOf(takes, tests), anyOf(routesTo(definition, shop.shop_id).map((route) => formulaOf(route, tests)))]);
  if ('at_least' in assertion) return violations([{ when, shops: members.map(routeTo), atLeast: assertion.at_least }]);
  if ('at_least_tries' in assertion) {
    return violations(tooFewTries(definition, members, assertion.at_least_tries, when, tests));
  }
  const never = members.filter(({ shop }) => shop.shop_id === assertion.never);
  return violations([{ when: allOf([when, anyOf(never.map(routeTo))]), shops: [], atLeast: 1 }]);
}

/** A shop that the flow uses, and the requests that it takes. */
interface Member {
  shop: FlowShop;
  takes: Condition;
}

/** The shops that the flow uses for requests that name these accounts; `undefined`: that name none. */
function membersOf(
  { shops }: FlowDefinition,
  summaries: Summaries,
  options: readonly PaymentMethodOption[] | undefined,
): Member[] {
  return shops.flatMap((shop) => {
    const summary = summaries.get(shop.shop_id);
    if (!summary) throw new Error(`shop ${shop.shop_id} is in a flow but was not loaded`);
    if (!shop.enabled || (options && !hasOptionFor(options, summary))) return [];
    return [{ shop, takes: { all: [conditionOf(shop.conditions), providerCondition(summary)] } }];
  });
}

/** A condition on requests, and the shops that such requests go to. */
interface Branch {
  when: Condition;
  members: readonly Member[];
  /** It declines or refuses the requests that none of its shops takes. */
  isLast: boolean;
}

/** In their order; the last one matches everything. */
function branchesOf(
  { strategy, rules = [], default: otherwise }: FlowDefinition,
  members: readonly Member[],
): Branch[] {
  if (strategy !== 'rules') return [{ when: {}, members, isLast: false }];
  const named = (ids: readonly number[]): Member[] => members.filter(({ shop }) => ids.includes(shop.shop_id));
  return [
    ...rules.map((rule) => ({
      when: rule.when,
      members: named(rule.use?.shops ?? []),
      isLast: isLastFor(rule),
    })),
    { when: {}, members: named(otherwise?.shops ?? []), isLast: false },
  ];
}

/**
 * One violation per branch: the requests that this branch decides and has too few shops for. A branch decides if it
 * declines or refuses the request or has a shop for it, and no earlier branch does. The last branch also gets the requests that no
 * branch has a shop for. If `max_attempts` is too low, all requests are violations.
 */
function tooFewTries(
  definition: FlowDefinition,
  members: readonly Member[],
  tries: number,
  when: Formula,
  tests: SharedTests,
): Violation[] {
  if ((definition.max_attempts ?? 1) < tries) return [{ when, shops: [], atLeast: 1 }];
  const branches = branchesOf(definition, members).map((branch) => {
    const shops = branch.members.map(({ takes }) => formulaOf(takes, tests));
    return { decides: allOf([formulaOf(branch.when, tests), branch.isLast || anyOf(shops)]), shops };
  });
  return branches.map(({ decides, shops }, index) => {
    const earlier = branches.slice(0, index).map((branch) => negated(branch.decides));
    const own = index === branches.length - 1 ? [] : [decides];
    return { when: allOf([when, ...earlier, ...own]), shops, atLeast: tries };
  });
}

/** The maximum number of shops that the request is tried with, if all shops are up. */
export function triesOf(definition: FlowDefinition, summaries: Summaries, request: RoutingRequest): number {
  const members = membersOf(definition, summaries, request.paymentMethod?.options);
  const branches = branchesOf(definition, members)
    .filter(({ when }) => matches(when, request))
    .map(({ members: named, isLast }) => ({
      isLast,
      count: named.filter(({ takes }) => matches(takes, request)).length,
    }));
  const decides = branches.find(({ isLast, count }) => isLast || count > 0);
  return Math.min(definition.max_attempts ?? 1, decides?.count ?? 0);
}

/** The conditions of the rules that name the shop, each without the requests that an earlier rule declines or refuses. */
function routesTo({ strategy, rules = [], default: otherwise }: FlowDefinition, shopId: number): Condition[] {
  if (strategy !== 'rules') return [{}];
  const routes: Condition[] = [];
  const ended: Condition[] = [];
  const add = (when: Condition): number => routes.push(ended.length === 0 ? when : { all: [when, ...ended] });
  for (const rule of rules) {
    if (rule.use?.shops.includes(shopId)) add(rule.when);
    if (isLastFor(rule)) ended.push({ not: rule.when });
  }
  if (otherwise?.shops.includes(shopId)) add({});
  return routes;
}

/** The shops of the flow that may get the request, as assertions define it. */
export const shopsFor = (definition: FlowDefinition, summaries: Summaries, request: RoutingRequest): number[] =>
  membersOf(definition, summaries, request.paymentMethod?.options)
    .filter(({ takes }) => matches(takes, request))
    .filter(({ shop }) => routesTo(definition, shop.shop_id).some((when) => matches(when, request)))
    .map(({ shop }) => shop.shop_id);

function messageOf(
  definition: FlowDefinition,
  summaries: Summaries,
  assertion: Assertion,
  request: RoutingRequest,
): string {
  const example = JSON.stringify(asSimulated(request));
  if ('never' in assertion) return `must never go to shop ${assertion.never}, but ${example} can`;
  if ('at_least_tries' in assertion) {
    const tries = triesOf(definition, summaries, request);
    const by = tries === 0 ? endOf(definition, request) : undefined;
    if (by) return `must be tried with at least ${assertion.at_least_tries} shops, but ${by} ${example}`;
    return `must be tried with at least ${assertion.at_least_tries} shops, but ${example} is tried with ${tries} (max_attempts is ${definition.max_attempts ?? 1})`;
  }
  const shops = shopsFor(definition, summaries, request);
  const by = shops.length === 0 ? endOf(definition, request) : undefined;
  if (by) return `must have at least ${assertion.at_least} shops to go to, but ${by} ${example}`;
  const found = shops.length === 0 ? 'none' : `${shops.length}: ${shops.join(', ')}`;
  return `must have at least ${assertion.at_least} shops to go to, but ${example} has ${found}`;
}

/** The first rule that declines or refuses a request without a shop, such as `rules[0] declines`; `undefined`: none does. */
function endOf({ rules = [] }: FlowDefinition, request: RoutingRequest): string | undefined {
  const index = rules.findIndex((rule) => isLastFor(rule) && matches(rule.when, request));
  return index < 0 ? undefined : `rules[${index}] ${rules[index]!.decline ? 'declines' : 'refuses'}`;
}

/** In the format of `POST /flows/simulate`. */
const asSimulated = ({ customerId, paymentMethod, ...request }: RoutingRequest): Record<string, unknown> => ({
  ...request,
  ...(customerId !== undefined && { customer_id: customerId }),
  ...(paymentMethod && { payment_method: paymentMethod }),
});
