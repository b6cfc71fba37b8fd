import { amountError, currencyDigits } from '../../shared/money.js';
import { amounts, countries, currencies, customerIds, metadataValues } from '../definition/boundary-values.js';
import {
  type FieldName,
  type FieldTest,
  isSettable,
  type RoutingRequest,
  valueAt,
  withValueAt,
} from '../definition/condition.js';
import { conditionOf } from '../definition/eligibility.js';
import { eachAtom, formulaOf } from '../definition/formula.js';
import { Candidate, type PreparedScenario } from './scenario.js';

/** The maximum number of other requests that are tried for all shops of a flow together. */
const MAX_TRIED = 10_000;

type TestsByField = Map<FieldName, FieldTest[]>;

/**
 * Every other request that differs in one field and gives a different test result in a shop's or rule's conditions.
 * Smallest change first: by field in the order `amount`, `currency`, `country`, `metadata`, `customer_id`; amounts by
 * their distance; other values in the order of the conditions, then one unnamed value, then no value.
 */
export function* requestChanges(scenario: PreparedScenario): Generator<Candidate> {
  let tried = 0;
  for (const [field, tests] of inOrder(testsByField(scenario))) {
    for (const value of valuesOf(field, tests, scenario.request)) {
      if (++tried > MAX_TRIED) return;
      const request = withField(scenario.request, field, value);
      yield new Candidate(field, fieldOf(scenario.request, field), value, () => ({ ...scenario, request }));
    }
  }
}

/** Over all conditions: the nearest value for one condition may fail the others. */
function testsByField({ definition, flow }: PreparedScenario): TestsByField {
  const byField: TestsByField = new Map();
  const tests = new Map<string, FieldTest>();
  const conditions = [
    ...(definition.rules ?? []).map(({ when }) => when),
    ...definition.shops.map((shop) => conditionOf(shop.conditions)),
  ];
  for (const condition of conditions) {
    eachAtom(formulaOf(condition, tests), ({ field, test }) => {
      const fieldTests = byField.get(field);
      if (fieldTests) fieldTests.push(test);
      else byField.set(field, [test]);
    });
  }
  // the counter also depends on whether there is a customer
  const dependsOnCustomers = flow.routes.some(({ strategy }) => strategy === 'sticky');
  if (dependsOnCustomers && !byField.has('customer_id')) byField.set('customer_id', []);
  return byField;
}

const FIELD_ORDER = ['amount', 'currency', 'country', 'metadata', 'customer_id'];

const inOrder = (tests: TestsByField): [FieldName, FieldTest[]][] =>
  [...tests].sort(([one], [other]) => placeOf(one) - placeOf(other));

const placeOf = (field: FieldName): number => FIELD_ORDER.indexOf(field.split('.')[0]!);

/** Values other than the request's, at least one for each combined result of the tests. */
function valuesOf(field: FieldName, tests: readonly FieldTest[], request: RoutingRequest): unknown[] {
  const { amount, currency } = request;
  const isOther = (value: unknown): boolean => value !== fieldOf(request, field);
  switch (field) {
    case 'currency':
      return currencies(tests).filter((other) => isOther(other) && amountError(amount, other) === undefined);
    case 'country':
      return countries(tests).filter(isOther);
    case 'customer_id':
      return customerIds(tests).filter(isOther);
    case 'amount':
      return nearestFirst(amounts(currency)(tests).filter(isOther), request);
    default:
      return metadataValues(tests, { asObject: false }).filter(
        // in an answer, `null` means that the field is omitted
        (value) => value !== null && isOther(value) && isSettable(request.metadata, keysOf(field), value),
      );
  }
}

/**
 * Among equally distant values, the lower one comes first. Compared in minor units, because differences of doubles are
 * not exact.
 */
function nearestFirst(values: readonly number[], { amount, currency }: RoutingRequest): number[] {
  const unitsPerMajor = 10 ** currencyDigits(currency)!;
  const units = (value: number): number => Math.round(value * unitsPerMajor);
  const distance = (value: number): number => Math.abs(units(value) - units(amount));
  return values.toSorted((one, other) => distance(one) - distance(other) || one - other);
}

const keysOf = (field: FieldName): string[] => field.split('.').slice(1);

function fieldOf(request: RoutingRequest, field: FieldName): unknown {
  if (field === 'customer_id') return request.customerId;
  if (field === 'currency' || field === 'country' || field === 'amount') return request[field];
  return valueAt(request.metadata, keysOf(field));
}

function withField(request: RoutingRequest, field: FieldName, value: unknown): RoutingRequest {
  if (field === 'customer_id') return { ...request, customerId: value as number | undefined };
  if (field === 'currency' || field === 'country' || field === 'amount') return { ...request, [field]: value };
  return { ...request, metadata: withValueAt(request.metadata, keysOf(field), value) as Record<string, unknown> };
}
