import { currencyDigits } from '../facts/money.js';
import type { PaymentMethodOption } from '../facts/payment-method.js';
import {
  amounts,
  bins,
  countries,
  currencies,
  customerIds,
  fundings,
  metadataValues,
  names,
} from './boundary-values.js';
import type { FieldName, FieldTest, RoutingRequest } from './condition.js';
import { eachAtom, type Formula, passesOften, withField } from './formula.js';
import { isInside, PartialRequest } from './partial-request.js';

/** The requests that an assertion forbids: those that meet `when` and that fewer than `atLeast` shops may get. */
export interface Violation {
  readonly when: Formula;
  /** One condition per shop. The shop may get a request that meets it. */
  readonly shops: readonly Formula[];
  readonly atLeast: number;
  /** The accounts that each request names; only these shops are in `shops`. Absent: the requests name none. */
  readonly options?: readonly PaymentMethodOption[];
}

/** The maximum number of comparisons (a value with a test) in all searches for one definition: about a second. */
export const MAX_SEARCH_STEPS = 5_000_000;

/** The work around the tests of one value, in steps. */
const STEPS_PER_VALUE = 10;
/** About half a millisecond of work. */
const STEPS_BETWEEN_PAUSES = 2_500;

export class SearchTooLong extends Error {}

/** The steps that all searches for one definition may take together. */
export class SearchBudget {
  private steps = 0;
  private nextPause = STEPS_BETWEEN_PAUSES;

  constructor(private readonly maxSteps = MAX_SEARCH_STEPS) {}

  /** Counts the steps and returns whether a pause is due. Throws `SearchTooLong`. */
  take(steps: number): boolean {
    this.steps += steps;
    if (this.steps > this.maxSteps) throw new SearchTooLong();
    if (this.steps < this.nextPause) return false;
    this.nextPause = this.steps + STEPS_BETWEEN_PAUSES;
    return true;
  }
}

/** The state that all branches of one search share. */
interface SearchContext {
  budget: SearchBudget;
  /** Metadata fields that are inside another tested field, or contain one. */
  overlapping: ReadonlySet<FieldName>;
  options: Violation['options'];
}

/**
 * Searches for a request that breaks the assertion. It fills in one field after the other, with the boundary values of
 * the tests that are still undecided. It stops where the result is certain. The search is exhaustive: if it finds no
 * request, none exists. Yields about twice a millisecond to let other work run. Throws `SearchTooLong`.
 */
export function* findCounterexample(
  violation: Violation,
  budget = new SearchBudget(),
): Generator<void, RoutingRequest | undefined> {
  const context = { budget, overlapping: overlappingFields(violation), options: violation.options };
  return yield* search(simplified(violation), PartialRequest.EMPTY, context);
}

function* search(
  violation: Violation,
  request: PartialRequest,
  context: SearchContext,
): Generator<void, RoutingRequest | undefined> {
  if (violation.when === false || violation.atLeast <= 0) return undefined;
  if (violation.when === true && violation.shops.length < violation.atLeast) return request.complete(context.options);
  const undecided = undecidedTests(violation);
  const field = nextField(undecided.byField, request);
  const candidates = valuesOf(field, undecided.byField, request, context);
  // charged before the work is done: comparing many values can take long
  if (context.budget.take(candidates.length * (undecided.byField.get(field)?.size ?? 0))) yield;
  const values = yield* distinctByOutcome(candidates, field, undecided.byField, context);
  if (context.budget.take((values.length + 1) * (undecided.occurrences + STEPS_PER_VALUE))) yield;
  for (const value of values) {
    const found = yield* search(withValue(violation, field, value), request.with(field, value), context);
    if (found) return found;
  }
  return undefined;
}

const withValue = ({ when, shops, atLeast }: Violation, field: FieldName, value: unknown): Violation =>
  simplified({
    when: withField(when, field, value),
    shops: shops.map((shop) => withField(shop, field, value)),
    atLeast,
  });

/** Counts the shops that certainly may get the request, and removes those that cannot. */
function simplified({ when, shops, atLeast }: Violation): Violation {
  const certain = shops.filter((shop) => shop === true).length;
  return { when, shops: shops.filter((shop) => typeof shop !== 'boolean'), atLeast: atLeast - certain };
}

type Tests = ReadonlyMap<FieldName, ReadonlySet<FieldTest>>;

/**
 * Fields of `when` come first because they exclude the most requests. `occurrences`: the number of undecided tests in
 * all formulas.
 */
function undecidedTests({ when, shops }: Violation): { byField: Tests; occurrences: number } {
  const byField = new Map<FieldName, Set<FieldTest>>();
  let occurrences = 0;
  for (const formula of [when, ...shops]) {
    eachAtom(formula, ({ field, test }) => {
      occurrences++;
      const tests = byField.get(field);
      if (tests) tests.add(test);
      else byField.set(field, new Set([test]));
    });
  }
  return { byField, occurrences };
}

function overlappingFields(violation: Violation): Set<FieldName> {
  const fields = [...undecidedTests(violation).byField.keys()];
  return new Set(fields.filter((one) => fields.some((other) => isInside(one, other) || isInside(other, one))));
}

/** The currency comes before the amount, because it decides which amounts exist. */
function nextField(undecided: Tests, request: PartialRequest): FieldName {
  const [field] = undecided.keys();
  return field === 'amount' && request.currency === undefined ? 'currency' : field!;
}

function valuesOf(
  field: FieldName,
  undecided: Tests,
  request: PartialRequest,
  { overlapping }: SearchContext,
): unknown[] {
  const tests = [...(undecided.get(field) ?? [])];
  switch (field) {
    case 'currency':
      return currencies(tests);
    case 'country':
    case 'card.issuer_country':
      return countries(tests);
    case 'payment_method.type':
    case 'card.scheme':
      return names(tests);
    case 'card.bin':
      return bins(tests);
    case 'card.funding':
      return fundings(tests);
    case 'customer_id':
      return customerIds(tests);
    case 'amount':
      return amounts(request.currency!)(tests);
    default: {
      const isOverlapping = overlapping.has(field);
      const values = metadataValues(tests, { asObject: isOverlapping });
      return isOverlapping ? values.filter((value) => request.allows(field, value)) : values;
    }
  }
}

/** Keeps one value of each group that passes the same tests and has the same effect on dependent fields. */
function* distinctByOutcome(
  values: readonly unknown[],
  field: FieldName,
  undecided: Tests,
  context: SearchContext,
): Generator<void, unknown[]> {
  const tests = [...(undecided.get(field) ?? [])];
  const byOutcome = new Map<string, unknown>();
  let untilPause = STEPS_BETWEEN_PAUSES;
  for (const value of values) {
    if ((untilPause -= tests.length) < 0) {
      untilPause = STEPS_BETWEEN_PAUSES;
      yield;
    }
    const outcomes = tests.map((test) => (passesOften(test, value) ? '1' : '0')).join('');
    const key = `${outcomes} ${residualKey(value, field, undecided, context)}`;
    if (!byOutcome.has(key)) byOutcome.set(key, value);
  }
  return [...byOutcome.values()];
}

/** The effect of a value on dependent fields: the decimals of amounts, and the values possible inside or around it. */
function residualKey(value: unknown, field: FieldName, undecided: Tests, { overlapping }: SearchContext): string {
  if (field === 'currency') return undecided.has('amount') ? String(currencyDigits(value as string)) : '';
  return overlapping.has(field) ? typeof value : '';
}
