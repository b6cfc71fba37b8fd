const MEMBER = /^([a-z_]+)\[(.+)\]$/s;

/**
 * A query whose parameters `name[key]=value` are one object `name`, as `deepObject` of OpenAPI says; the others stay. If
 * the name is also given without a key, all stay as they are, and no DTO declares `name[key]`.
 */
export function withObjects(query: object): object {
  const plain: [string, unknown][] = [];
  const members = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(query)) {
    const [, object, key] = MEMBER.exec(name) ?? [];
    if (object === undefined || Object.hasOwn(query, object)) plain.push([name, value]);
    else members.set(object, [...(members.get(object) ?? []), [key!, value]]);
  }
  if (members.size === 0) return query;
  // `fromEntries` creates own properties only, so that `__proto__` is refused like any other unsafe key
  const objects = [...members].map(([name, entries]) => [name, Object.fromEntries(entries)] as const);
  return Object.fromEntries([...plain, ...objects]);
}
