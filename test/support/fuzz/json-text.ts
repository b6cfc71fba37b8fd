/** JSON text that no JavaScript value represents: `-0`, forty digits, or invalid JSON. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** An object as written: keys may repeat, and `__proto__` is an ordinary key. */
export class JsonObject {
  constructor(readonly entries: readonly (readonly [string, JsonNode])[]) {}
}

export type JsonNode = string | number | boolean | null | RawJson | JsonObject | readonly JsonNode[];

export function renderJson(node: JsonNode): string {
  if (node instanceof RawJson) return node.text;
  if (node instanceof JsonObject) {
    return `{${node.entries.map(([key, value]) => `${JSON.stringify(key)}:${renderJson(value)}`).join()}}`;
  }
  return Array.isArray(node) ? `[${node.map((item) => renderJson(item as JsonNode)).join()}]` : JSON.stringify(node);
}

/** A change of one place in a tree. */
export type JsonChange =
  | { kind: 'replace'; value: JsonNode }
  | { kind: 'add'; key: string; value: JsonNode }
  | { kind: 'repeat'; value: JsonNode }
  | { kind: 'remove' }
  | { kind: 'wrap' };

/** Changes the `at`-th place of the tree, modulo their number. A change that does not apply there has no effect. */
export function changeJson(tree: JsonNode, at: number, change: JsonChange): JsonNode {
  let countdown = at % countOf(tree);
  const visit = (node: JsonNode): JsonNode => {
    if (countdown-- === 0) return changed(node, change);
    if (node instanceof JsonObject) return new JsonObject(node.entries.map(([key, value]) => [key, visit(value)]));
    return isList(node) ? node.map(visit) : node;
  };
  return visit(tree);
}

const isList = (node: JsonNode): node is readonly JsonNode[] => Array.isArray(node);

function countOf(node: JsonNode): number {
  const inner = node instanceof JsonObject ? node.entries.map(([, value]) => value) : isList(node) ? node : [];
  return inner.reduce<number>((sum, each) => sum + countOf(each), 1);
}

function changed(node: JsonNode, change: JsonChange): JsonNode {
  if (change.kind === 'replace') return change.value;
  if (change.kind === 'wrap') return [node];
  if (!(node instanceof JsonObject)) return isList(node) && change.kind === 'add' ? [...node, change.value] : node;
  const [first, ...others] = node.entries;
  if (change.kind === 'add') return new JsonObject([...node.entries, [change.key, change.value]]);
  if (change.kind === 'remove') return new JsonObject(others);
  return first === undefined ? node : new JsonObject([...node.entries, [first[0], change.value]]);
}
