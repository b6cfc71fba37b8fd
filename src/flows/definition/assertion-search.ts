import { currencyDigits } from '../../shared/money.js';
import { amounts, countries, currencies, customerIds, metadataValues } from './boundary-values.js';
import type { FieldName, FieldTest, RoutingRequest } from './condition.js';
import { eachAtom, type Formula, passesOften, withField } from './formula.js';
import { isInside, PartialRequest } from './partial-request.js';

/** What a request must not be: it meets `when`, and fewer than `atLeast` shops may get it. */
export interface Forbidden {
  readonly when: Formula;
  /** For each shop what a request must meet so that the shop may get it. */
  readonly shops: readonly Formula[];
  readonly atLeast: number;
}

/** How many times the searches for one definition may hold a value against a test before they give up: about a second. */
export const MAX_SEARCH_STEPS = 5_000_000;

/** The work around the tests of one value, in steps. */
const STEPS_PER_VALUE = 10;
/** Half a millisecond. */
const STEPS_BETWEEN_PAUSES = 2_500;

export class SearchTooLong extends Error {}

/** What the searches for one definition may do altogether. */
export class SearchBudget {
  private steps = 0;
  private nextPause = STEPS_BETWEEN_PAUSES;

  constructor(private readonly maxSteps = MAX_SEARCH_STEPS) {}

  /** Whether it is time for a pause. */
  take(steps: number): boolean {
    this.steps += steps;
    if (this.steps > this.maxSteps) throw new SearchTooLong();
    if (this.steps < this.nextPause) return false;
    this.nextPause = this.steps + STEPS_BETWEEN_PAUSES;
    return true;
  }
}

/** What all branches of one search share. */
interface Course {
  budget: SearchBudget;
  /** Fields of the metadata inside or around which there are others. */
  entangled: ReadonlySet<FieldName>;
}

/**
 * Looks for a request that is forbidden. It fills in one field after the other, each with the boundary values of the
 * tests that are still open, and goes no further where the answer is certain; so when it finds none, there is none.
 * Yields about twice a millisecond, for others to have their turn. Throws `SearchTooLong`.
 */
export function* findForbidden(
  forbidden: Forbidden,
  budget = new SearchBudget(),
): Generator<void, RoutingRequest | undefined> {
  const course = { budget, entangled: entangledFields(forbidden) };
  return yield* search(settled(forbidden), PartialRequest.EMPTY, course);
}

function* search(
  forbidden: Forbidden,
  request: PartialRequest,
  course: Course,
): Generator<void, RoutingRequest | undefined> {
  if (forbidden.when === false || forbidden.atLeast <= 0) return undefined;
  if (forbidden.when === true && forbidden.shops.length < forbidden.atLeast) return request.complete();
  const open = openTests(forbidden);
  const field = nextField(open.byField, request);
  const candidates = valuesOf(field, open.byField, request, course);
  // before the work is done, which may be long: so many values may have to be told apart
  if (course.budget.take(candidates.length * (open.byField.get(field)?.size ?? 0))) yield;
  const values = yield* toldApart(candidates, field, open.byField, course);
  if (course.budget.take((values.length + 1) * (open.occurrences + STEPS_PER_VALUE))) yield;
  for (const value of values) {
    const found = yield* search(filledIn(forbidden, field, value), request.with(field, value), course);
    if (found) return found;
  }
  return undefined;
}

const filledIn = ({ when, shops, atLeast }: Forbidden, field: FieldName, value: unknown): Forbidden =>
  settled({
    when: withField(when, field, value),
    shops: shops.map((shop) => withField(shop, field, value)),
    atLeast,
  });

/** Counts the shops that may get the request for certain, and leaves out those that cannot. */
function settled({ when, shops, atLeast }: Forbidden): Forbidden {
  const certain = shops.filter((shop) => shop === true).length;
  return { when, shops: shops.filter((shop) => typeof shop !== 'boolean'), atLeast: atLeast - certain };
}

type Tests = ReadonlyMap<FieldName, ReadonlySet<FieldTest>>;

/** Fields of `when` come first: they rule out the most. `occurrences`: how often tests stand in the formulas. */
function openTests({ when, shops }: Forbidden): { byField: Tests; occurrences: number } {
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

function entangledFields(forbidden: Forbidden): Set<FieldName> {
  const fields = [...openTests(forbidden).byField.keys()];
  return new Set(fields.filter((one) => fields.some((other) => isInside(one, other) || isInside(other, one))));
}

/** Which amounts there are depends on the currency, so that comes first. */
function nextField(open: Tests, request: PartialRequest): FieldName {
  const [field] = open.keys();
  return field === 'amount' && request.currency === undefined ? 'currency' : field!;
}

function valuesOf(field: FieldName, open: Tests, request: PartialRequest, { entangled }: Course): unknown[] {
  const tests = [...(open.get(field) ?? [])];
  switch (field) {
    case 'currency':
      return currencies(tests);
    case 'country':
      return countries(tests);
    case 'customer_id':
      return customerIds(tests);
    case 'amount':
      return amounts(request.currency!)(tests);
    default: {
      const isEntangled = entangled.has(field);
      const values = metadataValues(tests, { asObject: isEntangled });
      return isEntangled ? values.filter((value) => request.takes(field, value)) : values;
    }
  }
}

/** Of the values that pass the same tests and leave the same open, the first alone. */
function* toldApart(
  values: readonly unknown[],
  field: FieldName,
  open: Tests,
  course: Course,
): Generator<void, unknown[]> {
  const tests = [...(open.get(field) ?? [])];
  const byOutcome = new Map<string, unknown>();
  let untilPause = STEPS_BETWEEN_PAUSES;
  for (const value of values) {
    if ((untilPause -= tests.length) < 0) {
      untilPause = STEPS_BETWEEN_PAUSES;
      yield;
    }
    const outcomes = tests.map((test) => (passesOften(test, value) ? '1' : '0')).join('');
    const key = `${outcomes} ${whatItLeavesOpen(value, field, open, course)}`;
    if (!byOutcome.has(key)) byOutcome.set(key, value);
  }
  return [...byOutcome.values()];
}

/** What a value means for the fields that depend on it: which amounts there are, what can be inside or around it. */
function whatItLeavesOpen(value: unknown, field: FieldName, open: Tests, { entangled }: Course): string {
  if (field === 'currency') return open.has('amount') ? String(currencyDigits(value as string)) : '';
  return entangled.has(field) ? typeof value : '';
}
