import type { Schema } from '@payment-orchestrator/client';
import { apiTestOf, type ApiTest, type Operator, testsOf } from './condition-tests';
import { type ConditionNode, type GroupNode, newKey, type TestNode } from './form';

type Condition = Schema<'Condition'>;
type Parts = Record<string, unknown>;

/** Converts a condition to a group of tests and groups. */
export const conditionForm = (condition: Condition): GroupNode => group('every', nodesOf(condition));

export const group = (kind: GroupNode['kind'], items: ConditionNode[]): GroupNode => ({ key: newKey(), kind, items });

export function newTest(field = 'currency'): TestNode {
  const [operator] = testsOf(field);
  return { key: newKey(), kind: 'test', field, operator: operator!, value: operator === 'exists' ? true : '' };
}

const nodesOf = (condition: Parts): ConditionNode[] =>
  Object.entries(condition).flatMap(([name, part]): ConditionNode[] => {
    if (name === 'all' || name === 'any') return [group(name, (part as Parts[]).map(itemOf))];
    if (name === 'not') return [group('not', nodesOf(part as Parts))];
    return Object.entries(part as Parts).map(([test, value]) => testNode(name, test as ApiTest, value));
  });

/** Converts an item of a list: an object with one part becomes that part, not a group. */
function itemOf(condition: Parts): ConditionNode {
  const nodes = nodesOf(condition);
  return nodes.length === 1 ? nodes[0]! : group('every', nodes);
}

function testNode(field: string, test: ApiTest, value: unknown): TestNode {
  const operator: Operator = test === 'not' && Array.isArray(value) ? 'not_in' : test;
  return { key: newKey(), kind: 'test', field, operator, value };
}

export const conditionOf = ({ items }: GroupNode): Condition => merged(items) as Condition;

/** Merges the items into one object. A name that is taken already goes to `all`. */
function merged(items: readonly ConditionNode[]): Parts {
  const condition: Parts = {};
  const repeated: Parts[] = [];
  for (const item of items) if (!put(condition, item)) repeated.push(single(item));
  if (repeated.length > 0) condition.all = [...((condition.all as Parts[] | undefined) ?? []), ...repeated];
  return condition;
}

/** Adds the item to the object unless its name is taken; returns whether it was added. */
function put(condition: Parts, item: ConditionNode): boolean {
  const { name, part } = entryOf(item);
  const existing = condition[name] as Parts | undefined;
  if (existing === undefined) {
    condition[name] = part;
    return true;
  }
  if (item.kind !== 'test' || Object.hasOwn(existing, apiTestOf(item.operator))) return false;
  condition[name] = { ...existing, ...(part as Parts) };
  return true;
}

const single = (item: ConditionNode): Parts => {
  if (item.kind === 'every') return merged(item.items);
  const { name, part } = entryOf(item);
  return { [name]: part };
};

function entryOf(item: ConditionNode): { name: string; part: unknown } {
  if (item.kind === 'test') return { name: item.field, part: { [apiTestOf(item.operator)]: item.value } };
  if (item.kind === 'not') return { name: 'not', part: merged(item.items) };
  // an `every` group inside an object becomes `all`
  return { name: item.kind === 'any' ? 'any' : 'all', part: item.items.map(single) };
}
