import { ProblemError } from '@payment-orchestrator/client';
import { apiTestOf } from './condition-tests';
import type { ConditionNode, GroupNode } from './form';

/** The API's messages about fields of the definition, by path, such as `shops[0].weight`. */
export type FieldErrors = ReadonlyMap<string, string>;

const PREFIX = 'definition.';

/** Collects the messages about the definition from errors of a simulation, a backtest or a change. */
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

/** The messages about the field and its parts, except parts that are `shown` at their own fields. */
export const errorsWithin = (errors: FieldErrors, field: string, shown: readonly string[] = []): string[] =>
  [...errors]
    .filter(([path]) => isWithin(path, field) && !shown.some((each) => isWithin(path, each)))
    .map(([path, message]) => (path === field ? message : `${path.slice(field.length).replace(/^\./, '')} ${message}`));

/** The messages by the key of their node. A message about no test is assigned to its group. */
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

/** Finds the node of a path within one object. */
function inObject(node: GroupNode, path: string): ConditionNode {
  const test = node.items.find(
    (item) => item.kind === 'test' && isWithin(path, `${item.field}.${apiTestOf(item.operator)}`),
  );
  const sameField = node.items.find((item) => item.kind === 'test' && isWithin(path, item.field));
  if (test ?? sameField) return (test ?? sameField)!;
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
