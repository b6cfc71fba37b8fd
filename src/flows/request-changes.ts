import { amountError } from '../shared/money.js';
import { amounts } from './boundary-values.js';
import type { FieldName, FieldTest, Scalar } from './condition.js';
import { conditionOf } from './eligibility.js';
import { eachAtom, formulaOf } from './formula.js';
import type { RoutableShop } from './routable-shop.js';
import type { RoutingRequest } from './routing.js';
import type { PreparedScenario } from './scenario.js';
import type { Candidate } from './shop-changes.js';

const MAX_AMOUNTS = 12;

/** Another request, one field changed to a value that the shop's conditions or the rules name; the nearest amounts first. */
export function* requestChanges(scenario: PreparedScenario, shop: RoutableShop): Generator<Candidate> {
  const { request } = scenario;
  const tests = testsOf(scenario, shop);
  const other = (field: string, from: unknown, to: unknown, changed: RoutingRequest): Candidate => ({
    field,
    from,
    to,
    apply: () => ({ ...scenario, request: changed }),
  });
  for (const [field, ofField] of tests) {
    const named = namedValues(ofField);
    if (field === 'currency') {
      for (const currency of named as string[]) {
        if (currency === request.currency || amountError(request.amount, currency) !== undefined) continue;
        yield other(field, request.currency, currency, { ...request, currency });
      }
    } else if (field === 'country') {
      for (const country of named as string[]) {
        if (country !== request.country) yield other(field, request.country, country, { ...request, country });
      }
    } else if (field === 'amount') {
      for (const amount of nearest(ofField, request)) {
        yield other(field, request.amount, amount, { ...request, amount });
      }
    } else if (field === 'customer_id') {
      for (const customerId of named as number[]) {
        if (customerId !== request.customerId) {
          yield other(field, request.customerId, customerId, { ...request, customerId });
        }
      }
    } else {
      const keys = field.split('.').slice(1);
      for (const value of named) {
        const metadata = withValueAt(request.metadata, keys, value) as Record<string, unknown>;
        yield other(field, valueAt(request.metadata, keys), value, { ...request, metadata });
      }
    }
  }
}

/** By field, the tests of the shop's conditions and of all rules. */
function testsOf({ definition }: PreparedScenario, shop: RoutableShop): Map<FieldName, FieldTest[]> {
  const tests = new Map<FieldName, FieldTest[]>();
  for (const condition of [conditionOf(shop.conditions), ...(definition.rules ?? []).map(({ when }) => when)]) {
    eachAtom(formulaOf(condition, new Map()), ({ field, test }) => {
      tests.set(field, [...(tests.get(field) ?? []), test]);
    });
  }
  return tests;
}

/** What passes `equals` or `in`. */
const namedValues = (tests: readonly FieldTest[]): Scalar[] => [
  ...new Set(tests.flatMap(({ equals, in: list = [] }) => [...(equals === undefined ? [] : [equals]), ...list])),
];

function nearest(tests: readonly FieldTest[], { amount, currency }: RoutingRequest): number[] {
  const others = amounts(currency)(tests).filter((each) => each !== amount);
  return others.sort((one, other) => Math.abs(one - amount) - Math.abs(other - amount)).slice(0, MAX_AMOUNTS);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(value: unknown, [key, ...deeper]: string[]): unknown {
  if (key === undefined) return value;
  return isObject(value) && Object.hasOwn(value, key) ? valueAt(value[key], deeper) : undefined;
}

function withValueAt(value: unknown, [key, ...deeper]: string[], to: unknown): unknown {
  if (key === undefined) return to;
  const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return { ...(isObject(value) && value), [key]: withValueAt(inner, deeper, to) };
}
