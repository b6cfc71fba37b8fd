import { amountError, currencyDigits } from '../facts/money.js';
import { hasOptionFor, MAX_OPTIONS, type PaymentMethodOption } from '../facts/payment-method.js';
import {
  amounts,
  bins,
  countries,
  currencies,
  customerIds,
  fundings,
  metadataValues,
  names,
} from '../definition/boundary-values.js';
import {
  type FieldName,
  type FieldTest,
  isSettable,
  type RoutingRequest,
  valueAt,
  withValueAt,
} from '../definition/condition.js';
import { conditionOf, providerCondition } from '../definition/eligibility.js';
import { eachAtom, formulaOf } from '../definition/formula.js';
import type { RoutableFlow } from '../decision/routable-flow.js';
import { feeTests } from './fee-changes.js';
import { Candidate, type PreparedScenario, withRequest } from './scenario.js';

/** The maximum number of other requests that are tried for all shops of a flow together. */
const MAX_TRIED = 10_000;

/** The accounts that have the payment method are no field of conditions. */
const OPTIONS = 'payment_method.options';
type RequestField = FieldName | typeof OPTIONS;
type TestsByField = Map<RequestField, FieldTest[]>;

/**
 * Every other request that differs in one field and gives a different test result in a shop's or rule's conditions,
 * another cheapest shop or another segment.
 * Smallest change first: by field in the order `amount`, `currency`, `country`, `payment_method`, `metadata`,
 * `customer_id`; amounts by their distance; other values in the order of the conditions, then one unnamed value, then no
 * value. A request that names accounts may name one more.
 */
export function* requestChanges(scenario: PreparedScenario): Generator<Candidate> {
  let tried = 0;
  for (const [field, tests] of inOrder(testsByField(scenario))) {
    for (const value of valuesOf(field, tests, scenario)) {
      if (++tried > MAX_TRIED) return;
      const request = withField(scenario.request, field, value);
      yield new Candidate(pathOf(field), fieldOf(scenario.request, field), value, () => withRequest(scenario, request));
    }
  }
}

/** Over all conditions: the nearest value for one condition may fail the others. */
function testsByField(scenario: PreparedScenario): TestsByField {
  const { definition, flow, shops, request } = scenario;
  const byField: TestsByField = new Map(request.paymentMethod?.options ? [[OPTIONS, []]] : []);
  const tests = new Map<string, FieldTest>();
  const conditions = [
    ...(definition.rules ?? []).map(({ when }) => when),
    ...definition.shops.map((shop) => conditionOf(shop.conditions)),
    ...definition.shops.map((shop) => providerCondition(shops.get(shop.shop_id)!)),
  ];
  for (const condition of conditions) {
    eachAtom(formulaOf(condition, tests), ({ field, test }) => {
      const fieldTests = byField.get(field);
      if (fieldTests) fieldTests.push(test);
      else byField.set(field, [test]);
    });
  }
  for (const [field, fieldTests] of [...feeTests(scenario), ...segmentTests(scenario)])
    byField.set(field, [...(byField.get(field) ?? []), ...fieldTests]);
  // the counter also depends on whether there is a customer
  const dependsOnCustomers = flow.routes.some(({ strategy }) => strategy === 'sticky');
  if (dependsOnCustomers && !byField.has('customer_id')) byField.set('customer_id', []);
  return byField;
}

/** Tests of the values that have outcomes, for the fields by which `success_rate` divides payments into segments. */
const segmentTests = ({ flow, segments }: PreparedScenario): [FieldName, FieldTest[]][] =>
  flow.routes.flatMap((route) => {
    const by = (route.decline ? undefined : route.by) ?? [];
    const known = segments?.valuesOf(by) ?? [];
    return by.map((field, index): [FieldName, FieldTest[]] => {
      const values = [...(known[index] ?? [])];
      return [field, [field === 'card.bin' ? { starts_with: values } : { in: values }]];
    });
  });

const FIELD_ORDER = ['amount', 'currency', 'country', 'payment_method', 'metadata', 'customer_id'];

const inOrder = (tests: TestsByField): [RequestField, FieldTest[]][] =>
  [...tests].sort(([one], [other]) => placeOf(one) - placeOf(other));

const placeOf = (field: RequestField): number => FIELD_ORDER.indexOf(pathOf(field).split('.')[0]!);

/** The field's path in `POST /flows/simulate`. */
const pathOf = (field: RequestField): string => (field.startsWith('card.') ? `payment_method.${field}` : field);

/** Values other than the request's, at least one for each combined result of the tests. */
function valuesOf(field: RequestField, tests: readonly FieldTest[], { flow, request }: PreparedScenario): unknown[] {
  const { amount, currency } = request;
  const isOther = (value: unknown): boolean => value !== fieldOf(request, field);
  switch (field) {
    case 'currency':
      return currencies(tests).filter((other) => isOther(other) && amountError(amount, other) === undefined);
    case 'country':
    case 'card.issuer_country':
      return countries(tests).filter(isOther);
    case OPTIONS:
      return withOneMore(request.paymentMethod!.options!, flow);
    case 'payment_method.type':
    case 'card.scheme':
      return names(tests).filter(isOther);
    case 'card.bin':
      return bins(tests).filter(isOther);
    case 'card.funding':
      return fundings(tests).filter(isOther);
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

/** The options with one for an account of the flow that they do not include yet; none if the API takes no more options. */
function withOneMore(options: readonly PaymentMethodOption[], { shops }: RoutableFlow): PaymentMethodOption[][] {
  if (options.length >= MAX_OPTIONS) return [];
  const added: PaymentMethodOption[] = [];
  for (const { shop } of shops) {
    if (hasOptionFor([...options, ...added], shop)) continue;
    added.push({ provider: shop.provider, account: shop.account });
  }
  return added.map((option) => [...options, option]);
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

const keysOf = (field: RequestField): string[] => pathOf(field).split('.').slice(1);

const isOfPaymentMethod = (field: RequestField): boolean => pathOf(field).startsWith('payment_method.');

function fieldOf(request: RoutingRequest, field: RequestField): unknown {
  if (field === 'customer_id') return request.customerId;
  if (field === 'currency' || field === 'country' || field === 'amount') return request[field];
  return valueAt(isOfPaymentMethod(field) ? request.paymentMethod : request.metadata, keysOf(field));
}

function withField(request: RoutingRequest, field: RequestField, value: unknown): RoutingRequest {
  if (field === 'customer_id') return { ...request, customerId: value as number | undefined };
  if (field === 'currency' || field === 'country' || field === 'amount') return { ...request, [field]: value };
  const isPaymentMethod = isOfPaymentMethod(field);
  const changed = withValueAt(isPaymentMethod ? request.paymentMethod : request.metadata, keysOf(field), value);
  return { ...request, [isPaymentMethod ? 'paymentMethod' : 'metadata']: changed };
}
