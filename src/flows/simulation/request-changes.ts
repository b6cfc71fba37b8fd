import { amountError } from '../../shared/money.js';
import { amounts, countries, currencies, customerIds, metadataValues } from '../definition/boundary-values.js';
import { Candidate, type PreparedScenario } from './scenario.js';
import {
  type Condition,
  type FieldName,
  type FieldTest,
  type RoutingRequest,
  isSettable,
  valueAt,
  withValueAt,
} from '../definition/condition.js';
import { conditionOf, type RoutableShop } from '../definition/eligibility.js';
import { eachAtom, formulaOf } from '../definition/formula.js';

const MAX_AMOUNTS = 12;

/** Other requests: one field changed to a value that a condition tells apart from the present one. */
export class RequestChanges {
  /** By field and value: the same request is one candidate for all shops. */
  private readonly known = new Map<string, Candidate>();
  private readonly ofRules = new Map<number, readonly Candidate[]>();

  constructor(private readonly scenario: PreparedScenario) {}

  /** By the shop's own conditions first, then by the rules that lead to it, then by the others; each change once. */
  *for(shop: RoutableShop): Generator<Candidate> {
    const rules = this.scenario.definition.rules ?? [];
    const leadsToIt = rules.map(({ use }) => use.shops.includes(shop.shop.id));
    const seen = new Set<Candidate>();
    const unseen = (candidate: Candidate): boolean => !seen.has(candidate) && seen.add(candidate).has(candidate);
    yield* this.by(conditionOf(shop.conditions)).filter(unseen);
    for (const wanted of [true, false]) {
      for (const rule of rules.keys()) {
        if (leadsToIt[rule] === wanted) yield* this.byRule(rule).filter(unseen);
      }
    }
  }

  private byRule(rule: number): readonly Candidate[] {
    const known = this.ofRules.get(rule);
    if (known) return known;
    const candidates = this.by(this.scenario.definition.rules![rule]!.when);
    this.ofRules.set(rule, candidates);
    return candidates;
  }

  private by(condition: Condition): Candidate[] {
    const { request } = this.scenario;
    return [...testsByField(condition)].flatMap(([field, tests]) =>
      valuesOf(field, tests, request).map((value) => this.candidate(field, value)),
    );
  }

  private candidate(field: FieldName, value: unknown): Candidate {
    const key = `${field} ${JSON.stringify(value)}`;
    const known = this.known.get(key);
    if (known) return known;
    const { scenario } = this;
    const changed = withField(scenario.request, field, value);
    const candidate = new Candidate(field, fieldOf(scenario.request, field), value, () => ({
      ...scenario,
      request: changed,
    }));
    this.known.set(key, candidate);
    return candidate;
  }
}

function testsByField(condition: Condition): Map<FieldName, FieldTest[]> {
  const tests = new Map<FieldName, FieldTest[]>();
  eachAtom(formulaOf(condition, new Map()), ({ field, test }) => {
    const ofField = tests.get(field);
    if (ofField) ofField.push(test);
    else tests.set(field, [test]);
  });
  return tests;
}

/** Other values than the request's that the tests tell apart: those that they name first, of amounts the nearest. */
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
      return amounts(currency)(tests)
        .filter(isOther)
        .sort((one, other) => Math.abs(one - amount) - Math.abs(other - amount))
        .slice(0, MAX_AMOUNTS);
    default:
      return metadataValues(tests, { asObject: false }).filter(
        (value) => isOther(value) && isSettable(request.metadata, keysOf(field), value),
      );
  }
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
