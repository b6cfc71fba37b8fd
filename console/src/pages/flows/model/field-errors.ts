import { ProblemError } from '@payment-orchestrator/client';
import { apiTestOf } from './condition-tests';
import type { ConditionNode, GroupNode } from './form';

/** What the API says of fields of the definition, by path, such as `shops[0].weight`. */
export type FieldErrors = ReadonlyMap<string, string>;

const PREFIX = 'definition.';

/** Of a simulation, a backtest or a change: what they say of the definition. Its own paths begin at the definition. */
export function definitionErrors(...errors: readonly unknown[]): FieldErrors {
  const found = new Map<string, string>();
  for (const error of errors) {
    if (!(error instanceof ProblemError)) continue;
    for (const { field, message } of error.fields)
      found.set(field.startsWith(PREFIX) ? field.slice(PREFIX.length) : field, message);
  }
  return found;
}

const isWithin = (path: string, field: string): boolean =>
  path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));

/** What is said of the field and of all that is in it, but for what is `shown` at fields of its own. */
export const errorsWithin = (errors: FieldErrors, field: string, shown: readonly string[] = []): string[] =>
  [...errors]
    .filter(([path]) => isWithin(path, field) && !shown.some((each) => isWithin(path, each)))
    .map(([path, message]) => (path === field ? message : `${path.slice(field.length).replace(/^\./, '')} ${message}`));

/** By the key of the node that it is about; what is about no test is at the group it is in. */
export function conditionErrors(errors: FieldErrors, root: GroupNode, field: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [path, message] of errors) {
    if (!isWithin(path, field)) continue;
    const inner = path.slice(field.length).replace(/^\./, '');
    const { key } = inner === '' ? root : inObject(root, inner);
    found.set(key, [found.get(key), message].filter(Boolean).join('; '));
  }
  return found;
}

/** The parts of one object: tests by their names, groups by theirs. */
function inObject(node: GroupNode, path: string): ConditionNode {
  const test = node.items.find(
    (item) => item.kind === 'test' && isWithin(path, `${item.field}.${apiTestOf(item.operator)}`),
  );
  const ofField = node.items.find((item) => item.kind === 'test' && isWithin(path, item.field));
  if (test ?? ofField) return (test ?? ofField)!;
  const [, name, index, rest = ''] = /^(all|any|not)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
  const inner = node.items.find((item): item is GroupNode => item.kind === name);
  if (!inner) return node;
  if (index === undefined) return rest === '' ? inner : inObject(inner, rest);
  const item = inner.items[Number(index)];
  if (!item) return inner;
  return item.kind === 'test' || item.kind === 'every' ? inItem(item, rest) : inItem({ ...inner, items: [item] }, rest);
}

const inItem = (item: ConditionNode, rest: string): ConditionNode =>
  item.kind === 'test' || rest === '' ? item : inObject(item, rest);
